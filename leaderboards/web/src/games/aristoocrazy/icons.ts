/** Small drawings, all in a square of 24: traits, crests, people, dice. They take their colour from where they stand. */
import { html, svg, type SVGTemplateResult, type TemplateResult } from "lit";
import { isMan, seatOf } from "./court";

const TRAITS: Record<string, SVGTemplateResult> = {
  bow: svg`<path d="M5 3A15 15 0 0 1 21 19M5 3 21 19M3 21 15 9m-5 0h5v5"/>`,
  sword: svg`<path d="M21 3v4L11 17l-4-4L17 3zM5 12l7 7M8.5 15.5 3 21"/>`,
  magic: svg`<path class="full" d="M10 3c.8 5.6 2.8 7.7 8.5 8.5-5.7.8-7.7 2.9-8.5 8.5-.8-5.6-2.8-7.7-8.5-8.5C7.2 10.7 9.2 8.6 10 3z"/><path d="M19.5 2v5M17 4.5h5M20 17v4M18 19h4"/>`,
  valour: svg`<path d="M5 22V2"/><path class="full" d="M5 3.5h16L17 8.5l4 5H5z"/>`,
  rule: svg`<path class="full" d="M2.5 7 7.5 11 12 4l4.5 7 5-4L19.5 17h-15z"/><path d="M5 20.5h14"/>`,
  learning: svg`<path d="M12 6C9 4 5.5 4 2.5 5v14c3-1 6.5-1 9.5 1 3-2 6.5-2 9.5-1V5C18.5 4 15 4 12 6zV20"/>`,
  economy: svg`<path d="M12 22V6"/><path class="full" d="M12 8c-1.8-1.5-1.8-4 0-6 1.8 2 1.8 4.5 0 6zm0 6C8.5 14 6.5 12 6.5 8.5 10 8.5 12 10.5 12 14zm0 0c3.5 0 5.5-2 5.5-5.5C14 8.5 12 10.5 12 14zm0 6c-3.5 0-5.5-2-5.5-5.5 3.5 0 5.5 2 5.5 5.5zm0 0c3.5 0 5.5-2 5.5-5.5-3.5 0-5.5 2-5.5 5.5z"/>`,
  money: svg`<circle cx="12" cy="12" r="9.5"/><circle class="full" cx="12" cy="12" r="4.5"/>`,
  luck: svg`<path class="full" d="M12 11C8 10 6.5 8 7 5.5c.5-2.5 4-2.5 5 .5 1-3 4.5-3 5-.5.5 2.5-1 4.5-5 5.5zm-1 1c-1 4-3 5.5-5.5 5-2.5-.5-2.5-4 .5-5-3-1-3-4.5-.5-5 2.5-.5 4.5 1 5.5 5zm2 0c1-4 3-5.5 5.5-5 2.5.5 2.5 4-.5 5 3 1 3 4.5.5 5-2.5.5-4.5-1-5.5-5z"/><path d="M12 13c.5 4 1.5 6.5 3 9"/>`,
  folly: svg`<path d="M5 18C4 13 3.5 10 2 8c3.5-.5 5.5 1 7 4 .3-3.5 1.3-6 3-8.5 1.7 2.5 2.7 5 3 8.5 1.5-3 3.5-4.5 7-4-1.5 2-2 5-3 10z"/><path d="M5 21h14"/><circle class="full" cx="2.5" cy="7" r="1.5"/><circle class="full" cx="12" cy="3" r="1.5"/><circle class="full" cx="21.5" cy="7" r="1.5"/>`,
};

