/** Events folded into what each eye knows, without a rule of any game and without a page (referee/telling.py makes them). */
import type { Eye, Json, Told, Wire } from "./types";

/** [path, value] puts; [path] takes away; [path, from, values] ends a list before `from` and goes on with the values. */
export type Change = [path: (string | number)[]] | [(string | number)[], Json] | [(string | number)[], number, Json[]];

/** `view` after a change; it stays as it is, and what did not change is shared with it. */
export function changed(view: Json, change: Change, depth = 0): Json {
  const [path, value, rest] = change;
  if (depth === path.length) return change.length === 3 ? [...(view ?? []).slice(0, value), ...rest!] : value;
  const key = path[depth]!;
  const copy = Array.isArray(view) ? [...view] : view ? { ...view } : typeof key === "number" ? [] : {};
  if (change.length === 1 && depth === path.length - 1) delete copy[key];
  else copy[key] = changed(copy[key], change, depth + 1);
  return copy;
}

/** Whether who watches with this eye may see an event. */
export const sees = (eye: Eye, told: Told): boolean => eye === null || told.audience === null || told.audience.includes(eye);

interface Position {
  views: Json[];
  unseen: Json;
  told: Told[];
}

/** A game, folded step by step as its events come in; every step is kept, and shares what it has in common with the one before. */
export class Film {
  private positions: Position[];

  constructor(players: number) {
    this.positions = [{ views: Array.from({ length: players }, () => ({})), unseen: {}, told: [] }];
  }

  /** The last step that is known. */
  get last(): number {
    return this.positions.length - 1;
  }

  /** Takes up events, in order. */
  append(events: Iterable<Wire>): void {
    for (const [step, audience, kind, body] of events) {
      while (this.last < step) this.positions.push({ ...this.positions[this.last]!, told: [] });
      const now = this.positions[step]!;
      const told = { step, audience, kind, body };
      const fold = (view: Json) => (body as Change[]).reduce((at, change) => changed(at, change), view);
      if (kind === "@view") now.views = now.views.map((view, seat) => (sees(seat, told) ? fold(view) : view));
      else if (kind === "@unseen") now.unseen = fold(now.unseen);
      else now.told.push(told);
    }
  }

  /** By seat, its view after `step` actions; null where the eye may not see it. */
  views(step: number, eye: Eye): (Json | null)[] {
    return this.positions[step]!.views.map((view, seat) => (eye === null || eye === seat ? view : null));
  }

  /** What no seat knows; null but for the eye that sees everything. */
  unseen(step: number, eye: Eye): Json | null {
    return eye === null ? this.positions[step]!.unseen : null;
  }

  /** The events of a step that the eye may see; of one that was told with more and with less, the one with more. */
  news(step: number, eye: Eye): Told[] {
    const seen = this.positions[step]!.told.filter((told) => sees(eye, told));
    return seen.filter((told) => !seen.some((other) => poorer(told, other)));
  }
}

/** Whether `other` says all that `told` says, and something where that has null. */
function poorer(told: Told, other: Told): boolean {
  const keys = Object.keys(told.body ?? {});
  if (told === other || told.kind !== other.kind || told.audience === null) return false;
  const alike = (key: string) => JSON.stringify(told.body[key]) === JSON.stringify(other.body[key]);
  const less = (key: string) => told.body[key] === null && other.body[key] != null;
  return keys.some(less) && keys.every((key) => alike(key) || less(key));
}
