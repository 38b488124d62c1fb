/** Where the element gets what it shows: files beside the page (see src/data.ts). */
import { load } from "../data";
import { termsOf } from "./words";
import type { Replay, Terms } from "./types";

/** A game as data/games/<shard>.js has it. */
export interface Entry {
  variant: string;
  seats: { bot: string; name: string; score: number; rank: number; team: number; fault: string | null }[];
  verdict: string;
  deal: string;
  finished: string;
  /** There is one in the site. */
  replay: boolean;
  /** Games on its deal are still to be played, so that nobody may see it. */
  held?: boolean;
}

export interface Found {
  /** In full. */
  id: string;
  entry: Entry | null;
  replay: Replay | null;
}

const root = () => document.documentElement.dataset["root"] ?? "";

/** What the site has of a game, by its id or the beginning of it. Rejects where it has nothing. */
export async function find(id: string): Promise<Found> {
  if (!id) throw new Error("the address names none (it ends with # and the id of a game)");
  const digits = Number(document.documentElement.dataset["shard"] ?? 0);
  const shard = id.slice(0, digits) || "all";
  const games = await load<Record<string, Entry>>("games", shard, `${root()}data/games/${shard}.js`);
  const whole = Object.keys(games).find((key) => key.startsWith(id));
  if (whole === undefined) throw new Error(`there is no game ${id} in this site`);
  const entry = games[whole]!;
  return { id: whole, entry, replay: entry.replay ? await replayAt(whole, `${root()}replays/${whole}.js`) : null };
}

/** The replay file that the script at `src` brings. */
export const replayAt = (id: string, src: string): Promise<Replay> => load<Replay>("replay", id, src);

/** The terms of a game; without a catalogue every term is its own key. */
export async function terms(game: string, lang: string): Promise<Terms> {
  const all = await load<Record<string, Record<string, string>>>("terms", lang, `${root()}data/terms.js`).catch(() => ({}));
  return termsOf((all as Record<string, Record<string, string>>)[game] ?? {});
}

/** The page of a bot. */
export const botPage = (slug: string): string => `${root()}bots/${slug}.html`;
