/** What happens, drawn anew with each snapshot. Texts from outside are text nodes and nothing else. */
import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { called, keyOf, named, type About } from "./draw";
import type { Away, Fault, Result, Snapshot, Underway } from "./types";
import { clock, count, duration, kind, number } from "./words";

const NEWEST = 8;

export function newest(now: Snapshot, about: About): TemplateResult {
  if (!now.newest.length) return html`<li class="muted">No game is over yet.</li>`;
  return html`${repeat(now.newest.slice(0, NEWEST), (one) => one.id, (one) => result(one, now, about))}`;
}

function result(one: Result, now: Snapshot, about: About): TemplateResult {
  const seats = [...one.seats].sort((a, b) => a.rank - b.rank);
  const away = now.unplayed.includes(one.id) ? now.away.map((gone) => keyOf(gone.bot)) : [];
  return html`<li>
    <p>${seats.map((seat, place) => html`${place ? html`<span class="muted">, </span>` : nothing}${scored(seat, away, about)}`)}</p>
    <p class="small muted">${one.variant}${one.verdict === "finished" ? nothing : `, ${one.verdict}`} · ${game(one.id)}</p>
  </li>`;
}

function scored(seat: Result["seats"][number], away: string[], about: About): TemplateResult {
  const first = seat.rank === 0 ? "first" : "";
  const fault = seat.fault && (away.includes(keyOf(seat.bot)) ? "suspended" : seat.fault);
  return html`<span class=${first}>${named(seat.bot, about)} ${number(seat.score)}</span>${fault ? tag(fault) : nothing}`;
}

const tag = (fault: string): TemplateResult => html` <span class="tag bad">${kind(fault)}</span>`;

const game = (id: string): TemplateResult =>
  html`<a href="game.html#${id}">the game <span class="unseen">${id.slice(0, 12)}</span></a>`;

export function faults(now: Snapshot, about: About): TemplateResult {
  const lost = now.away.filter((one) => one.unplayed);
  if (!now.faults.length && !lost.length) return html`<li class="muted">No bot has made one.</li>`;
  return html`${now.faults.map((one) => fault(one, about))}${lost.map((one) => gone(one, about))}`;
}

const gone = (one: Away, about: About): TemplateResult => html`<li>
  <p>${named(one.bot, about)}${tag("suspended")}</p>
  <p class="small muted">${count(one.unplayed, "game")} lost unplayed: ${kind(one.kind)} too often in a row</p>
</li>`;

const fault = (one: Fault, about: About): TemplateResult => html`<li>
  <p>${named(one.bot, about)}${tag(one.kind)}</p>
  <p class="small muted">${clock(one.at)} · ${game(one.game)}</p>
</li>`;

export function underway(now: Snapshot, about: About): TemplateResult {
  return html`<p class="small muted text">${said(now)}</p>
    <div class="games" role="group" aria-label="Choose a game">${repeat(now.underway, (one) => one.id, (one) => choice(one, about))}</div>`;
}

function said(now: Snapshot): string {
  if (!now.running) return "No game is under way.";
  const delay = now.delay_seconds;
  if (delay === null) return "Nothing is shown of games under way: they are over too soon, or their bots could read it.";
  if (delay === 0) return "What every seat can see.";
  return `What every seat could see, ${duration(delay)} later, so that it helps nobody who plays.`;
}

function choice(one: Underway, about: About): TemplateResult {
  const chosen = one.id === about.game;
  return html`<button type="button" aria-pressed=${chosen ? "true" : "false"} @click=${() => about.choose(chosen ? "" : one.id)}>
    <span class="who">${one.bots.map((bot, seat) => html`<span class="seat seat-${seat}" title=${bot}>${called(bot, about)}</span>`)}</span>
    <span class="small muted">${one.variant} · ${count(one.step, "move")}</span>
  </button>`;
}

export const notes = (now: Snapshot): TemplateResult =>
  html`${now.notes.map((text) => html`<p class="note warn">${text}</p>`)}`;
