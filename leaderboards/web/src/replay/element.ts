/** <arena-replay src id lang live>: any game step by step, as everybody together or one seat knew it. */
import { LitElement, html, nothing } from "lit";
import type { PropertyValues, TemplateResult } from "lit";
import { GAMES } from "../games";
import { fragment, place } from "./address";
import type { Place } from "./address";
import { bar, help } from "./bar";
import { Film } from "./fold";
import { asked } from "./keys";
import type { Command } from "./keys";
import { chapters, clocks, faults, gone, moveAt, notes, printed } from "./moves";
import type { Move } from "./moves";
import * as outcome from "./outcome";
import * as panels from "./panels";
import { find, replayAt, terms } from "./source";
import type { Entry, Found } from "./source";
import { styles } from "./styles";
import type { Eye, GameView, Replay, Terms, Wire } from "./types";
import { label, termsOf, visible } from "./words";

const ADDRESS_MS = 250; // browsers take only so many changes of an address in a second

export class ArenaReplay extends LitElement {
  static override styles = styles;
  static override properties = {
    src: {}, live: { type: Boolean }, replay: { attribute: false },
    step: { state: true }, eye: { state: true }, playing: { state: true }, speed: { state: true },
    entry: { state: true }, problem: { state: true }, copied: { state: true }, t: { state: true },
  };

  /** Address of a replay's script, where it is not the site's own. */
  declare src: string | undefined;
  /** The game is under way: its events come by `append`, and the address is left alone. */
  declare live: boolean;
  /** The replay file that is shown. */
  declare replay: Replay | null;
  declare private step: number;
  declare private eye: Eye;
  declare private playing: boolean;
  declare private speed: number;
  declare private entry: Entry | null;
  declare private problem: string;
  declare private copied: string;
  declare private t: Terms;
  private film = new Film(0);
  private ends: number[] = [];
  private wrong: number[] = [];
  private sought = "";
  /** What stands in the page's title beside what page it is. */
  private site = document.title.split(" · ").slice(1);
  private timer = 0;
  private pending = 0;

  constructor() {
    super();
    Object.assign(this, { live: false, replay: null, step: 0, eye: null, playing: false, speed: 1 });
    Object.assign(this, { entry: null, problem: "", copied: "", t: termsOf({}) });
  }

  /** Takes up events of a game under way, in order; who watches the last step goes on with it. */
  override append(...told: (Wire[] | Node | string)[]): void {
    const followed = this.step === this.film.last;
    this.film.append(told.filter(Array.isArray).flat() as Wire[]);
    this.survey();
    if (followed) this.step = this.film.last;
    this.requestUpdate();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener("hashchange", this.follow);
    addEventListener("keydown", this.press);
    if (!this.live && !this.replay) void this.open();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener("hashchange", this.follow);
    removeEventListener("keydown", this.press);
    clearTimeout(this.timer);
    clearTimeout(this.pending);
  }

  /** Finds the game that the address, or the attribute `id`, names. */
  private async open(): Promise<void> {
    const id = place(location.hash).game ?? this.id;
    this.sought = id;
    let found: Partial<Found> & { problem?: string; t?: Terms };
    try {
      found = this.src ? { replay: await replayAt(id, this.src) } : await find(id);
      const game = found.replay?.game ?? found.entry?.variant.split("/")[0];
      if (game) found.t = await terms(game, this.language); // so that nothing is drawn without words first
    } catch (error) {
      found = { problem: `This game cannot be shown: ${(error as Error).message}.` };
    }
    if (this.sought !== id) return; // another was asked for meanwhile
    this.pause();
    Object.assign(this, { problem: "", entry: null, replay: null }, found);
    this.entitle();
  }

  /** The page is called by who plays. */
  private entitle(): void {
    const seats = this.replay?.seats ?? this.entry?.seats.map((one) => ({ bot: one.name }));
    if (!seats) return;
    const game = `game ${(this.replay?.id ?? this.id).slice(0, 12)}`;
    document.title = [seats.map(({ bot }) => label(bot, 24)).join(" – "), game, ...this.site].join(" · ");
  }

  protected override willUpdate(changes: PropertyValues): void {
    if (changes.has("replay") && this.replay) this.start(this.replay);
  }

