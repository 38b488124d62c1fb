/** What the replay viewer and the pictures of the games say to each other. */
import type { CSSResult, TemplateResult } from "lit";

/** JSON of a game, whose shape only the picture of that game knows. */
export type Json = any;

/** An event as it stands in a replay file: step, audience, kind, body. */
export type Wire = [step: number, audience: number[] | null, kind: string, body: Json];

export interface Told {
  /** Actions taken so far; 0 is the deal. */
  step: number;
  /** The seats that may see it; null: all. Who watches the whole game sees it always. */
  audience: number[] | null;
  kind: string;
  body: Json;
}

export interface Seating {
  bot: string;
  digest: string;
  team: number;
}

/** A replay file (kingmaker/replay-file/1). */
export interface Replay {
  id: string;
  game: string;
  variant: string;
  deal: string;
  setup: Json;
  seats: Seating[];
  steps: number;
  limits: Record<string, number | null>;
  events: Wire[];
}

/** Who watches: a seat's number, or null for who sees everything. */
export type Eye = number | null;

/** A game term in the language of the page by its key (`faction.K`); where there is none, the last part of the key. */
export type Terms = (key: string) => string;

/** What a picture is drawn from: nothing that the eye may not see is in it. */
export interface Table {
  setup: Json;
  seats: Seating[];
  /** By seat its view; null where the eye may not see it. */
  views: (Json | null)[];
  /** What no seat knows; null but for the eye that sees everything. */
  unseen: Json | null;
  eye: Eye;
  step: number;
  /** The events of this step that the eye may see. */
  news: Told[];
  t: Terms;
}

/** Draws a position; own drawings, no rule of the game. Of a game under way, views may lack what is not public. */
export type Draw = (table: Table) => TemplateResult;

export interface GameView {
  draw: Draw;
  styles: CSSResult;
  /** An event in a line of words; null where there is nothing to say. */
  story: (told: Told, t: Terms) => string | null;
  /** Such a line (made visible), with the game's own signs in it. */
  signs?: (line: string, t: Terms) => TemplateResult;
}
