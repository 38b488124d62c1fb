/** Event cards and action cards: the row, what lies behind it, the decks. */
import { html, nothing, type TemplateResult } from "lit";
import type { Json } from "../../replay/types";
import type { Court } from "./court";
import { icon } from "./icons";

/** What an event asks, as a sign; in words it stands under `ask.` (README, R33 and Q3). */
const SIGNS: Record<string, string> = {
  E01: "most", E02: "most", E03: "most", E04: "most", E05: "most", E06: "most", E07: "most", E08: "most",
  E09: "most", E10: "most", E11: "most", E12: "most", E13: "most", E14: "most", E15: "most", E16: "valour",
  E17: "rule", E18: "learning", E19: "bow", E20: "sword", E21: "magic", E22: "economy", E23: "luck",
  E24: "folly", E25: "coins", E26: "coins", E27: "coins", E28: "hazard", E29: "hazard", E30: "hazard",
  E31: "star", E32: "star", E33: "star", E34: "gift", crown: "crown", ring: "ring", shield: "shield",
  valour: "valour", rule: "rule", learning: "learning",
};

/** The sign and the line of an event; the nine traits have no luck to bid. */
function asked(c: Court, id: string): [string, string] {
  const bidsMoney = id === "E23" && !c.setup.traits.includes("luck");
  return bidsMoney ? ["money", c.t("ask.money")] : [SIGNS[id] ?? "scroll", c.t(`ask.${id}`)];
}

export const eventName = (c: Court, id: string): string => c.t(`card.${id}`);

/** A card with its name, what it asks, and what is to be said of it. */
export function eventCard(c: Court, id: string, ...notes: string[]): TemplateResult {
  const [sign, line] = asked(c, id);
  const tags = [...(/^E\d/.test(id) ? [id] : []), ...notes];
  return html`<div class="event">${icon(sign)}
    <div><b class="title">${eventName(c, id)}</b><p>${line}</p>${tags.length ? html`<span class="tag">${tags.join(" · ")}</span>` : nothing}</div></div>`;
}

/** The row: this round's card first. Who sees everything sees through those that lie face down. */
export const row = (c: Court): TemplateResult =>
  html`<ol class="row" aria-label=${c.t("word.row")}>${(c.at.row ?? []).map((card: Json, at: number) => {
    const known: string | undefined = card.id ?? c.unseen?.events?.[c.at.round - 1 + at];
    const notes = [at > 0 ? "" : c.at.round > 2 ? c.t("word.this_round") : c.t("word.not_scored"), card.up ? "" : c.t("card.none")].filter(Boolean);
    return html`<li class="${card.up ? "up" : "down"} ${at === 0 ? "now" : ""}">${known ? eventCard(c, known, ...notes) : faceDown(notes)}</li>`;
  })}</ol>`;

const faceDown = (notes: string[]): TemplateResult =>
  html`<div class="event">${icon("card")}<div><b class="title">?</b><br /><span class="tag">${notes.join(" · ")}</span></div></div>`;

/** Events that were evaluated, and the action cards. */
export function piles(c: Court): TemplateResult {
  const evaluated: string[] = c.at.evaluated ?? [];
  const past = evaluated.map((id) => html`<span class="chip" title=${asked(c, id)[1]}>${icon(asked(c, id)[0])}${eventName(c, id)}</span>`);
  const discard: string[] = c.at.actions?.discard ?? [];
  const next: string[] = c.unseen?.actions ?? [];
  return html`<dl class="piles">
    <div><dt>${c.t("word.evaluated")}</dt><dd>${past.length ? past : "–"}</dd></div>
    ${(c.setup.actions ?? []).length === 0
      ? nothing
      : html`<div><dt>${c.t("word.deck")}</dt><dd><span class="chip">${icon("card")}${c.at.actions?.deck ?? 0}</span>${next.length ? html`<small class="next">${c.t("word.next")} ${next.slice(0, 3).map((id) => actionName(c, id)).join(", ")}</small>` : nothing}</dd></div>
          <div><dt>${c.t("word.discard")}</dt><dd>${discard.length ? discard.map((id) => actionCard(c, id)) : "–"}</dd></div>`}
  </dl>`;
}

export const actionName = (c: Pick<Court, "t">, id: string): string => c.t(`card.${id}`);

export const actionCard = (c: Pick<Court, "t">, id: string): TemplateResult =>
  html`<span class="chip card" title=${id}>${icon("card")}${actionName(c, id)}</span>`;
