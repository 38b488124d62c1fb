/** A position as the picture needs it: what all see, and of each house the most that the eye may know. */
import type { Eye, Json, Table, Terms, Told } from "../../replay/types";
import { label } from "../../replay/words";

/** A character on the board. */
export interface Person {
  id: string;
  field: string;
  traits: string[];
  /** Red chips, 0 to 4. */
  red: number;
  acted: boolean;
  new: boolean;
}

/** Tokens by trait; what there is none of is left out. */
export type Tokens = Record<string, number>;

export interface Court {
  setup: Json;
  t: Terms;
  eye: Eye;
  /** What no seat knows; null but for the eye that sees everything. */
  unseen: Json | null;
  news: Told[];
  /** A view of which only what all see is read. */
  at: Json;
  /** By seat: the house as its own view has it where the eye may see that, else as the eye's view has it. */
  houses: Json[];
  /** By seat: its view, null where the eye may not see it. */
  own: (Json | null)[];
  /** By seat: the name of its bot. */
  bots: string[];
  people: Map<string, Person>;
}

/** Of a game under way a view may lack anything that is not public. */
export function courtOf(table: Table): Court {
  const at = table.views.find((view) => view !== null) ?? {};
  const people: Person[] = at.characters ?? [];
  return {
    setup: table.setup,
    t: table.t,
    eye: table.eye,
    unseen: table.unseen,
    news: table.news,
    at,
    houses: table.seats.map((_, seat) => table.views[seat]?.houses?.[seat] ?? at.houses?.[seat] ?? {}),
    own: table.views,
    bots: table.seats.map((one) => label(one.bot, 24)),
    people: new Map(people.map((one) => [one.id, one])),
  };
}

export const seatOf = (id: string): number => Number(id[0]);

export const isMan = (id: string): boolean => id[1] === "M";

/** The first event of a kind in this step. */
export const happened = (c: Court, kind: string): Json | undefined => c.news.find((one) => one.kind === kind)?.body;

export const all = (c: Court, kind: string): Json[] => c.news.filter((one) => one.kind === kind).map((one) => one.body);

export const familyOf = (c: Court, seat: number): Person[] => [...c.people.values()].filter((one) => seatOf(one.id) === seat);

/** What a seat has answered while others still owe theirs; undefined where there is no answer or the eye may not know it. */
export const sealedOf = (c: Court, seat: number): string | undefined => c.own[seat]?.sealed ?? undefined;

export const ageOf = (c: Court, one: Person): string => `${c.t("word.age")} ${one.red} ${c.t("word.of")} 5`;

/** A character in words: `0M1, man, house 0: bow, sword, rule; age 2 of 5`. */
export function inWords(c: Court, one: Person): string {
  const traits = one.traits.map((trait) => c.t(`trait.${trait}`)).join(", ");
  const flags = [one.acted ? c.t("word.acted") : "", one.new ? c.t("word.new") : ""].filter(Boolean);
  const sex = c.t(`sex.${one.id[1]}`);
  return [`${one.id}, ${sex}, ${c.t("word.house")} ${seatOf(one.id)}: ${traits}`, ageOf(c, one), ...flags].join("; ");
}
