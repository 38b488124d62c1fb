/** Who beats whom: a heat map, with the numbers in it where there is room. */
import * as Plot from "@observablehq/plot";
import { botAxis, percent, plot } from "./common";
import type { Charts, Draw } from "./data";

const WIDEST = 80; // CSS pixels of a cell

interface Cell {
  row: number;
  column: number;
  share: number;
  games: number;
  z: number;
}

export const matrix: Draw = (data, room) => {
  const bots = data.bots.map((_, index) => index);
  const axis = botAxis(data, bots, room);
  const cells = met(data);
  const width = Math.min(room.width, axis.marginLeft + 8 + bots.length * WIDEST);
  const wide = (width - axis.marginLeft - 8) / bots.length;
  const inset = bots.length > 40 ? 0 : 1;
  const high = (room.height - 40) / bots.length;
  const every = Math.ceil(18 / wide);
  return plot({ ...room, width }, `Wins of each of ${bots.length} bots against each`, {
    ...axis,
    marginTop: 30,
    marginBottom: 10,
    marginRight: 8,
    padding: 0,
    y: { ...axis.y, type: "band" },
    x: { type: "band", domain: bots, axis: "top", label: null, tickSize: 0, tickFormat: (index: number) => (index % every ? "" : `${index + 1}`) },
    color: { type: "identity" },
    marks: [
      Plot.text(high < 12 ? [] : bots, { x: (bot) => bot, y: (bot) => bot, text: () => "·", fill: "var(--muted)" }),
      Plot.cell(cells, { x: "column", y: "row", fill: (cell) => colour(cell.share), inset, rx: 2 * inset }),
      Plot.text(cells, { x: "column", y: "row", text: (cell) => written(cell, wide, high), fill: "var(--ink)" }),
      Plot.tip(cells, Plot.pointer({ x: "column", y: "row", title: (cell) => spoken(data, cell) })),
    ],
  });
};

function met(data: Charts): Cell[] {
  const { share, games, z } = data.matrix!;
  return share.flatMap((line, row) =>
    line.flatMap((value, column) =>
      value === null || row === column ? [] : [{ row, column, share: value, games: games[row]![column]!, z: z[row]![column] ?? 0 }],
    ),
  );
}

/** From losing over even to winning; the style sheet knows the three colours for light and dark. */
function colour(share: number): string {
  const far = Math.min(1, Math.abs(share - 0.5) * 2);
  return `color-mix(in oklab, var(--${share < 0.5 ? "losing" : "winning"}) ${(100 * far).toFixed(0)}%, var(--even))`;
}

/** As much as there is room for: percent with a mark, the mark alone, nothing. */
function written(cell: Cell, wide: number, high: number): string {
  const mark = (cell.z > 0 ? "+" : "−").repeat(Number(Math.abs(cell.z) >= 2) + Number(Math.abs(cell.z) >= 3));
  if (high < 12 || wide < 9) return "";
  return wide < 34 ? (wide < 22 ? mark.slice(0, 1) : (100 * cell.share).toFixed(0)) : `${(100 * cell.share).toFixed(0)}${mark}`;
}

function spoken(data: Charts, cell: Cell): string {
  const [own, other] = [data.bots[cell.row]!.name, data.bots[cell.column]!.name];
  const off = `${Math.abs(cell.z).toFixed(1)} sd ${cell.z < 0 ? "below" : "above"} what ratings expect`;
  return `${own}\nagainst ${other}\n${percent(cell.share, 1)} of ${cell.games.toLocaleString("en")} games\n${off}`;
}
