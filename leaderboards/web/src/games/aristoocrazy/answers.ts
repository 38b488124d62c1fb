/** The text of an action as it is sent, in signs and words: `commit:1,0,2`, `traits:bow+sword+rule`, `bid:3`. */
import { html, type TemplateResult } from "lit";
import type { Court } from "./court";
import { token } from "./pieces";

type Say = (c: Court, rest: string[]) => TemplateResult;

const list = (c: Court, traits: string): TemplateResult => html`${traits.split("+").map((trait) => token(c, trait))}`;

const COMBAT = ["bow", "sword", "magic"];

const SAY: Record<string, Say> = {
  traits: (c, [traits]) => list(c, traits!),
  bid: (c, [n]) => html`${c.t("decision.bid")} <b>${n}</b>`,
  pass: (c) => html`${c.t("word.pass")}`,
  pay: (c, [what]) => html`${c.t("word.pay")} ${what === undefined ? "" : /^\d/.test(what) ? html`<b>${what}</b>` : list(c, what)}`,
  commit: (c, [counts]) => stake(c, counts!.split(",").map(Number)),
  qcommit: (c, [trait, n]) => (n === undefined ? html`${c.t("word.none")}` : token(c, trait!, Number(n))),
  lay: (c, [trait]) => token(c, trait!),
};

function stake(c: Court, counts: number[]): TemplateResult {
  const some = COMBAT.flatMap((trait, at) => (counts[at] ? [token(c, trait, counts[at])] : []));
  return html`${some.length ? some : c.t("word.none")}`;
}

/** What a house has answered in secret; as it was sent where that is not known here. */
export function answer(c: Court, text: string): TemplateResult {
  const [kind, ...rest] = text.split(":");
  return SAY[kind!]?.(c, rest) ?? html`${text}`;
}
