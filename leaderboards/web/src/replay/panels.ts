/** What stands around the picture: who plays, clocks, what may be done, moves, notes, logs. Texts from outside are text. */
import { html, nothing } from "lit";
import type { TemplateResult } from "lit";
import type { Clock, Move } from "./moves";
import type { Ending } from "./outcome";
import { seat } from "./seat";
import { botPage } from "./source";
import type { Eye, GameView, Replay, Seating, Terms, Told } from "./types";
import { duration, label, visible } from "./words";

type Part = TemplateResult | typeof nothing;

const bot = (name: string, slug?: string) =>
  slug
    ? html`<a href=${botPage(slug)}><bdi title=${label(name)}>${label(name, 24)}</bdi></a>`
    : html`<bdi title=${label(name)}>${label(name, 30)}</bdi>`;

/** A bot, and the name of its page if there is one. */
interface Named {
  bot: string;
  slug?: string | undefined;
}

/** Who plays what against whom. */
export function heading(names: Named[], variant: string, id: string, live: boolean): TemplateResult {
  return html`<header>
    <h2 class="versus">${names.map((one) => html`<span>${bot(one.bot, one.slug)}</span>`)}</h2>
    <span class="small muted">${live ? html`<span class="badge live">live, delayed</span> ` : nothing}
      <code>${variant}</code> · game <code title=${id}>${id.slice(0, 12)}</code></span>
  </header>`;
}

/** Whose knowledge is shown. */
export function eyes(seats: Seating[], eye: Eye, look: (eye: Eye) => void, t: Terms): TemplateResult {
  const choice = (value: Eye, says: TemplateResult | string, key: number) => html`<label title="key ${key}">
    <input type="radio" name="eye" .checked=${eye === value} @change=${() => look(value)} aria-keyshortcuts=${key} />${says}</label>`;
  return html`<div class="eyes" role="radiogroup" aria-label="Whose knowledge is shown">
    <span class="small muted" aria-hidden="true">Seen by</span>
    ${choice(null, "Everything", 0)}${seats.map((one, at) => choice(at, seat(t, at, one.bot), at + 1))}
  </div>`;
}

/** Each seat's time, and how it came out: `now` are those who are to act, `gone` those that a house player acts for. */
export function clockPanel(
  replay: Replay, times: (Clock | null)[], over: Ending | null, now: number[], gone: number[], t: Terms,
): TemplateResult {
  const badge = (says: string, kind = "") => html`<span class="badge ${kind}">${says}</span>`;
  const row = (one: Seating, at: number) => html`<tr>
    <td>${seat(t, at, one.bot)} ${now.includes(at) ? badge("to act") : nothing}
      ${gone.includes(at) ? badge("house player") : nothing} ${over?.ranks[at] === 0 ? badge("first", "won") : nothing}</td>
    <td>${duration(times[at]?.last)}</td>
    <td>${times[at]?.moves ? duration(times[at].used) : "–"}</td>
    ${over ? html`<td>${over.scores[at]}</td>` : nothing}
  </tr>`;
  return html`<section class="panel"><h3>Clocks</h3>
    <table>
      <thead><tr><th scope="col">${t("word.seat")}</th><th scope="col">last move</th><th scope="col">so far</th>
        ${over ? html`<th scope="col">score</th>` : nothing}</tr></thead>
      <tbody>${replay.seats.map(row)}</tbody>
    </table>
    <p class="small muted">${limits(replay.limits)}</p>
  </section>`;
}

function limits(said: Record<string, number | null>): string {
  const part = (key: string, says: (time: string) => string) => (said[key] ? [says(duration(said[key]))] : []);
  const parts = [
    ...part("bank_ms", (time) => `${time} in all`),
    ...part("increment_ms", (time) => `${time} more for each move`),
    ...part("move_ms", (time) => `at most ${time} for a move`),
  ];
  return parts.length ? `Allowed: ${parts.join(", ")}.` : "";
}

/** What may be done now, of those who may know; what was done then stands out. */
export function legalPanel(legal: Told[], chosen: Told[], seats: Seating[], t: Terms): TemplateResult[] {
  const chip = (action: string, taken: boolean) =>
    html`<li class=${taken ? "chosen" : ""} title=${taken ? "done next" : nothing}>${action}</li>`;
  return legal.map(({ body: { seat: at, actions } }) => {
    const taken = chosen.find((told) => told.body.seat === at)?.body.action;
    return html`<section class="panel">
      <h3>${seat(t, at, seats[at]?.bot ?? "")} may do ${actions.length === 1 ? "one thing" : `${actions.length} things`}</h3>
      <ul class="chips" tabindex="0" aria-label="Legal actions of ${t("word.seat")} ${at}">
        ${actions.map((action: string) => chip(action, action === taken))}
      </ul>
    </section>`;
  });
}

/** A bot's word on the move that has just been made. */
export function notePanel(move: Move, seats: Seating[], t: Terms): Part {
  if (move.note === null || move.seat === null) return nothing;
  return html`<section class="panel of${move.seat}"><h3>${seat(t, move.seat, seats[move.seat]?.bot ?? "")} noted</h3>
    <p class="quote" tabindex="0"><bdi>${visible(move.note)}</bdi></p></section>`;
}

/** All that the bots noted so far, and what they printed in the whole game. */
export function logPanel(
  log: { step: number; seat: number; note: string }[], printed: Told[], seats: Seating[], go: (step: number) => void, t: Terms,
): Part {
  if (log.length + printed.length === 0) return nothing;
  const line = (one: (typeof log)[number]) => html`<li>
    <button @click=${() => go(one.step)} aria-label="Go to step ${one.step}">${one.step}</button>${seat(t, one.seat)}
    <bdi>${visible(one.note)}</bdi></li>`;
  return html`<section class="panel log-panel"><h3>Notes and logs</h3>
    ${log.length ? html`<details><summary>Notes so far (${log.length})</summary>
      <ul class="log" tabindex="0" aria-label="Notes">${log.map(line)}</ul></details>` : nothing}
    ${printed.map(({ body }) => html`<details><summary>${seat(t, body.seat, seats[body.seat]?.bot ?? "")} printed in this game</summary>
      <pre class="log" tabindex="0">${visible(body.text)}</pre></details>`)}</section>`;
}

/** The moves, to go to any of them. */
export function movesPanel(
  moves: Move[], step: number, ends: Set<number>, go: (step: number) => void, say: Say,
): TemplateResult {
  const line = (move: Move, here: boolean) => html`<li class=${ends.has(move.step) ? "chapter" : ""}>
    <button aria-current=${here ? "step" : nothing} tabindex=${here ? 0 : -1} @click=${() => go(move.step)}>
      <span class="no">${move.step}</span><span>${lines(move, say)}</span>
    </button></li>`;
  return html`<section class="panel moves-panel"><h3>Moves</h3>
    <ol class="moves" aria-label="Moves">${moves.map((move) => line(move, move.step === step))}</ol></section>`;
}

/** How a line is written. */
export type Say = (line: string) => TemplateResult | string;

/** A line as it is safe to show, with the signs of its game. */
export const saying = (game: GameView | undefined, t: Terms): Say => (line) => game?.signs?.(visible(line), t) ?? visible(line);

/** A move in words, a line each. */
export function lines(move: Move, say: Say): TemplateResult {
  return html`${move.lines.map((line) => html`<span class="line">${say(line)}</span>`)}
    ${move.house ? html`<span class="badge">house player</span>` : nothing}
    ${move.fault ? html`<span class="line fault">fault</span>` : nothing}`;
}