  private start(replay: Replay): void {
    this.film = new Film(replay.seats.length);
    this.film.append(replay.events);
    this.survey();
    const sheet = GAMES[replay.game]?.styles.styleSheet;
    this.shadowRoot!.adoptedStyleSheets = [styles.styleSheet!, ...(sheet ? [sheet] : [])];
    if (this.live) this.goTo({ step: this.film.last, eye: null });
    else this.arrive(place(location.hash));
    void terms(replay.game, this.language).then((t) => (this.t = t));
  }

  private get language(): string {
    return this.lang || document.documentElement.dataset["lang"] || "en";
  }

  private survey(): void {
    this.ends = chapters(this.film);
    this.wrong = faults(this.film, this.film.last, null).map(({ step }) => step);
  }

  private goTo({ step, eye }: { step: number | null; eye: Eye }): void {
    this.step = Math.min(step ?? 0, this.film.last);
    this.eye = eye !== null && eye < (this.replay?.seats.length ?? 0) ? eye : null;
  }

  /** Goes where the address says, and has it say where that is. */
  private arrive(said: Place): void {
    this.goTo(said);
    if (this.step !== (said.step ?? 0) || this.eye !== said.eye) this.address();
  }

  private follow = (): void => {
    if (this.live) return;
    const said = place(location.hash);
    if (!said.game) return;
    clearTimeout(this.pending);
    this.pending = 0;
    if (this.replay?.id.startsWith(said.game)) this.arrive(said);
    else void this.open();
  };

  private go = (step: number): void => {
    this.pause();
    this.show(step);
  };

  private show(step: number): void {
    this.step = Math.max(0, Math.min(step, this.film.last));
    this.address();
  }

  private look = (eye: Eye): void => {
    if (this.live || (eye !== null && eye >= this.replay!.seats.length)) return;
    this.eye = eye;
    this.address();
  };

  /** Has the address say where this is, soon; not in place of one that leads elsewhere meanwhile. */
  private address(): void {
    if (this.live || this.pending || !this.replay?.id.startsWith(this.sought)) return;
    const before = location.hash;
    this.pending = window.setTimeout(() => {
      this.pending = 0;
      if (!this.replay || location.hash !== before) return;
      history.replaceState(history.state, "", fragment(this.replay.id, this.step, this.eye));
    }, ADDRESS_MS);
  }

  private chapter(direction: 1 | -1): void {
    const next = direction > 0 ? this.ends.find((end) => end > this.step) : this.ends.filter((end) => end < this.step).at(-1);
    this.go(next ?? this.step);
  }

  private toggle = (): void => {
    if (this.playing) return this.pause();
    if (this.step === this.film.last) this.show(0);
    this.playing = true;
    this.tick();
  };

  private pause(): void {
    this.playing = false;
    clearTimeout(this.timer);
  }

  private tick(): void {
    this.timer = window.setTimeout(() => {
      this.show(this.step + 1);
      if (this.step < this.film.last) this.tick();
      else this.pause();
    }, 1000 / this.speed);
  }

  private press = (event: KeyboardEvent): void => {
    const wish = this.replay ? asked(event) : null;
    if (wish === null) return;
    event.preventDefault();
    if (typeof wish === "number") this.look(wish ? wish - 1 : null);
    else this.act(wish);
  };

  private act = (command: Command): void => {
    const acts: Record<Command, () => void> = {
      first: () => this.go(0),
      chapterBack: () => this.chapter(-1),
      back: () => this.go(this.step - 1),
      play: this.toggle,
      on: () => this.go(this.step + 1),
      chapterOn: () => this.chapter(1),
      last: () => this.go(this.film.last),
      help: () => this.dialog?.showModal(),
    };
    acts[command]();
  };

  private get dialog(): HTMLDialogElement | null {
    return this.renderRoot.querySelector("dialog");
  }

  private copy = async (): Promise<void> => {
    const link = location.href.split("#")[0] + fragment(this.replay!.id, this.step, this.eye);
    const done = await navigator.clipboard?.writeText(link).then(() => true, () => false);
    this.copied = done ? "Link copied" : link;
    setTimeout(() => (this.copied = ""), done ? 2000 : 20_000);
  };

