/** What many parts of the picture are put together from: names of houses, tokens. */
import { html, nothing, type TemplateResult } from "lit";
import type { Court, Tokens } from "./court";
import { badge, icon } from "./icons";

/** A house by its crest and its bot. */
export const nameOf = (c: Court, seat: number): TemplateResult =>
  html`<span class="who seat${seat}">${badge(seat)}<bdi>${c.bots[seat]}</bdi></span>`;

/** Who is to decide what: `greedy is to move`. */
export function toDo(c: Court, who: TemplateResult | string): TemplateResult {
  const said = c.t("word.turn");
  const [before, after] = (said.includes("{seat}") ? said : "{seat} is to {decision}").split("{seat}");
  return html`${before}${who}<span>${after!.replace("{decision}", c.t(`decision.${c.at.decision.kind}`))}</span>`;
}

/** Tokens of a trait: `bow 2`. */
export const token = (c: Court, trait: string, count?: number): TemplateResult =>
  html`<span class="chip token">${icon(trait)}${c.t(`trait.${trait}`)}${count === undefined ? nothing : html` <b>${count}</b>`}</span>`;

export const tokens = (c: Court, held: Tokens): TemplateResult[] | TemplateResult =>
  Object.keys(held).length ? Object.entries(held).map(([trait, n]) => token(c, trait, n)) : html`<span class="none">–</span>`;