const SIGNS: Record<string, SVGTemplateResult> = {
  swords: svg`<path d="M3 3 17 17M21 3 7 17M4 15l5 5M20 15l-5 5M6 18l-3 3M18 18l3 3"/>`,
  heart: svg`<path class="full" d="M12 21C5 15.5 2.5 12 2.5 8.5 2.5 3.5 9.5 2.5 12 7.5c2.5-5 9.5-4 9.5 1C21.5 12 19 15.5 12 21z"/>`,
  star: svg`<path class="full" d="m12 2 3 6.7 7.2.8-5.4 4.9 1.5 7.2L12 18l-6.3 3.6 1.5-7.2-5.4-4.9L9 8.7z"/>`,
  cross: svg`<path d="M12 3v19M6 9h12"/>`,
  trophy: svg`<path d="M7 3h10v6a5 5 0 0 1-10 0zM7 5H3c0 4 1.5 6 4.5 6M17 5h4c0 4-1.5 6-4.5 6M12 14v4M8 21h8M10 18h4"/>`,
  drop: svg`<path class="full" d="M12 2.5c4.5 6 6.5 9 6.5 12a6.5 6.5 0 0 1-13 0c0-3 2-6 6.5-12z"/>`,
  flag: svg`<path d="M12 2.5c3 1.8 5.5 2.3 8.5 2.3 0 8.2-2 13.7-8.5 16.7C5.5 18.5 3.5 13 3.5 4.8c3 0 5.5-.5 8.5-2.3z"/>`,
  card: svg`<path d="M6 2.5h12v19H6zM9.5 8h5M9.5 12h5"/>`,
  crown: TRAITS.rule!,
  ring: svg`<circle cx="12" cy="14.5" r="7"/><path class="full" d="m12 8-3.5-3.5L10.5 2h3l2 2.5z"/>`,
  shield: svg`<path class="full" d="M12 2.5c3 1.8 5.5 2.3 8.5 2.3 0 8.2-2 13.7-8.5 16.7C5.5 18.5 3.5 13 3.5 4.8c3 0 5.5-.5 8.5-2.3z"/>`,
  hazard: svg`<path d="M12 3 22 20.5H2zM12 10v5M12 17.7v.3"/>`,
  most: svg`<path d="M4 21v-7h4.5v7M9.8 21V4h4.5v17M15.5 21v-11H20v11M2 21h20"/>`,
  gift: svg`<path d="M4 11h16v10H4zM2.5 7h19v4h-19zM12 7v14M12 7C8 7 7 3 9 2.5S12 5 12 7c0-2 1-5 3-4.5S16 7 12 7z"/>`,
  check: svg`<path d="m4 12.5 5.5 5.5L20 6.5"/>`,
  coins: TRAITS.money!,
  scroll: svg`<path d="M6 3h13v15a3 3 0 0 1-3 3H5a2 2 0 0 0 2-2V5a2 2 0 1 0-4 0v2h4M10.5 8h5M10.5 12h5"/>`,
};

const drawing = (name: string): SVGTemplateResult => TRAITS[name] ?? SIGNS[name] ?? SIGNS.scroll!;

/** A drawing inside a larger one, its middle at x, y. */
export function sign(name: string, x: number, y: number, size: number): SVGTemplateResult {
  const corner = `translate(${x - size / 2} ${y - size / 2}) scale(${size / 24})`;
  return svg`<g class="sign ${name}" transform=${corner}>${drawing(name)}</g>`;
}

/** A drawing in a line of text, which says the same: nothing for a screen reader. */
export const icon = (name: string): TemplateResult =>
  html`<svg class="icon sign ${name}" viewBox="0 0 24 24" aria-hidden="true">${drawing(name)}</svg>`;

/** Outlines of the crests, one of its own for each house. */
const CRESTS = [
  "M-12-14H12V0C12 9 6 13 0 16-6 13-12 9-12 0z",
  "M0-15.5A15.5 15.5 0 1 1 0 15.5 15.5 15.5 0 1 1 0-15.5z",
  "M0-18 16 0 0 18-16 0z",
  "M-13-14H13V15L0 9-13 15z",
];

/** A house's crest in a larger drawing: form, number and colour. */
export function crest(seat: number, x: number, y: number, scale = 1): SVGTemplateResult {
  return svg`<g class="crest seat${seat}" transform="translate(${x} ${y}) scale(${scale})">
    <path d=${CRESTS[seat] ?? CRESTS[0]!}/><text y=${seat === 3 ? 3.5 : 5.5}>${seat}</text></g>`;
}

export const badge = (seat: number): TemplateResult =>
  html`<svg class="badge" viewBox="-18 -18 36 36" role="img" aria-label=${seat}>${crest(seat, 0, 0)}</svg>`;

const MAN = "M-16 23V1C-16-6-13-9-8-9H8C13-9 16-6 16 1V23z";
const WOMAN = "M0-10C6-10 8-7 9-2L20 23H-20L-9-2C-8-7-6-10 0-10z";

/** A man broad-shouldered, a woman in a wide dress; hollow once it has acted. */
export function pawn(id: string, acted: boolean): SVGTemplateResult {
  return svg`<g class="pawn seat${seatOf(id)} ${acted ? "acted" : ""}">
    <path d=${isMan(id) ? MAN : WOMAN}/><circle cy="-17" r="9"/><text y="15">${id.slice(1)}</text></g>`;
}

/** A character in a line of text; hollow once it has acted. */
export const figure = (id: string, acted = false): TemplateResult =>
  html`<svg class="figure" viewBox="-22 -28 44 53" role="img" aria-label=${id}>${pawn(id, acted)}</svg>`;

const PIPS: Record<number, string> = { 1: "c", 2: "ai", 3: "aci", 4: "abhi", 5: "abchi", 6: "abefhi" };
const PLACES: Record<string, [number, number]> = { a: [7, 7], b: [17, 7], c: [12, 12], e: [7, 12], f: [17, 12], h: [7, 17], i: [17, 17] };

export const die = (colour: string, face: number): TemplateResult =>
  html`<svg class="die ${colour}" viewBox="0 0 24 24" role="img" aria-label="${colour} die: ${face}">
    <rect x="1.5" y="1.5" width="21" height="21" rx="5"/>
    ${[...(PIPS[face] ?? "")].map((at) => svg`<circle cx=${PLACES[at]![0]} cy=${PLACES[at]![1]} r="2.2"/>`)}</svg>`;
