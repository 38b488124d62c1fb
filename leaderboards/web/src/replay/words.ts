/** Words for people: terms of a game, its events as sentences (referee/wording.py), times, and texts from outside. */
import type { Json, Terms, Told } from "./types";

const FIELD = /\{(\w+)(?:\.(\d))?(?::(\w+))?\}/g;

/** The terms of a catalogue; a key that it has not got stands for its own last part. */
export const termsOf =
  (catalogue: Record<string, string>): Terms =>
  (key) => (Object.hasOwn(catalogue, key) ? catalogue[key]! : key.slice(key.lastIndexOf(".") + 1));

/** An event as a sentence by the template `say.<kind>`; null where there is none. */
export function sentence({ kind, body }: Told, t: Terms): string | null {
  const whole = t(`say.${kind}`);
  if (whole === kind) return null;
  const bare = t(`say.${kind}.none`);
  const lacks = [...whole.matchAll(FIELD)].some(([, field]) => body[field!] == null);
  const template = lacks && bare !== "none" ? bare : whole;
  return template.replace(FIELD, (_, field: string, index?: string, family?: string) => {
    const value = index === undefined ? body[field] : body[field]?.[Number(index)];
    return words(t, value, family ?? "");
  });
}

/** A value of an event, its words looked up in `family` where there is one; the same as referee/wording.py says. */
function words(t: Terms, value: Json, family: string, inside = false): string {
  if (value === null || value === undefined) return term(t, family, "none") ?? "-";
  if (typeof value === "boolean") return words(t, value ? "yes" : "no", family);
  if (Array.isArray(value)) return list(t, value, family, inside);
  if (typeof value !== "object") return family ? known(t, family, String(value)) : String(value);
  if ("id" in value) return words(t, value.id, family);
  const pairs = Object.entries(value).map(([key, one]) => `${words(t, key, family)} ${words(t, one, family, true)}`);
  const sign = Object.values(value).some(Array.isArray) ? " " : inside ? "+" : ", ";
  return pairs.join(sign) || nothing(t);
}

function list(t: Terms, values: Json[], family: string, inside: boolean): string {
  const parts = values.map((one) => words(t, one, family, true));
  const apart = values.some((one) => one !== null && typeof one === "object") || parts.some((part) => part.includes(" "));
  return parts.join(apart ? ", " : inside ? "+" : " ") || (term(t, family, "empty") ?? nothing(t));
}

const term = (t: Terms, family: string, key: string) => (t(`${family}.${key}`) === key ? null : t(`${family}.${key}`));
const known = (t: Terms, family: string, value: string) =>
  term(t, family, value) ?? term(t, "word", value) ?? term(t, "card", value) ?? value;
const nothing = (t: Terms) => term(t, "word", "none") ?? "-";

/** A duration in ms for people; null: not known. */
export function duration(ms: number | null | undefined): string {
  if (ms === null || ms === undefined) return "–";
  if (ms < 1000) return `${ms < 10 ? Math.round(ms * 10) / 10 : Math.round(ms)} ms`;
  return ms < 60_000 ? `${Math.round(ms / 100) / 10} s` : `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
}

/** A text from outside: whatever cannot be seen, or turns the writing, as its number; lines stay lines. */
export const visible = (text: string): string => text.normalize("NFC").replace(UNSEEN, escaped);

/** Controls, format characters, half surrogates; line ends that are none of ours; blanks that pass for letters; stacks of accents. */
const UNSEEN = /[^\P{C}\n]|[\p{Zl}\p{Zp}\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0]|\p{M}{4,}/gu;

/** The name of somebody, in one line; a long one is cut in its middle, as versions differ at the end. */
export const label = (text: string, most = 64): string => {
  const shown = visible(text.replace(/\n/g, "\\n"));
  const half = Math.floor((most - 1) / 2);
  return shown.length > most ? `${shown.slice(0, most - 1 - half)}…${shown.slice(-half)}` : shown;
};

const escaped = (found: string) =>
  Array.from(found, (letter) => `\\u${letter.codePointAt(0)!.toString(16).padStart(4, "0")}`).join("");
