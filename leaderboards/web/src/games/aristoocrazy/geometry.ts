/** Where the fields of a board lie: squares that touch on the rectangles, hexagons that touch on the triangle (R4). */
import type { Json } from "../../replay/types";

/** The middle of a field. */
export interface Spot {
  x: number;
  y: number;
}

export interface Chart {
  spots: Map<string, Spot>;
  /** The outline of any field, around its middle. */
  outline: string;
  /** x, y, width, height of it all. */
  box: [number, number, number, number];
  hexagons: boolean;
}

const SQUARE = 196;
const GAP = 10;
const HEXAGON = 214;

/** Half the width, and the half height, of what a field covers. */
const REACH = { square: [SQUARE / 2, SQUARE / 2], hexagon: [HEXAGON / 2, HEXAGON / Math.sqrt(3)] } as const;

export function chartOf(board: Json): Chart {
  const names = Object.keys(board.fields);
  const hexagons = String(board.id).startsWith("triangle");
  const spots = new Map(names.map((name) => [name, hexagons ? staggered(name) : aligned(name)]));
  const [wide, high] = REACH[hexagons ? "hexagon" : "square"];
  const all = [...spots.values()];
  const [left, top] = [Math.min(...all.map((one) => one.x)) - wide, Math.min(...all.map((one) => one.y)) - high];
  const [right, bottom] = [Math.max(...all.map((one) => one.x)) + wide, Math.max(...all.map((one) => one.y)) + high];
  return { spots, hexagons, outline: hexagons ? hexagon(wide - 8) : square(wide - 2), box: [left - 2, top - 2, right - left + 4, bottom - top + 4] };
}

const letterOf = (name: string): number => name.charCodeAt(0) - 97;
const numberOf = (name: string): number => Number(name.slice(1));

/** Letters go right, numbers down. */
function aligned(name: string): Spot {
  return { x: letterOf(name) * (SQUARE + GAP), y: (numberOf(name) - 1) * (SQUARE + GAP) };
}

/** Letters go down, each row has a field more than the one above. */
function staggered(name: string): Spot {
  const row = letterOf(name);
  return { x: (numberOf(name) - 1 - row / 2) * HEXAGON, y: row * HEXAGON * (Math.sqrt(3) / 2) };
}

const square = (half: number): string => {
  const [edge, round] = [half - 14, 14];
  return `M${-edge} ${-half}H${edge}a${round} ${round} 0 0 1 ${round} ${round}V${edge}a${round} ${round} 0 0 1 ${-round} ${round}H${-edge}a${round} ${round} 0 0 1 ${-round} ${-round}V${-edge}a${round} ${round} 0 0 1 ${round} ${-round}z`;
};

const hexagon = (half: number): string => {
  const side = half / Math.cos(Math.PI / 6);
  const corner = (at: number) => `${(side * Math.sin((at * Math.PI) / 3)).toFixed(1)} ${(-side * Math.cos((at * Math.PI) / 3)).toFixed(1)}`;
  return `M${[0, 1, 2, 3, 4, 5].map(corner).join("L")}z`;
};

const SHORT = 72;

/** From one spot to another, beginning and ending short of their middles, bent by a part of the way. */
export function path(from: Spot, to: Spot, bent: number): string {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy) || 1;
  const [ux, uy] = [dx / length, dy / length];
  const bend = length * bent;
  const middle = { x: (from.x + to.x) / 2 - uy * bend, y: (from.y + to.y) / 2 + ux * bend };
  const at = (spot: Spot, way: number) => `${(spot.x + ux * way).toFixed(1)} ${(spot.y + uy * way).toFixed(1)}`;
  return `M${at(from, SHORT)}Q${middle.x.toFixed(1)} ${middle.y.toFixed(1)} ${at(to, -SHORT)}`;
}
