/** The bar below the picture: the step in words, the slider, the buttons; and the list of keys. */
import { html, nothing, svg } from "lit";
import type { TemplateResult } from "lit";
import type { Command } from "./keys";
import type { Move } from "./moves";
import { lines } from "./panels";
import type { Say } from "./panels";
import { visible } from "./words";

/** What the bar shows. */
export interface Bar {
  move: Move;
  step: number;
  last: number;
  /** Steps at which chapters end, and those with a fault. */
  ends: number[];
  wrong: number[];
  playing: boolean;
  speed: number;
  live: boolean;
  /** What has become of the link that was to be copied. */
  copied: string;
}

/** What its controls do. */
export interface Acts {
  act: (command: Command) => void;
  go: (step: number) => void;
  pace: (speed: number) => void;
  copy: () => void;
}

const SPEEDS = [0.5, 1, 2, 4, 8];

export function bar(shown: Bar, acts: Acts, say: Say): TemplateResult {
  const { move, step, last } = shown;
  const words = visible(`Step ${step} of ${last}: ${move.lines.join("; ")}`);
  return html`<div class="bar" role="group" aria-label="Steps">
    <p class="said"><span class="lines">${lines(move, say)}</span><span class="at">${step} / ${last}</span></p>
    <p class="unseen" role="status" aria-live="polite">${words}</p>
    <div class="track">${marks(shown.ends, shown.wrong, last)}
      <input type="range" min="0" max=${last} .value=${String(step)} ?disabled=${last === 0} aria-label="Step" aria-valuetext=${words}
        @input=${(event: InputEvent) => acts.go((event.target as HTMLInputElement).valueAsNumber)} /></div>
    <div class="keys">${buttons(shown, acts)}</div>
    <div class="keys more">${more(shown, acts)}</div>
  </div>`;
}

function buttons({ step, last, playing, speed }: Bar, acts: Acts): TemplateResult {
  const key = (command: Command, says: string, shortcut: string, off = false, kind = "") =>
    button(says === "Pause" ? "pause" : command, says, `${says} (${shortcut})`, off, () => acts.act(command), kind);
  return html`${key("first", "To the deal", "Home", step === 0, "wide")}
    ${key("chapterBack", "The chapter before", "Shift ←", step === 0)}
    ${key("back", "A step back", "←", step === 0)}
    ${key("play", playing ? "Pause" : "Play", "Space", last === 0, "play")}
    ${key("on", "A step on", "→", step === last)}
    ${key("chapterOn", "The next chapter", "Shift →", step === last)}
    ${key("last", "To the end", "End", step === last, "wide")}
    <select aria-label="Speed" title="Speed" @change=${(event: Event) => acts.pace(Number((event.target as HTMLSelectElement).value))}>
      ${SPEEDS.map((one) => html`<option value=${one} ?selected=${one === speed}>${one}×</option>`)}
    </select>`;
}

const more = ({ live, copied }: Bar, { act, copy }: Acts): TemplateResult => html`
  <span class="small muted copied" role="status"><bdi>${copied}</bdi></span>
  ${live ? nothing : button("link", COPY, COPY, false, copy)}
  ${button("help", "Keys", "Keys (?)", false, () => act("help"), "wide")}`;

const COPY = "Copy a link to this position";

const ICONS = {
  first: "M4 4h2.200v16H4zM20 4v16L8 12z",
  last: "M17.800 4H20v16h-2.200zM4 4v16l12-8z",
  chapterBack: "M11.500 4v16L2 12zM21.500 4v16L12 12z",
  chapterOn: "M12.500 4v16l9.500-8zM2.500 4v16l9.500-8z",
  back: "M16 4v16L5 12z",
  on: "M8 4v16l11-8z",
  play: "M6 3.500v17l14-8.500z",
  pause: "M6 4h4v16H6zM14 4h4v16h-4z",
  help: "M12 3.500a5.500 5.500 0 0 0-5.500 5.500h2.600a2.900 2.900 0 1 1 4.300 2.500c-1.700 1-2.700 2-2.700 4v1h2.600v-1c0-.8.5-1.200 1.500-1.800A5.500 5.500 0 0 0 12 3.500zM10.600 18.300h2.800V21h-2.800z",
  link:
    "M10.600 13.400a1 1 0 0 1-1.400 1.400 5 5 0 0 1 0-7.100l3.500-3.500a5 5 0 0 1 7.100 7.100l-1.500 1.500a1 1 0 1 1-1.400-1.400l1.500-1.500" +
    "a3 3 0 0 0-4.300-4.300l-3.500 3.500a3 3 0 0 0 0 4.300zM13.400 10.600a1 1 0 0 1 1.400-1.400 5 5 0 0 1 0 7.100l-3.500 3.500" +
    "a5 5 0 0 1-7.100-7.100l1.500-1.500a1 1 0 1 1 1.400 1.400l-1.500 1.500a3 3 0 0 0 4.300 4.300l3.500-3.500a3 3 0 0 0 0-4.300z",
};

/** A button with a picture and a name. */
function button(
  icon: keyof typeof ICONS, says: string, title: string, off: boolean, act: () => void, kind = "",
): TemplateResult {
  return html`<button class=${kind} title=${title} aria-label=${says} ?disabled=${off} @click=${act}>
    <svg viewBox="0 0 24 24" aria-hidden="true"><path d=${ICONS[icon]} /></svg></button>`;
}

/** Where chapters end and what went wrong, above the slider. */
function marks(ends: number[], wrong: number[], last: number): TemplateResult {
  const mark = (step: number, kind: string) =>
    svg`<rect class=${kind} x=${(step / Math.max(last, 1)) * 1000 - 1} y="0" width="2.500" height="6" />`;
  return html`<svg viewBox="0 0 1000 6" preserveAspectRatio="none" aria-hidden="true">
    ${ends.map((step) => mark(step, ""))}${wrong.map((step) => mark(step, "fault"))}</svg>`;
}

const HELP: [keys: string[], says: string][] = [
  [["←", "→"], "a step back, a step on"],
  [["Shift ←", "Shift →"], "the chapter before, the next: a trick, a turn, a fault"],
  [["Home", "End"], "the deal, the last step"],
  [["Space"], "play or pause"],
  [["0"], "see everything"],
  [["1", "2", "3", "4"], "see what the first, second, … seat knew"],
  [["↑", "↓"], "in the list of moves: the one before, the next"],
  [["?"], "this list"],
];

/** The keys. */
export const help = (close: () => void): TemplateResult => html`<dialog aria-labelledby="keys">
  <h2 id="keys">Keys</h2>
  <dl>${HELP.map(([keys, says]) => html`<dt>${keys.map((one) => html`<kbd>${one}</kbd> `)}</dt><dd>${says}</dd>`)}</dl>
  <button @click=${close}>Close</button>
</dialog>`;
