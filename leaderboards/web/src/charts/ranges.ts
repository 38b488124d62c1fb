/** Dots with a range: ratings with their intervals, what seats are worth, how long bots think. */
import * as Plot from "@observablehq/plot";
import { botAxis, duration, known, percent, plot } from "./common";
import type { Charts, Draw, Interval, Seat, Timing } from "./data";

const GRID = { stroke: "var(--line)", strokeOpacity: 1 };
const TOP = { marginTop: 34, marginBottom: 14, marginRight: 20 };

export const intervals: Draw = (data, room) => {
  const rows = known(data.intervals).map((bot) => ({ bot, ...data.intervals[bot]! }));
  const axis = botAxis(data, rows.map((row) => row.bot), room);
  return plot(room, `Ratings of ${rows.length} bots with their 95% intervals`, {
    ...axis,
    ...TOP,
    y: { ...axis.y, type: "band" },
    color: { type: "identity" },
    x: { axis: "top", label: null, domain: around(rows), nice: true, tickFormat: (mu: number) => `${Number(mu.toFixed(2))}` },
    marks: [
      Plot.gridX(GRID),
      Plot.ruleY(rows.filter((row) => row.low !== null), {
        y: "bot", x1: "low", x2: "high", stroke: "var(--accent)", strokeOpacity: 0.35, strokeWidth: 6, strokeLinecap: "round",
      }),
      Plot.dot(rows, { y: "bot", x: "mu", r: 4, stroke: "var(--accent)", strokeWidth: 1.5, fill: (row) => (row.provisional ? "var(--card)" : "var(--accent)") }),
      Plot.tip(rows, Plot.pointerY({ y: "bot", x: "mu", title: (row) => spoken(data, row) })),
    ],
  });
};

/** All ratings and their intervals, and no less than two points of them. */
function around(rows: Interval[]): [number, number] {
  const ends = rows.flatMap((row) => [row.low ?? row.mu, row.high ?? row.mu]);
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  const lacks = Math.max(0, 2 - (high - low)) / 2;
  return [low - lacks, high + lacks];
}

function spoken(data: Charts, row: Interval & { bot: number }): string {
  const range = row.low === null || row.high === null ? "" : `\n95% interval ${row.low.toFixed(2)} … ${row.high.toFixed(2)}`;
  const same = row.rank_low === row.rank_high;
  const ranks = row.rank_low === null ? "" : `\nrank ${same ? row.rank_low : `${row.rank_low} to ${row.rank_high}`}`;
  return `${data.bots[row.bot]!.name}\nmu ${row.mu.toFixed(2)}${range}${ranks}`;
}

export const seats: Draw = (data, room) => {
  const rows = data.seats!;
  const colour = (row: Seat, index: number) => `var(--seat-${typeof row.seat === "number" ? row.seat % 4 : index % 4})`;
  return plot(room, `Share of first places of ${rows.length} seats, and that of an equal`, {
    ...TOP,
    marginLeft: 64,
    x: { axis: "top", label: null, nice: true, ticks: 5, tickFormat: (share: number) => `${Number((100 * share).toFixed(1))}%` },
    y: { type: "band", domain: rows.map((row) => row.seat), label: null, tickSize: 0, tickFormat: (seat) => `seat ${seat}` },
    color: { type: "identity" },
    marks: [
      Plot.gridX({ ...GRID, ticks: 5 }),
      Plot.tickX(rows, { y: "seat", x: "expected", stroke: "var(--ink)", strokeWidth: 2, strokeDasharray: "3 3" }),
      Plot.ruleY(rows.filter((row) => row.low !== null), {
        y: "seat", x1: "low", x2: "high", stroke: colour, strokeOpacity: 0.4, strokeWidth: 7, strokeLinecap: "round",
      }),
      Plot.dot(rows, { y: "seat", x: "share", fill: colour, r: 5 }),
      Plot.tip(rows, Plot.pointerY({ y: "seat", x: "share", title: (row) => seat(row) })),
    ],
  });
};

function seat(row: Seat): string {
  const range = row.low === null || row.high === null ? "" : `\n95% interval ${percent(row.low, 1)} … ${percent(row.high, 1)}`;
  return `seat ${row.seat}: first in ${percent(row.share, 1)}${range}\nan equal: ${percent(row.expected, 1)}\n${row.games.toLocaleString("en")} games`;
}

export const timing: Draw = (data, room) => {
  const all = data.timing!;
  const rows = known(all).map((bot) => ({ bot, ...all[bot]! }));
  const axis = botAxis(data, rows.map((row) => row.bot), room);
  const least = 10 ** Math.floor(Math.log10(Math.max(0.001, Math.min(...rows.map((row) => row.median)))));
  const at = (ms: number) => Math.max(least, ms); // a logarithm has no place for 0
  return plot(room, `Thinking time a move of ${rows.length} bots, on a logarithmic scale`, {
    ...axis,
    ...TOP,
    y: { ...axis.y, type: "band" },
    x: { type: "log", axis: "top", label: null, nice: true, ticks: room.width < 560 ? 3 : 6, tickFormat: (ms: number) => duration(ms) },
    marks: [
      Plot.gridX({ ...GRID, ticks: room.width < 560 ? 3 : 6 }),
      Plot.ruleY(rows, {
        y: "bot", x1: (row) => at(row.median), x2: (row) => at(row.p99), stroke: "var(--accent)", strokeOpacity: 0.35, strokeWidth: 4,
      }),
      Plot.dot(rows, { y: "bot", x: (row) => at(row.median), fill: "var(--accent)", r: 4 }),
      Plot.dot(rows, { y: "bot", x: (row) => at(row.p95), fill: "var(--card)", stroke: "var(--accent)", r: 3 }),
      Plot.dot(rows, { y: "bot", x: (row) => at(row.p99), fill: "var(--card)", stroke: "var(--accent)", r: 4, symbol: "square" }),
      Plot.tip(rows, Plot.pointerY({ y: "bot", x: (row) => at(row.median), title: (row) => times(data, row) })),
    ],
  });
};

function times(data: Charts, row: Timing & { bot: number }): string {
  const parts = [`median ${duration(row.median)}`, `95% under ${duration(row.p95)}`, `99% under ${duration(row.p99)}`];
  return [data.bots[row.bot]!.name, ...parts, `most ${duration(row.most)}`, `${row.moves.toLocaleString("en")} moves`].join("\n");
}
