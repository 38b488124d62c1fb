/** How a game came out: who won, what went wrong, and what is known of a game without its moves. Texts from outside are text. */
import { html, nothing } from "lit";
import type { TemplateResult } from "lit";
import { faults } from "./moves";
import type { Film } from "./fold";
import { seat } from "./seat";
import type { Entry } from "./source";
import type { Json, Seating, Terms, Told } from "./types";
import { label, visible } from "./words";

/** How a game ended: what is said of it in a replay and in a list of games alike. */
export interface Ending {
  verdict: string;
  /** Why it is void. */
  void: string | null;
  ranks: number[];
  scores: number[];
}

/** Who sat there, and for whom. */
export interface Player {
  bot: string;
  team: number;
}

/** Seats that play together, the best side first. */
interface Side {
  seats: number[];
  rank: number;
}

/** How a game ended; of one without replay too. */
export function result(players: Player[], end: Ending, t: Terms): TemplateResult {
  const why = html`<span class="small muted"> · ${end.verdict}${end.void ? `: ${words(end.void)}` : ""}</span>`;
  if (end.verdict === "void")
    return html`<div class="result"><p><strong>void</strong>${why}</p>
      <p class="small">It counts for nobody and is played again.</p></div>`;
  const all = sides(players, end.ranks);
  const first = all.filter((side) => side.rank === 0);
  return html`<div class="result">
    <p><strong>${first.length === 1 ? "won by " : "shared by "}${first.map(
      (side, at) => html`${at ? ", " : ""}${called(side, players, t)}`,
    )}</strong>${why}</p>
    <ol>${all.map((side) => html`<li>${side.rank + 1}. ${side.seats.map((at) => seat(t, at, players[at]!.bot))}
      <span class="muted">score ${[...new Set(side.seats.map((at) => end.scores[at]))].join(", ")}</span></li>`)}</ol>
  </div>`;
}

function sides(players: Player[], ranks: number[]): Side[] {
  const teams = [...new Set(players.map((one) => one.team))];
  const all = teams.map((team) => players.flatMap((one, at) => (one.team === team ? [at] : [])));
  return all.map((seats) => ({ seats, rank: ranks[seats[0]!]! })).sort((a, b) => a.rank - b.rank);
}

/** A side by its bots, and by its seats where there are several: `greedy (seats 0 and 2)`. */
function called({ seats }: Side, players: Player[], t: Terms): TemplateResult {
  const names = [...new Set(seats.map((at) => label(players[at]!.bot)))];
  const and = ` ${t("word.and")} `;
  const where = seats.length > 1 ? html` (${t("word.seats")} ${seats.join(and)})` : nothing;
  return html`${names.map((name, at) => html`${at ? and : ""}<bdi>${name}</bdi>`)}${where}`;
}

const words = (name: string) => name.replaceAll("_", " ");

/** Whether a fault is that a bot was not started at all: it is suspended, and its games are lost unplayed. */
export const isSuspension = ({ body }: Told): boolean => body.reason === "suspended";

/** Whether a seat's bot is asked: not where it was not started, nor, once all is over, where nothing is told against it. */
export function isAsked(film: Film, step: number, at: number): boolean {
  const own = faults(film, step, null).filter(({ body }) => body.seat === at);
  if (own.some(isSuspension)) return false;
  return own.some((told) => told.step === step) || !film.news(step, null).some(({ kind }) => kind === "@end");
}

/** What went wrong, with what is known of it. */
export function fault(told: Told, seats: Seating[], t: Terms): TemplateResult {
  const { seat: at, kind, reason, turn, evidence } = told.body as Json;
  const who = seat(t, at, seats[at]?.bot ?? "");
  if (isSuspension(told))
    return html`<div class="alert quiet" role="group" aria-label="Suspended">
      <strong>${who}: not started</strong> <span class="small muted">suspended, lost unplayed</span>
      <p class="small">${visible(evidence || "")}</p></div>`;
  return html`<div class="alert" role="group" aria-label="Fault">
    <strong>${who}: ${words(kind)}</strong>
    <span class="small muted">${turn ? `at its turn ${turn}` : "before its first turn"}</span>
    <p>${visible(reason)}</p>
    ${evidence ? html`<details open><summary class="small">Evidence</summary>
      <pre tabindex="0">${visible(evidence)}</pre></details>` : nothing}
  </div>`;
}

/** What is known of a game whose moves are not here. */
export function withoutReplay(id: string, { seats, verdict, held }: Entry, t: Terms): TemplateResult {
  const end = { verdict, void: null, ranks: seats.map((one) => one.rank), scores: seats.map((one) => one.score) };
  const faulty = (one: Entry["seats"][number], at: number) =>
    one.fault ? html`<p class="small">${seat(t, at, one.name)}: ${visible(words(one.fault))}</p>` : nothing;
  return html`${result(seats.map((one) => ({ bot: one.name, team: one.team })), end, t)}
    <div class="panel">${seats.map(faulty)}${held ? HELD : absent(id)}</div>`;
}

const HELD = html`<p>Its deal is still being played.</p>
  <p class="small muted">The moves can be seen once the last game on that deal is over.</p>`;

const absent = (id: string): TemplateResult => html`<p>The moves of this game are not among these pages.</p>
  <p class="small muted">In a terminal: <code>arena replay ${id.slice(0, 12)}</code>. In the pages:
    <code>arena site build ${label(document.documentElement.dataset["tournament"] ?? "TOURNAMENT")} -o DIR --replays all</code>.</p>`;
