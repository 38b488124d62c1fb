/** What the server tells: kingmaker/live/1, and the public part of a game under way. */
import type { Replay, Wire } from "../replay/types";

export interface Bot {
  name: string;
  digest: string;
}

/** A bot as the page knows it from the start. */
export interface Known extends Bot {
  href: string;
  /** Its name, cut so that it stays apart from the others', where there is room and where there is less. */
  wide: string;
  narrow: string;
}

export interface Leader {
  rank: number | null;
  bot: Bot;
  mu: number | null;
  sigma: number | null;
  /** Of the 95 % interval; null where too few deals tell of it. */
  low: number | null;
  high: number | null;
  games: number;
  /** Games with a fault; those that it lost unplayed, being suspended, are none of them. */
  faults: number;
  unplayed: number;
  provisional: boolean;
}

export interface Result {
  id: string;
  variant: string;
  verdict: string;
  seats: { bot: Bot; team: number; rank: number; score: number; fault: string | null }[];
}

export interface Fault {
  game: string;
  bot: Bot;
  kind: string;
  at: string;
}

/** A bot that is suspended. */
export interface Away {
  bot: Bot;
  kind: string;
  /** Games that it has lost since, without having been started. */
  unplayed: number;
}

export interface Underway {
  id: string;
  variant: string;
  bots: string[];
  step: number;
  since_seconds: number;
}

export interface Snapshot {
  tournament: string;
  at: string;
  running: boolean;
  /** null: no number bounds them. */
  games: number | null;
  over: number;
  per_second: number | null;
  left_seconds: number | null;
  /** Why nothing is to come any more; empty while something is. */
  ended: string;
  /** Of the chain over all games that are kept; empty where there is none. */
  head: string;
  leaders: Leader[];
  newest: Result[];
  /** Ids of those of them that a suspended bot was not started for. */
  unplayed: string[];
  faults: Fault[];
  away: Away[];
  underway: Underway[];
  delay_seconds: number | null;
  notes: string[];
}

export interface Moves {
  game: string;
  steps: number;
  /** The number of the first of these events. */
  from: number;
  events: Wire[];
}

/** The replay viewer, as it follows a game. */
export interface Viewer extends HTMLElement {
  replay: Replay | null;
  append(...told: (Wire[] | Node | string)[]): void;
}

export type Link = "connecting" | "live" | "cut off" | "asleep" | "ended" | "in trouble";
