/** What is going on, in a strip above the board: what came of the last action, and what is to be decided now. */
import { html, nothing, type TemplateResult } from "lit";
import type { Json } from "../../replay/types";
import { battle, fighting } from "./battles";
import { actionName } from "./cards";
import { contest } from "./contests";
import { all, happened, sealedOf, type Court } from "./court";
import { die, figure, icon } from "./icons";
import { nameOf, toDo, token, tokens } from "./pieces";
import { answer } from "./answers";

export function scene(c: Court): TemplateResult {
  const parts = [...news(c), battle(c), contest(c), decision(c)].filter((part) => part !== nothing);
  return html`<section class="scene" aria-label=${c.t("word.scene")}>${parts}</section>`;
}

/** A part of the strip under its heading. */
export const part = (kind: string, heading: unknown, ...body: unknown[]): TemplateResult =>
  html`<div class="part ${kind}"><h3>${heading}</h3><div class="body">${body}</div></div>`;

/** The traits of somebody, as signs with their names. */
export const traits = (c: Court, names: string[]): TemplateResult =>
  html`<span class="tokens">${names.map((name) => token(c, name))}</span>`;

const PEOPLE: [kind: string, draw: (c: Court, body: Json) => TemplateResult | typeof nothing][] = [
  ["consent", (c, body) => part("", c.t("word.courtship"), nameOf(c, body.seat), html`<b>${c.t(body.consent ? "word.yes" : "word.no")}</b>`)],
  ["rolled", (c, body) => rolled(c, body)],
  ["born", (c, body) => born(c, body)],
  ["taken", (c, body) => taken(c, body)],
  ["card", (c, body) => part("", c.t("kind.card"), nameOf(c, body.seat), html`<span class="chip card">${icon("card")}${actionName(c, body.card)}</span>`, html`<b>${(body.action ?? "").split(":").slice(2).join(" ")}</b>`)],
  ["spied", (c, body) => spied(c, body)],
  ["stolen", (c, body) => part("", c.t("kind.stolen"), nameOf(c, body.seat), body.trait ? token(c, body.trait, 1) : html`<span class="chip back">? 1</span>`, c.t("word.from"), nameOf(c, body.from))],
  ["died", (c, body) => fighting(c) ? nothing : part("death", c.t("kind.died"), figure(body.char), html`<b>${body.char}</b>`, body.by === null ? nothing : html`${c.t("word.by")} ${nameOf(c, body.by)}`)],
];

/** What has just happened to people and tokens; battles and events have parts of their own. */
function news(c: Court): (TemplateResult | typeof nothing)[] {
  const ended = happened(c, "end");
  const first = happened(c, "setup");
  return [
    ended ? ending(c, ended) : nothing,
    first ? pairs(c, first) : nothing,
    ...PEOPLE.flatMap(([kind, draw]) => all(c, kind).map((body) => draw(c, body))),
  ];
}

const ending = (c: Court, { vp, ranks }: Json): TemplateResult =>
  part("ending", c.t("word.over"), html`<ol class="places">${[...c.bots.keys()]
    .sort((one, other) => ranks[one] - ranks[other])
    .map((seat) => html`<li><b>${ranks[seat] + 1}.</b> ${nameOf(c, seat)} <b>${vp[seat]}</b> ${c.t("word.vp")}</li>`)}</ol>`);

const pairs = (c: Court, { houses }: Json): TemplateResult =>
  part("", c.t("kind.setup"), houses.map((one: Json, seat: number) =>
    html`<div class="row-of">${nameOf(c, seat)}${figure(`${seat}M1`)}${traits(c, one.man)}${figure(`${seat}F1`)}${traits(c, one.woman)}</div>`));

const dice = (c: Court, colour: string, faces: number[], shown: string[]): TemplateResult =>
  html`<span class="dice">${faces.map((face, at) => html`<span class="cast">${die(colour, face)}${icon(shown[at]!)}<small>${c.t(`trait.${shown[at]}`)}</small></span>`)}</span>`;

/** Dice that lie; those of which one may be rolled again are part of that decision. */
const rolled = (c: Court, body: Json): TemplateResult | typeof nothing =>
  c.at.decision?.kind === "reroll" && c.at.decision.die === body.die ? nothing : part("", c.t(`die.${body.die}`), dice(c, body.die, body.dice, body.traits));

