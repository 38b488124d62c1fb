/** Claim as cards on a table, drawn from what a view says and from nothing else. */
import { html, nothing } from "lit";
import type { TemplateResult } from "lit";
import type { GameView, Json, Table, Terms, Told } from "../replay/types";
import { label, sentence } from "../replay/words";
import { back, card, chip, emblem, fan } from "./claim/cards";
import { styles } from "./claim/styles";

type Part = TemplateResult | typeof nothing;

/** A table and what everybody at it knows: any view that the eye may see. */
interface Scene extends Table {
  all: Json;
  factions: string[];
  teams: number[];
}

function draw(table: Table): TemplateResult {
  const all = table.views.find((view) => view)!;
  const factions = [...new Set<string>(table.setup.deck.map((one: string) => one[0]))];
  const scene: Scene = { ...table, all, factions, teams: table.setup.teams };
  const [near, far] = places(table.seats.length, table.eye ?? 0);
  return html`<div class="claim p${table.seats.length} ${table.eye === null ? "" : "seen"}">
    <div class="row far">${far.map((seat) => place(scene, seat))}</div>
    <div class="middle">${stock(scene)}${trick(scene)}${votes(scene)}</div>
    <div class="row near">${near.map((seat) => place(scene, seat))}</div>
  </div>`;
}

/** Who sits on this side of the table and who beyond: seats follow each other clockwise. */
function places(players: number, own: number): [near: number[], far: number[]] {
  const turn = Array.from({ length: players }, (_, at) => (own + at) % players);
  return players === 4 ? [[turn[0]!, turn[3]!], [turn[1]!, turn[2]!]] : [[turn[0]!], turn.slice(1)];
}

// a seat

function place(scene: Scene, seat: number): TemplateResult {
  const { all, t } = scene;
  const turn = all.to_act.includes(seat);
  return html`<section class="place of${seat} ${turn ? "turn" : ""}" aria-label="${t("word.seat")} ${seat}">
    <div class="plate">
      <span class="who"><b>${t("word.seat")} ${seat}</b> <bdi title=${label(scene.seats[seat]!.bot)}>${label(scene.seats[seat]!.bot, 24)}</bdi></span>
      ${partner(scene, seat)}
      ${all.trick.leader === seat && all.decision ? html`<span class="tag">${t("word.leader")}</span>` : nothing}
      ${turn && all.decision ? html`<span class="tag act">▸ ${t(`decision.${all.decision}`)}</span>` : nothing}
      ${lacks(scene, seat)}
      <span class="count" title=${t("word.votes_now")}>${t("word.votes")} <b>${votesOf(scene, seat)}</b></span>
    </div>
    ${hand(scene, seat)}
    <div class="belongings">
      ${followers(scene, seat)}${pile(scene, seat)}${gnomes(scene, seat)}${left(scene, seat)}
    </div>
  </section>`;
}

function partner({ teams, t }: Scene, seat: number): Part {
  const mate = teams.findIndex((team, other) => other !== seat && team === teams[seat]);
  return mate < 0 ? nothing : html`<span class="tag">+ ${t("word.seat")} ${mate}</span>`;
}

function lacks({ all, t }: Scene, seat: number): Part {
  const letters: string[] = [...all.voids[seat]];
  if (letters.length === 0) return nothing;
  const signs = letters.map((one) => html`<span title=${t(`faction.${one}`)}>${emblem(one)}${one}</span>`);
  return html`<span class="tag lacks">${t("word.voids")} ${signs}</span>`;
}

const votesOf = ({ all, teams }: Scene, seat: number): number =>
  Object.values(all.votes).filter((team) => team === teams[seat]).length;

/** A row of what a seat has, with its name and number. */
const row = (name: string, count: number, things: TemplateResult | TemplateResult[], kind = ""): TemplateResult =>
  html`<div class="held ${kind}"><span class="cap">${name} <b>${count}</b></span>${things}</div>`;

