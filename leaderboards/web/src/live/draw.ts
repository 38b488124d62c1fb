/** How far it is and who leads, drawn anew with each snapshot. Texts from outside are text nodes and nothing else. */
import { html, nothing, svg, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { Bot, Known, Leader, Link, Snapshot } from "./types";
import { clock, count, duration, moved, number, pace, progress } from "./words";

export const keyOf = (bot: Bot): string => `${bot.name}@${bot.digest}`;

/** What is known beside snapshots. */
export interface About {
  /** Bots by key. */
  bots: Map<string, Known>;
  /** Bots by name, which in one tournament is theirs alone. */
  names: Map<string, Known>;
  /** Ranks when the page was opened, by key. */
  first: Map<string, number>;
  link: Link;
  why: string;
  /** The game that is followed. */
  game: string;
  choose: (game: string) => void;
}

const LINKS: Record<Link, string> = {
  connecting: "connecting …",
  live: "live",
  "cut off": "cut off, trying again …",
  asleep: "asleep",
  ended: "ended",
  "in trouble": "nothing can be seen just now",
};

export const waits = (about: About): TemplateResult =>
  html`<p class="state" data-link=${about.link}><span class="pulse" aria-hidden="true"></span>${about.why || LINKS[about.link]}</p>`;

export function status(now: Snapshot, about: About): TemplateResult {
  const share = now.games ? Math.min(1, now.over / now.games) : null;
  return html`
    <p class="state" data-link=${about.link}><span class="pulse" aria-hidden="true"></span>${state(now, about)}</p>
    <div class="meter" role="progressbar" aria-label="Games over" aria-valuemin="0" aria-valuemax=${now.games ?? nothing}
      aria-valuenow=${now.games === null ? nothing : now.over} aria-valuetext=${progress(now.over, now.games)}>
      <svg width="100%" height="8" aria-hidden="true"><rect class="of" width="100%" height="8" rx="4"></rect>
      ${share === null ? nothing : svg`<rect class="is" width=${`${100 * share}%`} height="8" rx="4"></rect>`}</svg>
    </div>
    <dl class="facts">
      ${fact("Games over", number(now.over), whole(now.games, share))}
      ${fact("Pace", pace(now.per_second), now.running ? "over the last minute" : "nothing runs")}
      ${fact("Time left", now.left_seconds === null ? "–" : duration(now.left_seconds), left(now))}
      ${fact("Bots", number(Math.max(about.bots.size, now.leaders.length)), spoilt(now.leaders))}
    </dl>`;
}

function state(now: Snapshot, about: About): string {
  if (about.link !== "live" && about.link !== "ended") return about.why || LINKS[about.link];
  if (now.running) return `live, as of ${clock(now.at)}`;
  return now.ended ? `over: ${now.ended}` : "nobody plays on just now; this page goes on when somebody does";
}

const spoilt = (rows: Leader[]): string => count(rows.reduce((sum, row) => sum + row.faults, 0), "fault");

function whole(games: number | null, share: number | null): string {
  if (games === null) return "as many as it takes";
  return share === null ? `of ${number(games)}` : `of ${number(games)}, ${percent(share)}`;
}

const percent = (share: number): string => `${share >= 1 ? 100 : Math.min(99.9, 100 * share).toFixed(share < 0.1 ? 1 : 0)} %`;

function left(now: Snapshot): string {
  if (now.left_seconds !== null) return "at that pace";
  if (!now.running) return now.ended ? "it is over" : "nothing runs";
  return now.games === null ? "nobody knows how many games" : "not known yet";
}

const fact = (name: string, value: string, says: string): TemplateResult =>
  html`<div><dt>${name}</dt><dd>${value}<small>${says}</small></dd></div>`;

export const head = (now: Snapshot): TemplateResult =>
  html`${now.head ? html`<p class="small muted">Head of the chain over all that is kept, as of ${clock(now.at)}: <code>${now.head}</code></p>` : nothing}`;

// who leads

export function leaders(now: Snapshot, about: About): TemplateResult {
  const [low, high] = scale(now.leaders);
  return html`${repeat(now.leaders, (row) => keyOf(row.bot), (row) => leader(row, about, low, high))}`;
}

function leader(row: Leader, about: About, low: number, high: number): TemplateResult {
  const key = keyOf(row.bot);
  const by = row.rank === null ? 0 : (about.first.get(key) ?? row.rank) - row.rank;
  return html`<tr data-key=${key} class=${row.provisional ? "provisional" : ""}>
    <td class="n rank">${row.rank ?? "–"}</td>
    <td class="move ${by > 0 ? "win" : "loss"}">${by ? mark(by) : nothing}</td>
    <th scope="row" class="bot">${named(row.bot, about)}</th>
    <td class="n">${row.mu === null ? html`<span class="muted">partial</span>` : row.mu.toFixed(2)}</td>
    <td class="drawn later">${drawn(row, low, high)}</td>
    <td class="n later">${number(row.games)}</td>
    <td class="n ${row.faults ? "bad" : ""}">${number(row.faults)}</td>
  </tr>`;
}

const mark = (by: number): TemplateResult =>
  html`<span aria-hidden="true">${moved(by)}</span><span class="unseen">${by > 0 ? "up" : "down"} by ${Math.abs(by)}</span>`;

export function named(bot: Bot, about: About): TemplateResult {
  const page = about.bots.get(keyOf(bot))?.href;
  const name = called(bot.name, about);
  return html`<span class="name" title=${bot.name}>${page ? html`<a href=${page}>${name}</a>` : name}</span>`;
}

/** A name, shorter where there is less room. */
export function called(name: string, about: About): TemplateResult {
  const known = about.names.get(name);
  if (!known || known.narrow === name) return html`${name}`;
  return html`<bdi title=${name}><span class="wide">${known.wide}</span><span class="narrow">${known.narrow}</span></bdi>`;
}

function drawn(row: Leader, low: number, high: number): TemplateResult {
  if (row.mu === null || row.low === null || row.high === null) return html`<span class="muted small">too few deals</span>`;
  const at = (value: number): string => `${(100 * (value - low)) / (high - low)}%`;
  return html`<svg class="bar" role="img" aria-label="${row.low.toFixed(2)} to ${row.high.toFixed(2)}">
    <line class="range" x1=${at(row.low)} x2=${at(row.high)} y1="11" y2="11"></line>
    <circle class="dot" cx=${at(row.mu)} cy="11" r="4"></circle>
  </svg>`;
}

/** What all intervals lie in, with some room. */
function scale(rows: Leader[]): [number, number] {
  const ends = rows.flatMap((row) => [row.low, row.mu, row.high]).filter((end) => end !== null);
  if (!ends.length) return [0, 1];
  const low = Math.min(...ends);
  const room = Math.max(1, Math.max(...ends) - low) * 0.04;
  return [low - room, Math.max(...ends) + room];
}
