/** The evaluation of an event: what is compared, bid, paid or due, house by house, and who gets points (README, R31 to R33). */
import { html, nothing, svg, type TemplateResult } from "lit";
import type { Json } from "../../replay/types";
import { answer } from "./answers";
import { actionName, eventCard } from "./cards";
import { all, happened, sealedOf, type Court } from "./court";
import { figure, icon } from "./icons";
import { nameOf, token, tokens } from "./pieces";

const KINDS = ["bid", "pay", "hazard", "victim"];
const RESULTS = ["event", "measures", "bids", "due", "paid", "award"];

export function contest(c: Court): TemplateResult | typeof nothing {
  const decision = KINDS.includes(c.at.decision?.kind) ? c.at.decision : null;
  const over = c.news.some((one) => RESULTS.includes(one.kind));
  if (!decision && !over) return nothing;
  const id = decision?.event ?? happened(c, "event")?.event ?? happened(c, "award")?.event ?? c.at.evaluated?.at(-1);
  return html`<div class="part contest"><h3>${c.t("kind.event")}${decision ? html` · <span>${c.t(`decision.${decision.kind}`)}</span>` : nothing}</h3>
    <div class="body">${id ? eventCard(c, id) : nothing}
    <ul class="answers">${c.bots.map((_, seat) => line(c, seat, decision))}</ul></div></div>`;
}

function line(c: Court, seat: number, decision: Json | null): TemplateResult {
  const won = all(c, "award").filter((body) => body.seat === seat);
  const drew = all(c, "drew").filter((body) => body.seat === seat);
  return html`<li>${nameOf(c, seat)}<span class="tokens">${decision ? asked(c, seat, decision) : shown(c, seat)}</span>
    <span class="won">${won.map((body) => html`<b class="prize">${icon("star")}+${body.vp} ${c.t("word.vp")}</b>`)}
      ${drew.map((body) => html`<span class="chip card">${icon("card")}${body.card ? actionName(c, body.card) : "+1"}</span>`)}</span></li>`;
}

/** What is asked of a house now, and what it has answered. */
function asked(c: Court, seat: number, { kind, due, trait, missing, aged }: Json): TemplateResult {
  if (kind === "victim")
    return html`${missing[seat] ? html`${c.t("word.to_age")} ${missing[seat]}` : html`<span class="none">–</span>`}
      ${aged.filter((id: string) => Number(id[0]) === seat).map((id: string) => html`${figure(id)}<b>${id}</b>`)}`;
  const said = sealedOf(c, seat);
  const waits = (c.at.to_act ?? []).includes(seat);
  return html`${due ? html`${c.t("kind.due")} ${token(c, trait, due[seat])} ` : nothing}
    ${said === undefined ? html`<span class="none">${waits ? c.t("word.thinks") : c.t("word.sealed")}</span>` : html`<span class="secret">${answer(c, said)}</span>`}`;
}

/** What a house was measured at, has bid or has paid. */
function shown(c: Court, seat: number): TemplateResult | typeof nothing {
  const numbers: number[] | undefined = (happened(c, "measures")?.measures ?? happened(c, "bids")?.bids) as number[] | undefined;
  if (numbers) return bar(numbers[seat]!, Math.max(1, ...numbers));
  const paid = happened(c, "paid")?.paid;
  return paid ? html`${tokens(c, paid[seat])}` : nothing;
}

const bar = (n: number, most: number): TemplateResult =>
  html`<svg class="measure" viewBox="0 0 130 16" role="img" aria-label=${n}>${svg`<rect class="of" width="100" height="16" rx="3"/><rect class="is" width=${(100 * n) / most} height="16" rx="3"/><text x="108" y="13">${n}</text>`}</svg>`;