/** Cards that are known with what is only counted. */
function held(t: Terms, seen: string[], count: number, name: string, kind: string): TemplateResult {
  const cards = fan(seen, Math.max(0, count - seen.length), `${name}: ${count}`, t, kind);
  return row(name, count, cards, seen.length ? kind : `${kind} closed`);
}

function hand({ all, views, t }: Scene, seat: number): TemplateResult {
  const known: string[] = all.phase === "favour" ? all.known[seat] : []; // what was recruited is the hand by then
  return held(t, views[seat]?.hand ?? known, all.hands[seat], t("word.hand"), "");
}

function followers({ all, views, t }: Scene, seat: number): Part {
  if (all.phase !== "recruit") return nothing;
  return held(t, views[seat]?.recruited ?? all.known[seat], all.followers[seat], t("word.followers"), "small");
}

function gnomes({ all, t }: Scene, seat: number): Part {
  const alive: string[] = all.rows[seat];
  return alive.length ? held(t, alive, alive.length, t("word.gnomes"), "small") : nothing;
}

/** The score pile by faction, the highest cards first. */
function pile({ all, factions, news, t }: Scene, seat: number): TemplateResult {
  const cards: string[] = all.piles[seat];
  const taken = news.flatMap(({ kind, body }) => (kind === "capture" && body.seat === seat ? body.cards : []));
  const fresh = new Set(taken.map((one: string) => one[0]));
  const heaps = factions.map((letter) => heap(letter, cards, fresh.has(letter), t));
  const things = cards.length ? heaps : html`<span class="none">–</span>`;
  return row(t("word.pile"), cards.length, html`<div class="heaps">${things}</div>`);
}

function heap(letter: string, cards: string[], fresh: boolean, t: Terms): Part {
  const values = cards.filter((one) => one[0] === letter).map((one) => one.slice(1));
  if (values.length === 0) return nothing;
  values.sort().reverse();
  const name = t(`faction.${letter}`);
  return html`<span class="heap of-${letter} ${fresh ? "new" : ""}" role="img" title=${name}
    aria-label="${name}: ${values.join(", ")}">${emblem(letter)}<b>${letter}</b> ${values.join(" ")}</span>`;
}

/** What it looked at as a Seer's winner and left to others. */
function left({ views, t }: Scene, seat: number): Part {
  const cards: [trick: number, card: string, got: number][] = views[seat]?.left ?? [];
  if (cards.length === 0) return nothing;
  const things = cards.map(([, one, got]) => html`${chip(one, t)}<span class="none">${t("word.seat")} ${got}</span>`);
  return row(t("word.left"), cards.length, html`<div class="heaps">${things}</div>`);
}

// the middle

function stock(scene: Scene): TemplateResult {
  const { all, unseen, views, t } = scene;
  const looked = (view: Json, seat: number) =>
    view?.look ? lying(`${t("word.seat")} ${seat}: ${t("word.look")}`, [view.look], t) : nothing;
  return html`<div class="stock">
    ${all.deck ? html`<figure><div class="lie pack">${back("small")}<b>${all.deck}</b></div>
      <figcaption>${t("word.deck")}</figcaption></figure>` : nothing}
    ${lying(t("word.faceup"), all.faceup, t)}${views.map(looked)}
    ${lying(t("word.trolls_out"), all.out, t)}${lying(t("faction.A"), all.giants, t)}
    ${lying(t("word.removed"), all.removed, t)}
    ${unseen?.deck?.length ? html`<details class="order"><summary>${t("word.deck")}, ${t("word.top_first")}</summary>
      <div>${unseen.deck.map((one: string) => chip(one, t))}</div></details>` : nothing}
  </div>`;
}

const lying = (name: string, cards: string[], t: Terms): Part =>
  cards.length === 0
    ? nothing
    : html`<figure><div class="lie">${cards.map((one) => card(one, t, "small"))}</div>
        <figcaption>${name}</figcaption></figure>`;