  protected override updated(): void {
    const now = this.renderRoot.querySelector<HTMLElement>(".moves [aria-current]");
    const list = now?.closest<HTMLElement>(".moves");
    if (!now || !list) return;
    if (list.contains(this.shadowRoot!.activeElement)) now.focus({ preventScroll: true });
    const top = now.offsetTop - list.clientHeight / 2;
    if (Math.abs(list.scrollTop - top) > list.clientHeight / 3) list.scrollTop = top;
  }

  protected override render(): TemplateResult {
    if (this.problem) return html`<p role="alert">${visible(this.problem)}</p>`;
    if (this.replay) return this.position(this.replay);
    const waits = this.live ? "Waiting for the first moves…" : "Loading…";
    if (!this.entry) return html`<p class="muted waiting" role="status">${waits}</p>`;
    const names = this.entry.seats.map((one) => ({ bot: one.name, slug: one.bot }));
    return html`<div class="head">${panels.heading(names, this.entry.variant, this.id, false)}</div>${outcome.withoutReplay(this.id, this.entry, this.t)}`;
  }

  private position(replay: Replay): TemplateResult {
    const { film, step, eye, t } = this;
    const game = GAMES[replay.game];
    const say = panels.saying(game, t);
    const wrong = film.news(step, eye).filter(({ kind }) => kind === "@fault");
    const names = replay.seats.map((one, at) => ({ bot: one.bot, slug: this.entry?.seats[at]?.bot }));
    const all = Array.from({ length: film.last + 1 }, (_, at) => moveAt(film, at, eye, step, game, t));
    return html`<div class="head">${panels.heading(names, replay.variant, replay.id, this.live)}
        ${this.live ? nothing : panels.eyes(replay.seats, eye, this.look, t)}</div>
      <div class="desk">
        <div>${this.outcome(replay)}${wrong.map((told) => outcome.fault(told, replay.seats, t))}
          <div class="stage">${this.picture(replay, game)}</div></div>
        <div class="side">${this.aside(replay, all, say)}</div>
      </div>
      ${this.bar(all[step]!, say)}${help(() => this.dialog?.close())}`;
  }

  private picture(replay: Replay, game: GameView | undefined): TemplateResult {
    const { film, step, eye, t } = this;
    const views = film.views(step, eye);
    if (views.every((view) => !view || Object.keys(view).length === 0))
      return html`<p class="empty">There is nothing to see: the moves of a void game are not shown.</p>`;
    if (!game) return html`<p class="empty">There is no picture of ${label(replay.game)} here; its moves stand beside.</p>`;
    const { setup, seats } = replay;
    return game.draw({ setup, seats, views, unseen: film.unseen(step, eye), eye, step, news: film.news(step, eye), t });
  }

  private outcome(replay: Replay): TemplateResult | typeof nothing {
    const end = this.film.news(this.step, this.eye).find(({ kind }) => kind === "@end")?.body;
    if (!end) return nothing;
    return outcome.result(replay.seats, end, this.t);
  }

  private aside(replay: Replay, all: Move[], say: panels.Say): TemplateResult {
    const { film, step, eye, t } = this;
    const news = film.news(step, eye);
    const end = news.find(({ kind }) => kind === "@end")?.body ?? null;
    const legal = news.filter((told) => told.kind === "@legal" && outcome.isAsked(film, step, told.body.seat));
    const next = step < film.last ? film.news(step + 1, eye).filter(({ kind }) => kind === "@action") : [];
    const now = end ? [] : film.views(step, eye).find((view) => view)?.to_act ?? [];
    return html`${panels.movesPanel(all, step, new Set(this.ends), this.go, say)}
      ${panels.notePanel(all[step]!, replay.seats, t)}
      ${panels.legalPanel(legal, next, replay.seats, t)}
      ${panels.clockPanel(replay, clocks(film, replay.seats.length, step, eye), end, now, gone(film, step), t)}
      ${panels.logPanel(notes(film, step, eye), printed(film, eye), replay.seats, this.go, t)}`;
  }

  private bar(move: Move, say: panels.Say): TemplateResult {
    const { step, ends, wrong, playing, speed, live, copied } = this;
    const shown = { move, step, last: this.film.last, ends, wrong, playing, speed, live, copied };
    const acts = { act: this.act, go: this.go, pace: (speed: number) => (this.speed = speed), copy: this.copy };
    return bar(shown, acts, say);
  }
}
