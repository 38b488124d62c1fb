/** A battle step by step: who fights, what each side may lay, clash by clash, and how it ends (README, R21 to R26). */
import { html, nothing, type TemplateResult } from "lit";
import type { Json } from "../../replay/types";
import { answer } from "./answers";
import { all, happened, sealedOf, seatOf, type Court } from "./court";
import { figure, icon } from "./icons";
import { nameOf, toDo, token, tokens } from "./pieces";

/** What is known of a battle from its decision and from what happened in this step. */
interface Fight {
  seats: [attacker: number, defender: number | null];
  field: string | null;
  fighters: [string[], string[]];
  decision: Json | null;
  over: Json | undefined;
}

const KINDS = ["commit", "lay", "aftermath", "retreat"];

function fightOf(c: Court): Fight | null {
  const decision = KINDS.includes(c.at.decision?.kind) ? c.at.decision : null;
  const [attack, over, chosen] = [happened(c, "attack"), happened(c, "battle"), happened(c, "aftermath")];
  if (!decision && !attack && !over && !chosen) return null;
  const attacker: number = decision?.attacker ?? (attack ? Number(attack.char[0]) : c.at.turn);
  const defender = decision?.defender ?? attack?.defender ?? otherOf(c, attacker, over);
  const char: string | undefined = decision?.char ?? attack?.char;
  const struck = [...new Set(c.news.filter((one) => STRIKES.includes(one.kind)).map((one): string => one.body.char))];
  const left = char ? [char] : struck.filter((id) => seatOf(id) === attacker);
  const right: string[] = decision?.defenders ?? attack?.defenders ?? decision?.survivors ?? struck.filter((id) => seatOf(id) !== attacker);
  const against = defender ?? (right[0] === undefined ? null : seatOf(right[0]));
  return { seats: [attacker, against], field: decision?.field ?? attack?.field ?? null, fighters: [left, right], decision, over };
}

/** What tells who has fought, once a battle is over. */
const STRIKES = ["chip", "died", "moved"];

/** Who has held against the attacker, as far as the end of a battle tells. */
function otherOf(c: Court, attacker: number, over: Json | undefined): number | null {
  if (over && over.winner !== null && over.winner !== attacker) return over.winner;
  return c.bots.length === 2 ? 1 - attacker : null;
}

/** Whether a battle has its part in the strip. */
export const fighting = (c: Court): boolean => fightOf(c) !== null;

export function battle(c: Court): TemplateResult | typeof nothing {
  const fight = fightOf(c);
  if (!fight) return nothing;
  return html`<div class="part battle"><h3>${icon("swords")} ${c.t("word.battle")}${fight.field ? html` ${c.t("word.on")} <b>${fight.field}</b>` : nothing}
      ${fight.decision?.mercenaries ? html`<span class="chip">${c.t("word.mercenaries")} +1</span>` : nothing}</h3>
    <div class="sides">${side(c, fight, 0)}${middle(c, fight)}${side(c, fight, 1)}</div>${outcome(c, fight)}</div>`;
}

function side(c: Court, fight: Fight, at: 0 | 1): TemplateResult {
  const seat = fight.seats[at];
  const role = c.t(at === 0 ? "word.attacker" : "word.defender");
  return html`<div class="side ${at ? "right" : "left"}">
    <div class="head"><small>${role}</small>${seat === null ? nothing : nameOf(c, seat)}</div>
    <div class="fighters">${fight.fighters[at].map((id) => fighter(c, id))}</div>
    ${stake(c, fight, at)}</div>`;
}

const fighter = (c: Court, id: string): TemplateResult =>
  html`<span class="one">${figure(id)}<b>${id}</b>${(c.people.get(id)?.traits ?? []).map((trait) => html`<span title=${c.t(`trait.${trait}`)}>${icon(trait)}</span>`)}</span>`;

/** What a side has committed: sealed, playable, or open once it is over. */
function stake(c: Court, fight: Fight, at: 0 | 1): TemplateResult | typeof nothing {
  const seat = fight.seats[at];
  if (fight.over) return html`<div class="stake"><small>${c.t("word.committed")}</small> ${tokens(c, fight.over.committed[at])}</div>`;
  if (seat === null || !fight.decision) return nothing;
  if (fight.decision.kind === "commit") return sealed(c, seat);
  if (fight.decision.kind !== "lay") return nothing;
  const { taught, playable } = fight.decision;
  const own = c.own[seat]?.committed;
  return html`<div class="stake"><small>${c.t("word.playable")}</small> ${own ? tokens(c, own) : html`<span class="chip back">? ${playable[at]}</span>`}
    ${taught[at].length ? html`<small>${c.t("word.taught")}</small> ${taught[at].map((trait: string) => token(c, trait))}` : nothing}</div>`;
}

/** A side's answer while the other still owes its own: what only it knows, or that it stands. */
function sealed(c: Court, seat: number): TemplateResult {
  const said = sealedOf(c, seat);
  const waits = (c.at.to_act ?? []).includes(seat);
  const held = Object.entries(c.own[seat]?.houses?.[seat]?.stash ?? {}).filter(([trait]) => ["bow", "sword", "magic"].includes(trait));
  if (said !== undefined) return html`<div class="stake"><small>${c.t("word.sealed")}</small> <span class="secret">${answer(c, said)}</span></div>`;
  return html`<div class="stake"><small>${waits ? c.t("word.to_commit") : c.t("word.sealed")}</small>
    ${waits && held.length ? html`${c.t("word.of")} ${held.map(([trait, n]) => token(c, trait, n as number))}` : nothing}</div>`;
}

/** The clashes so far, a pair each, and the wins. */
function middle(c: Court, fight: Fight): TemplateResult {
  const laid = happened(c, "laid");
  const pairs: [string, string][] = fight.decision?.laid
    ? fight.decision.laid[0].map((trait: string, at: number) => [trait, fight.decision.laid[1][at]])
    : laid ? [laid.traits] : [];
  const wins = fight.over?.wins ?? fight.decision?.wins ?? happened(c, "laid")?.wins;
  return html`<div class="clashes">
    ${wins ? html`<div class="wins" title=${c.t("word.wins")}><b>${wins[0]}</b><span>:</span><b>${wins[1]}</b></div>` : html`<div class="wins">${icon("swords")}</div>`}
    ${pairs.map(([one, other]) => html`<div class="clash">${token(c, one)}<span>×</span>${token(c, other)}</div>`)}
  </div>`;
}

function outcome(c: Court, fight: Fight): TemplateResult | typeof nothing {
  const { over, decision } = fight;
  const chosen = happened(c, "aftermath");
  const said = [
    happened(c, "attack")?.defenders.length === 0 ? html`<span>${c.t("word.undefended")}</span>` : nothing,
    over ? html`<span>${over.winner === null ? c.t("word.undecided") : html`${nameOf(c, over.winner)} ${c.t("word.winner")}`}</span>` : nothing,
    ...all(c, "died").map((body) => html`<span>${icon("cross")}<b>${body.char}</b> ${c.t("word.dies")}</span>`),
    chosen ? html`<span>${nameOf(c, chosen.seat)}: <b>${chosen.action.replace(":", " ")}</b></span>` : nothing,
    decision?.kind === "aftermath" ? html`<span>${toDo(c, nameOf(c, decision.attacker))}</span>` : nothing,
    decision?.kind === "retreat" ? html`<span>${toDo(c, html`<b>${decision.fleeing[0]}</b>`)}</span>` : nothing,
  ].filter((one) => one !== nothing);
  return said.length ? html`<p class="outcome">${said}</p>` : nothing;
}
