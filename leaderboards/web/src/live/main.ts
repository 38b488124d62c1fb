/** A tournament as it is played: drawn anew with each snapshot; one game is followed move by move. */
import { render } from "lit";
import type { Replay } from "../replay/types";
import { head, keyOf, leaders, status, waits, type About } from "./draw";
import { faults, newest, notes, underway } from "./news";
import { slide } from "./slide";
import { Stream } from "./stream";
import type { Known, Link, Moves, Snapshot, Viewer } from "./types";
import { kind, progress } from "./words";

const SAID_MS = 15_000;
const GONE = "This game is over, or is not shown any more. What was seen of it stays here; once its deal is over all of it is at ";

class Live {
  private now: Snapshot | null = null;
  private said = 0;
  private readonly about: About;
  private readonly stream: Stream;

  constructor(private readonly page: HTMLElement) {
    const known = JSON.parse(page.dataset["bots"] ?? "[]") as Known[];
    const bots = new Map(known.map((bot) => [keyOf(bot), bot]));
    const names = new Map(known.map((bot) => [bot.name, bot]));
    this.about = { bots, names, first: new Map(), link: "connecting", why: "", game: "", choose: (game) => void this.choose(game) };
    this.part("status").replaceChildren(); // what stands there for who has no scripts
    this.stream = new Stream("live/events", {
      snapshot: (value) => this.take(value),
      moves: (value) => this.step(value),
      gone: (game) => this.gone(game),
      link: (state, why) => this.link(state, why),
    });
    this.stream.open();
  }

  private take(now: Snapshot): void {
    const before = this.now;
    this.now = now;
    for (const row of now.leaders) {
      const key = keyOf(row.bot);
      if (row.rank !== null && !this.about.first.has(key)) this.about.first.set(key, row.rank);
    }
    slide(this.part("leaders"), () => this.draw());
    this.say(before, now);
  }

  private link(state: Link, why = ""): void {
    this.about.link = state;
    this.about.why = why;
    this.draw();
  }

  private draw(): void {
    const { now, about } = this;
    if (!now) return void render(waits(about), this.part("status"));
    render(status(now, about), this.part("status"));
    render(leaders(now, about), this.part("leaders"));
    render(newest(now, about), this.part("newest"));
    render(faults(now, about), this.part("faults"));
    render(underway(now, about), this.part("underway"));
    render(notes(now), this.part("notes"));
    render(head(now), this.part("head"));
    this.part("board").hidden = !now.leaders.length;
    this.part("none").hidden = now.leaders.length > 0;
  }

  private part(name: string): HTMLElement {
    const found = this.page.querySelector<HTMLElement>(`[data-part="${name}"]`);
    if (!found) throw new Error(`the page has no part ${name}`);
    return found;
  }

  // the game that is followed

  private async choose(game: string): Promise<void> {
    this.about.game = game;
    this.part("viewer").replaceChildren();
    this.tell("");
    this.draw();
    if (!game) return this.stream.follow("", 0);
    const answer = await fetch(`live/games/${game}`).catch(() => null);
    if (game !== this.about.game) return;
    if (!answer?.ok) return this.gone(game);
    const replay = (await answer.json()) as Replay;
    this.show(replay);
    this.stream.follow(game, replay.events.length);
  }

  private show(replay: Replay): void {
    const viewer = document.createElement("arena-replay") as Viewer;
    viewer.setAttribute("live", "");
    viewer.replay = replay;
    this.part("viewer").replaceChildren(viewer);
  }

  private step(moves: Moves): void {
    if (moves.game === this.about.game) this.part("viewer").querySelector<Viewer>("arena-replay")?.append(moves.events);
  }

  private gone(game: string): void {
    if (game !== this.about.game) return;
    this.about.game = "";
    this.tell(GONE, game);
    this.draw();
    this.stream.follow("", 0);
  }

  private tell(text: string, game = ""): void {
    const link = document.createElement("a");
    link.href = `game.html#${game}`;
    link.textContent = `the game ${game.slice(0, 12)}`;
    this.part("followed").replaceChildren(text, ...(game ? [link] : []));
  }

  // what a screen reader hears

  private say(before: Snapshot | null, now: Snapshot): void {
    const news = before ? this.news(before, now) : [];
    if (!news.length || (Date.now() - this.said < SAID_MS && !now.ended)) return;
    this.said = Date.now();
    this.part("said").textContent = news.join(" ");
  }

  private news(before: Snapshot, now: Snapshot): string[] {
    const [old, first] = [before.leaders[0], now.leaders[0]];
    const fault = now.faults[0];
    const news: string[] = [];
    if (first && (!old || keyOf(old.bot) !== keyOf(first.bot))) news.push(`${first.bot.name} leads.`);
    if (fault && fault.game !== before.faults[0]?.game) news.push(`Fault of ${fault.bot.name}: ${kind(fault.kind)}.`);
    if (now.ended && !now.running && before.running) news.push(`The tournament is over: ${now.ended}.`);
    if (news.length) news.push(`${progress(now.over, now.games)} games are over.`);
    return news;
  }
}

const page = document.getElementById("live");
if (page) new Live(page);
