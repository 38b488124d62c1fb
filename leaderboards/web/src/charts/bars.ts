/** Bars: what the variance of a score is made of, and games lost by a fault. */
import * as Plot from "@observablehq/plot";
import { percent, plot, short, widest } from "./common";
import type { Charts, Draw, Faulty, Room } from "./data";

const PARTS = [
  ["skill", "who plays whom"],
  ["seat", "who sits where"],
  ["deal", "the cards that were dealt"],
  ["rest", "other luck, and play"],
] as const;

export const luck: Draw = (data, room) => {
  const parts = PARTS.flatMap(([name, says], index) => {
    const share = data.luck![name];
    return share === null ? [] : [{ name, says, share, index }];
  });
  const whole = parts.reduce((sum, part) => sum + part.share, 0);
  const fits = (part: { share: number }, text: string) => (part.share / whole) * (room.width - 16) > 10 + text.length * 7.2;
  return plot(room, `Of the variance of a score: ${parts.map((part) => `${part.name} ${percent(part.share)}`).join(", ")}`, {
    marginLeft: 8, marginRight: 8, marginTop: 8, marginBottom: 30,
    x: { label: null, domain: [0, whole], tickFormat: (share: number) => percent(share), ticks: 5 },
    y: { axis: null },
    color: { type: "identity" },
    marks: [
      Plot.barX(parts, Plot.stackX({ x: "share", fill: (part) => `var(--part-${part.index})`, inset: 1, rx: 3 })),
      Plot.text(parts, Plot.stackX({
        x: "share", fontWeight: 600, fill: "var(--ink)", fontSize: 13,
        text: (part) => [`${part.name} ${percent(part.share)}`, part.name].find((text) => fits(part, text)) ?? "",
      })),
      Plot.tip(parts, Plot.pointerX(Plot.stackX({ x: "share", title: (part) => `${part.name} ${percent(part.share, 1)}\n${part.says}` }))),
    ],
  });
};

export const faults: Draw = (data, room) => {
  const rows = data.faults.slice(0, Math.max(1, Math.floor((room.height - 50) / 18)));
  const texts = rows.map((row) => said(data, row, room));
  return plot(room, `Games in which bots made a fault, ${rows.length} kinds of them`, {
    marginLeft: 14 + widest(texts),
    marginTop: 10, marginRight: 48, marginBottom: 42,
    x: { label: "games →", labelOffset: 34, nice: true, ticks: Math.min(room.width < 560 ? 3 : 8, Math.max(...rows.map((row) => row.games))), tickFormat: "d" },
    y: { type: "band", domain: rows.map((_, index) => index), label: null, tickSize: 0, tickFormat: (index: number) => texts[index]! },
    marks: [
      Plot.gridX({ stroke: "var(--line)", strokeOpacity: 1 }),
      Plot.barX(rows, { y: (_, index) => index, x: "games", fill: "var(--bad)", fillOpacity: 0.75, inset: 2, rx: 2 }),
      Plot.text(rows, { y: (_, index) => index, x: "games", text: (row) => row.games.toLocaleString("en"), dx: 6, textAnchor: "start", fill: "var(--ink)" }),
    ],
  });
};

const said = (data: Charts, row: Faulty, room: Room): string => `${short(data, row.bot, room)} · ${row.kind.replaceAll("_", " ")}`;
