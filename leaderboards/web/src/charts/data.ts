/** What stands in data/charts/<board>.js; lists by bot are in the order of `bots`, which is that of the leaderboard. */

export interface Interval {
  mu: number;
  low: number | null;
  high: number | null;
  rank: number | null;
  rank_low: number | null;
  rank_high: number | null;
  provisional: boolean;
}

export interface Matrix {
  /** [row][column]: share of wins of the row's bot, 0 to 1; null where they never met. */
  share: (number | null)[][];
  games: number[][];
  /** Standard deviations above what the ratings expect. */
  z: (number | null)[][];
}

export interface History {
  /** Games over at each checkpoint. */
  games: number[];
  /** [bot][checkpoint] */
  mu: (number | null)[][];
}

export interface Seat {
  seat: number | string;
  games: number;
  share: number;
  expected: number;
  low: number | null;
  high: number | null;
}

/** Parts of the variance of a score; they make 1. */
export type Luck = Record<"skill" | "seat" | "deal" | "rest", number | null>;

/** Games in which a bot made a fault of a kind. */
export interface Faulty {
  /** Index in `bots`. */
  bot: number;
  kind: string;
  games: number;
}

/** Milliseconds of thinking a move. */
export interface Timing {
  moves: number;
  median: number;
  p95: number;
  p99: number;
  most: number;
}

export interface Named {
  name: string;
  /** With room, and with little; no two bots look alike in it. */
  short: [wide: string, narrow: string];
  slug: string;
  digest: string;
}

export interface Charts {
  board: string;
  bots: Named[];
  intervals: (Interval | null)[];
  matrix: Matrix | null;
  history: History | null;
  seats: Seat[] | null;
  luck: Luck | null;
  faults: Faulty[];
  timing: (Timing | null)[] | null;
}

/** The room of a picture in CSS pixels; its height was kept free from the first. */
export interface Room {
  width: number;
  height: number;
}

export type Draw = (data: Charts, room: Room, figure: HTMLElement) => SVGSVGElement;
