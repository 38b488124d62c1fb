/** Ratings as they were after so many games: a line a bot, its name at the end; one of them may stand out. */
import * as Plot from "@observablehq/plot";
import { called, plot, widest } from "./common";
import type { Charts, Draw, Room } from "./data";

const HUES = 8;
const GAP = 15; // CSS pixels from name to name,
const REACH = 24; // from the end of a line to its name,
const LEFT = 44; // and before all of them

interface Point {
  bot: number;
  games: number;
  mu: number;
}

export const history: Draw = (data, room, figure) => {
  const points = kept(data);
  const focus = focused(figure, data);
  const ends = lasts(points);
  const [low, high] = extent(points);
  const named = placed(ends, low, high, room, focus);
  const marginRight = 12 + widest(named.map(({ bot }) => called(data, bot, room)));
  const [first, last] = [Math.min(...points.map(({ games }) => games)), Math.max(...points.map(({ games }) => games))];
  const edge = last + (Math.max(1, last - first) * REACH) / (room.width - LEFT - marginRight - REACH);
  const colour = (bot: number) => (focus === bot ? "var(--accent)" : focus !== null || bot >= HUES ? "var(--faint)" : `var(--hue-${bot})`);
  return plot(room, `Ratings of ${ends.length} bots over the games of the tournament`, {
    marginRight, marginLeft: LEFT, marginTop: 16, marginBottom: 44,
    x: { domain: [first, edge], label: "games →", labelOffset: 34, labelAnchor: "right", ticks: room.width < 560 ? 3 : 8, tickFormat: "~s" },
    y: { label: "mu", domain: [low, high], grid: false },
    color: { type: "identity" },
    marks: [
      Plot.gridY({ stroke: "var(--line)", strokeOpacity: 1 }),
      Plot.line(points, {
        x: "games", y: "mu", z: "bot", stroke: (point) => colour(point.bot),
        strokeWidth: ends.length > 30 ? 1.2 : 2, curve: "monotone-x",
        sort: (point: Point) => (point.bot === focus ? 1 : -point.bot),
      }),
      ...(focus === null ? [] : [Plot.line(points.filter((point) => point.bot === focus), { x: "games", y: "mu", stroke: "var(--accent)", strokeWidth: 3, curve: "monotone-x" as const })]),
      Plot.dot(ends, { x: "games", y: "mu", fill: (point) => colour(point.bot), r: 3 }),
      Plot.link(named, { x1: "games", y1: "mu", x2: edge, y2: "at", stroke: (point) => colour(point.bot), strokeWidth: 1, strokeOpacity: 0.6 }),
      Plot.text(named, {
        x: () => edge, y: "at", dx: 4, textAnchor: "start", fontWeight: 600,
        text: (point) => called(data, point.bot, room), fill: (point) => colour(point.bot),
      }),
      Plot.crosshairX(points, { x: "games", color: "var(--muted)", opacity: 0.4, textFill: "var(--muted)", textStroke: "var(--card)" }),
      Plot.tip(points, Plot.pointer({ x: "games", y: "mu", title: (point) => spoken(data, point) })),
    ],
  });
};

function kept(data: Charts): Point[] {
  const { games, mu } = data.history!;
  return mu.flatMap((line, bot) => line.flatMap((value, index) => (value === null ? [] : [{ bot, games: games[index]!, mu: value }])));
}

function lasts(points: Point[]): Point[] {
  return [...new Map(points.map((point) => [point.bot, point])).values()];
}

function extent(points: Point[]): [number, number] {
  const values = points.map((point) => point.mu);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const margin = Math.max(0.5, (high - low) * 0.04);
  return [low - margin, high + margin];
}

/** Where names stand beside the ends, so that none covers another: those of lines with a colour, and the one in focus. */
function placed(ends: Point[], low: number, high: number, room: Room, focus: number | null): (Point & { at: number })[] {
  const inside = room.height - 56;
  const chosen = ends.filter((point) => point.bot < HUES || point.bot === focus);
  const pixel = (mu: number) => ((high - mu) / (high - low)) * inside;
  const rows = chosen.map((point) => ({ point, y: pixel(point.mu) })).sort((a, b) => a.y - b.y);
  for (let n = 1; n < rows.length; n++) rows[n]!.y = Math.max(rows[n]!.y, rows[n - 1]!.y + GAP);
  let below = inside + 4;
  for (const row of rows.reverse()) {
    row.y = Math.min(row.y, below);
    below = row.y - GAP;
  }
  return rows.map(({ point, y }) => ({ ...point, at: high - (y / inside) * (high - low) }));
}

function focused(figure: HTMLElement, data: Charts): number | null {
  const index = data.bots.findIndex((bot) => bot.slug === figure.dataset.focus);
  return index < 0 ? null : index;
}

function spoken(data: Charts, point: Point): string {
  return `${data.bots[point.bot]!.name}\nmu ${point.mu.toFixed(2)} after ${point.games.toLocaleString("en")} games`;
}