function born(c: Court, { char, field, traits: own, why, parents }: Json): TemplateResult {
  const couple = parents.length ? html`<span class="couple">${someone(c, parents[0])}${icon("heart")}${someone(c, parents[1])}</span>` : nothing;
  return part("birth", html`${icon("star")} ${c.t(`why.${why}`)}`, couple, figure(char), html`<b>${char}</b> ${c.t("word.on")} <b>${field}</b>`, traits(c, own));
}

/** A character, or a stranger whom dice have made. */
const someone = (c: Court, id: string | null): TemplateResult =>
  id === null ? html`<i>${c.t("parent.none")}</i>` : html`<span class="one">${figure(id)}<b>${id}</b></span>`;

const taken = (c: Court, body: Json): TemplateResult =>
  part("", c.t(`why.${body.why}`), nameOf(c, body.seat), body.char ? figure(body.char) : nothing,
    body.traits ? body.traits.map((trait: string) => html`+ ${token(c, trait)}`) : html`<span class="chip back">? ${body.count}</span>`);

const spied = (c: Court, body: Json): TemplateResult =>
  part("", c.t("kind.spied"), nameOf(c, body.seat), c.t("word.behind_screen"), nameOf(c, body.of),
    body.stash ? html`<span class="tokens">${tokens(c, body.stash)}${body.hand.map((id: string) => html`<span class="chip card">${actionName(c, id)}</span>`)}</span>` : nothing);

/** Decisions that have no part of their own, by what they are about. */
const ABOUT: Record<string, (c: Court, about: Json) => unknown> = {
  setup_man: (c) => drafts(c),
  setup_woman: (c) => drafts(c),
  restore: (c) => html`<span class="none">${c.t("word.nobody_left")}</span>`,
  reroll: (c, about) => [couple(c, about), dice(c, about.die, about.dice, about.traits), about.slots ? slots(c, about.slots) : nothing],
  heir: (c, about) => [couple(c, about), traits(c, about.traits)],
  consent: (c, about) => couple(c, about),
  dowry: (c, about) => [couple(c, about), traits(c, c.people.get(about.char)?.traits ?? [])],
};

const SHOWN_ELSEWHERE = ["commit", "lay", "aftermath", "retreat", "bid", "pay", "hazard", "victim"];

function decision(c: Court): TemplateResult | typeof nothing {
  const about = c.at.decision;
  if (!about || SHOWN_ELSEWHERE.includes(about.kind)) return nothing;
  const waiting: number[] = c.at.to_act ?? [];
  const heading = waiting.length === 1 ? toDo(c, nameOf(c, waiting[0]!)) : c.t(`decision.${about.kind}`);
  return part("ask", heading, ABOUT[about.kind]?.(c, about) ?? plain(c));
}

/** Who can still do something in a turn. */
function plain(c: Court): unknown {
  const free = [...c.people.values()].filter((one) => Number(one.id[0]) === c.at.turn && !one.acted);
  const hired = c.at.mercenaries ? html`<span class="chip">${icon("swords")}${c.t("word.mercenaries")}</span>` : nothing;
  return [free.length ? free.map((one) => someone(c, one.id)) : html`<span class="none">${c.t("word.all_acted")}</span>`, hired];
}

const couple = (c: Court, { char, partner, field }: Json): TemplateResult =>
  html`<span class="couple">${char ? html`${someone(c, char)}${icon("heart")}${someone(c, partner)}` : nothing} ${c.t("word.on")} <b>${field}</b></span>`;

const slots = (c: Court, six: string[]): TemplateResult =>
  html`<span class="slots" title=${c.t("word.faces")}>${six.map((trait, at) => html`<span>${at + 1} ${icon(trait)}</span>`)}</span>`;

/** The draft: what is chosen, where the eye may see it. */
const drafts = (c: Court): TemplateResult[] =>
  c.bots.map((_, seat) => {
    const man: string[] | undefined = c.own[seat]?.decision?.man;
    const said = sealedOf(c, seat);
    const waits = (c.at.to_act ?? []).includes(seat);
    return html`<div class="row-of">${nameOf(c, seat)}${man ? html`${figure(`${seat}M1`)}${traits(c, man)}` : nothing}
      ${said ? html`<span class="tokens secret">${answer(c, said)}</span>` : html`<span class="none">${waits ? c.t("word.thinks") : c.t("word.sealed")}</span>`}</div>`;
  });

