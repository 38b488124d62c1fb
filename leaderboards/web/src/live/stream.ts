/** The stream of a tournament: opened while the page is seen, and again when it was cut off; ended with the run. */
import type { Link, Moves, Snapshot } from "./types";

const AGAIN_MS = 4000;
const LOCKED = "the server was started anew: open the address that it has printed";

export interface Listener {
  snapshot(value: Snapshot): void;
  moves(value: Moves): void;
  gone(game: string): void;
  link(state: Link, why?: string): void;
}

export class Stream {
  private source: EventSource | null = null;
  private timer = 0;
  private over = false;
  /** Fields that have not changed are not sent again. */
  private now: Snapshot | null = null;
  private game = "";
  private known = 0;

  constructor(
    private readonly address: string,
    private readonly listener: Listener,
  ) {
    document.addEventListener("visibilitychange", () => this.wake());
    addEventListener("pagehide", () => this.close());
    addEventListener("pageshow", () => this.wake());
  }

  /** Follow a game of which `known` events are here; an empty id follows none. */
  follow(game: string, known: number): void {
    this.game = game;
    this.known = known;
    if (!this.over) this.open();
  }

  open(): void {
    this.close();
    if (document.hidden) return;
    const query = this.game ? `?game=${this.game}&from=${this.known}` : "";
    const source = new EventSource(this.address + query);
    this.source = source;
    this.listener.link("connecting");
    source.addEventListener("open", () => this.listener.link("live"));
    source.addEventListener("snapshot", (event) => this.take(JSON.parse(event.data) as Partial<Snapshot>));
    source.addEventListener("moves", (event) => this.step(JSON.parse(event.data) as Moves));
    source.addEventListener("gone", (event) => this.listener.gone((JSON.parse(event.data) as Moves).game));
    source.addEventListener("trouble", (event) => this.trouble((JSON.parse(event.data) as { message: string }).message));
    source.addEventListener("error", () => void this.cut());
  }

  private take(change: Partial<Snapshot>): void {
    const value = (this.now = { ...this.now, ...change } as Snapshot);
    this.listener.snapshot(value);
    if (!value.ended || value.running) return;
    this.over = true;
    this.close();
    this.listener.link("ended");
  }

  private step(value: Moves): void {
    this.known = value.from + value.events.length;
    this.listener.moves(value);
  }

  private trouble(message: string): void {
    this.close();
    this.listener.link("in trouble", message);
    this.later();
  }

  /** A browser opens a stream again by itself, but not one that was refused; and not by a newer address. */
  private async cut(): Promise<void> {
    this.close();
    this.listener.link("cut off");
    const answer = await fetch(this.address, { method: "HEAD" }).catch(() => null);
    if (answer?.status === 403) this.listener.link("in trouble", LOCKED);
    else if (!this.source && !document.hidden) this.later();
  }

  private later(): void {
    this.timer = window.setTimeout(() => this.open(), AGAIN_MS);
  }

  private wake(): void {
    if (this.over) return;
    if (!document.hidden) return this.source ? undefined : this.open();
    this.close();
    this.listener.link("asleep");
  }

  private close(): void {
    clearTimeout(this.timer);
    this.source?.close();
    this.source = null;
  }
}