/** The trick under way; until its first card lies there, the one before. */
function trick(scene: Scene): TemplateResult {
  const { all, setup, t } = scene;
  const last = all.tricks.at(-1);
  const before = all.trick.plays.length === 0 && last !== undefined;
  const shown = before ? last : all.trick;
  const next: number[] = !before && all.decision === "play" ? all.to_act : [];
  const which = before ? `${t(all.decision ? "word.trick_before" : "word.final_trick")}, ` : "";
  const led = html`<p class="led">${which}${t("word.led")}: ${emblem(shown.led ?? "")}
    ${t(`faction.${shown.led}`)}</p>`;
  return html`<div class="trick ${before ? "before" : ""}">
    <p class="cap">${t(`phase.${all.phase}`)}, ${t("word.trick")} <b>${all.trick_number}</b> / ${setup.cards_each}</p>
    <div class="plays">
      ${shown.plays.map(([seat, one]: [number, string]) => played(scene, shown, seat, one))}
      ${next.map((seat) => html`<figure class="of${seat}"><div class="slot"></div>
        <figcaption><span class="dot"></span>${t("word.seat")} ${seat}</figcaption></figure>`)}
    </div>
    ${shown.plays.length ? led : nothing}
  </div>`;
}

function played(scene: Scene, shown: Json, seat: number, name: string): TemplateResult {
  const { news, t } = scene;
  const won = shown.ranking[0] === seat;
  const fresh = news.some(({ kind, body }) => kind === "play" && body.seat === seat && body.card === name);
  const got: string | null | undefined = shown.recruits?.[seat];
  return html`<figure class="of${seat} ${won ? "won" : ""} ${fresh ? "new" : ""}">
    ${card(name, t)}
    <figcaption><span class="dot"></span>${t("word.seat")} ${seat} <em>${standing(shown, seat, t)}</em>
      ${got ? html`<span class="got">+ ${chip(got, t)}</span>` : nothing}</figcaption>
  </figure>`;
}

/** What a card means in its trick: who leads, wins, comes second of more than two. */
function standing(shown: Json, seat: number, t: Terms): string {
  const rank: number = shown.ranking.indexOf(seat);
  if (rank === 0) return t("word.winner");
  if (rank < 0) return shown.leader === seat ? t("word.leader") : "";
  return shown.ranking.length > 2 ? t(`ordinal.${rank + 1}`) : "";
}

/** By faction, what each side has of it, and whose vote it is as things stand. */
function votes({ all, factions, teams, t }: Scene): TemplateResult {
  const sides = [...new Set(teams)];
  const members = (side: number) => teams.flatMap((team, seat) => (team === side ? [seat] : []));
  const cards = (side: number): string[] => members(side).flatMap((seat) => [...all.piles[seat], ...all.rows[seat]]);
  const cell = (side: number, letter: string) => {
    const has = all.votes[letter] === side;
    const count = cards(side).filter((one) => one[0] === letter).length;
    return html`<td class="of${side} ${has ? "has" : ""}">${count}${has ? html`<i class="unseen"> ${t("word.has_vote")}</i>` : nothing}</td>`;
  };
  return html`<table class="votes">
    <caption class="cap">${t("word.votes")}</caption>
    <thead><tr><td></td>${sides.map((side) => html`<th scope="col" class="of${side}">
      <span class="dot"></span>${members(side).join("+")}</th>`)}</tr></thead>
    <tbody>${factions.map((letter) => html`<tr><th scope="row">${emblem(letter)} ${t(`faction.${letter}`)}</th>
      ${sides.map((side) => cell(side, letter))}</tr>`)}</tbody>
  </table>`;
}

// words

/** A deal is seen on the table. */
const story = (told: Told, t: Terms): string | null => (told.kind === "deal" ? null : sentence(told, t));

const signs = (line: string, t: Terms): TemplateResult =>
  html`${line.split(/\b([GKUWXNATDS]\d)\b/).map((part, at) => (at % 2 ? chip(part, t) : part))}`;

export const claim: GameView = { draw, styles, story, signs };
