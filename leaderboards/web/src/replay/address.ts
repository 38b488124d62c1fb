/** A position in the address of the page: `#game=<id>&step=12&seat=1`, or a game alone: `#<id>`. */
import type { Eye } from "./types";

export interface Place {
  /** An id, or its first digits; null where the fragment is no game's (that of a skip link). */
  game: string | null;
  step: number | null;
  eye: Eye;
}

/** What a fragment says; null where it says nothing. */
export function place(hash: string): Place {
  const said = hash.replace(/^#/, "");
  const fields = new URLSearchParams(said.includes("=") ? said : `game=${said}`);
  const number = (key: string) => (/^\d{1,6}$/.test(fields.get(key) ?? "") ? Number(fields.get(key)) : null);
  const game = (fields.get("game") ?? "").toLowerCase();
  return { game: /^[0-9a-f]{4,64}$/.test(game) ? game : null, step: number("step"), eye: number("seat") };
}

/** The fragment that leads to a position. */
export function fragment(game: string, step: number, eye: Eye): string {
  return `#game=${encodeURIComponent(game)}&step=${step}${eye === null ? "" : `&seat=${eye}`}`;
}
