/** Each house: its points, what lies behind its screen as far as the eye knows, its cards, counters and family. */
import { html, nothing, type TemplateResult } from "lit";
import { answer } from "./answers";
import { actionCard } from "./cards";
import { ageOf, all, familyOf, happened, inWords, sealedOf, type Court, type Person, type Tokens } from "./court";
import { badge, figure, icon } from "./icons";
import { token, tokens } from "./pieces";

export const houses = (c: Court): TemplateResult =>
  html`<section class="houses" aria-label=${c.t("word.houses")}>${c.bots.map((_, seat) => house(c, seat))}</section>`;

function house(c: Court, seat: number): TemplateResult {
  const turn = c.at.turn === seat;
  const deciding = (c.at.to_act ?? []).includes(seat);
  return html`<article class="house seat${seat} ${turn ? "turn" : ""}" aria-label="${c.t("word.house")} ${seat}">
    <header>${badge(seat)}<h3><bdi title=${c.bots[seat]}>${c.bots[seat]}</bdi></h3>${state(c, seat, turn, deciding)}${points(c, seat)}</header>
    ${screen(c, seat)}${hand(c, seat)}${sealed(c, seat)}${counters(c, seat)}${family(c, seat)}
  </article>`;
}

const state = (c: Court, seat: number, turn: boolean, deciding: boolean): TemplateResult | typeof nothing => {
  const rank = happened(c, "end")?.ranks?.[seat];
  if (rank !== undefined) return html`<span class="pill">${c.t("word.place")} ${rank + 1}</span>`;
  if (deciding) return html`<span class="pill on">${c.t("word.decides")}</span>`;
  return turn ? html`<span class="pill">${c.t("word.in_turn")}</span>` : nothing;
};

/** Victory points: its own count, or what all have seen it being awarded. */
function points(c: Court, seat: number): TemplateResult {
  const one = c.houses[seat];
  const vp = one.vp ?? one.known?.vp;
  const won = all(c, "award").filter((body) => body.seat === seat).reduce((sum, body) => sum + body.vp, 0);
  return html`<span class="vp" title=${one.vp === undefined ? c.t("word.awarded_openly") : nothing}>
    ${won ? html`<em>+${won}</em>` : nothing}<b>${vp ?? "?"}</b><small>${c.t("word.vp")}</small></span>`;
}

/** The stash: by trait what the eye knows, and how much of it is unknown. */
function screen(c: Court, seat: number): TemplateResult {
  const one = c.houses[seat];
  const tokens: Tokens = one.stash ?? one.known?.stash ?? {};
  const unknown: number = one.stash ? 0 : (one.known?.unknown ?? one.stash_size ?? 0);
  const guessed = one.stash ? "" : "guessed";
  const held = c.setup.traits.filter((trait: string) => tokens[trait]);
  return html`<div class="line"><span class="of">${c.t("word.stash")} <b>${one.stash_size ?? "?"}</b></span>
    <span class="tokens ${guessed}">${held.map((trait: string) => token(c, trait, tokens[trait]!))}
      ${unknown > 0 ? html`<span class="chip back" title=${c.t("word.unseen_kinds")}>? ${unknown}</span>` : nothing}
      ${unknown < 0 ? html`<span class="chip back" title=${c.t("word.gone_unseen")}>−${-unknown}</span>` : nothing}
      ${held.length || unknown ? nothing : html`<span class="none">–</span>`}</span></div>`;
}

function hand(c: Court, seat: number): TemplateResult | typeof nothing {
  if ((c.setup.actions ?? []).length === 0) return nothing;
  const one = c.houses[seat];
  const seen: string[] = one.hand ?? one.known?.hand ?? [];
  const unseen = (one.hand_size ?? seen.length) - seen.length;
  return html`<div class="line"><span class="of">${c.t("word.hand")} <b>${one.hand_size ?? "?"}</b></span>
    <span class="tokens">${seen.map((id) => actionCard(c, id))}
      ${Array.from({ length: Math.max(unseen, 0) }, () => html`<span class="chip back">${icon("card")}?</span>`)}
      ${seen.length || unseen > 0 ? nothing : html`<span class="none">–</span>`}</span></div>`;
}

/** An answer that the others do not know yet, and what is committed to a battle. */
function sealed(c: Court, seat: number): TemplateResult | typeof nothing {
  const own = c.own[seat];
  const said = sealedOf(c, seat);
  if (said === undefined && !own?.committed) return nothing;
  return html`<div class="line secret">
    ${said === undefined ? nothing : html`<span class="of">${c.t("word.sealed")}</span><span class="tokens">${answer(c, said)}</span>`}
    ${own?.committed ? html`<span class="of">${c.t("word.playable")}</span><span class="tokens">${tokens(c, own.committed)}</span>` : nothing}</div>`;
}

function counters(c: Court, seat: number): TemplateResult {
  const one = c.houses[seat];
  const quick = (c.setup.actions ?? []).length === 0;
  const count = (sign: string, what: string, n: number | undefined) =>
    html`<span class="count" title=${what}>${icon(sign)}<b>${n ?? "?"}</b> ${what}</span>`;
  return html`<div class="counters">
    ${count("flag", c.t("word.crests"), one.crests_left)}${count("trophy", c.t("word.trophies"), one.trophies)}
    ${quick ? count("swords", c.t("word.battles_won"), one.battles_won) : count("drop", c.t("word.wounds"), one.wounds)}
    ${one.attacked ? html`<span class="flag">${c.t("word.attacked")}</span>` : nothing}
    ${one.gained_land ? html`<span class="flag">${c.t("word.gained_land")}</span>` : nothing}
    ${one.heirs_born ? html`<span class="flag">${c.t("word.heir")} ${one.heirs_born}</span>` : nothing}
  </div>`;
}

/** The family as a list, for screens on which the board is too small for it. */
function family(c: Court, seat: number): TemplateResult {
  const gone = all(c, "died").filter((body) => Number(body.char[0]) === seat);
  return html`<ul class="family">${familyOf(c, seat).map((one) => relative(c, one))}
    ${gone.map((body) => html`<li class="gone">${figure(body.char)}<b>${body.char}</b> ${icon("cross")} ${c.t("kind.died")}</li>`)}</ul>`;
}

const relative = (c: Court, one: Person): TemplateResult =>
  html`<li title=${inWords(c, one)}>${figure(one.id, one.acted)}<b>${one.field}</b>
    <span class="traits">${one.traits.map((trait) => html`<span>${icon(trait)}${c.t(`trait.${trait}`)}</span>`)}</span>
    <span class="age" title=${ageOf(c, one)}>${"●".repeat(one.red)}${"○".repeat(5 - one.red)}</span>${one.new ? icon("star") : nothing}</li>`;
