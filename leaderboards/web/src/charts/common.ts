/** What all charts share: names that fit, numbers in words, and a plot as this page may hold it. */
import * as Plot from "@observablehq/plot";
import type { Charts, Room } from "./data";

const ruler = document.createElement("canvas").getContext("2d")!;

/** CSS pixels that the longest of some texts takes. */
export function widest(texts: string[]): number {
  ruler.font = `600 12px ${getComputedStyle(document.body).fontFamily}`;
  return Math.max(24, ...texts.map((text) => ruler.measureText(text).width));
}

/** A plot for a page whose policy allows no style element: Plot's own rules stand in charts.css. */
export function plot(room: Room, label: string, options: Plot.PlotOptions): SVGSVGElement {
  const drawn = Plot.plot({ className: "drawing", ...room, ariaLabel: label, ...options }) as SVGSVGElement;
  drawn.querySelector("style")?.remove();
  drawn.setAttribute("role", "img");
  for (const part of drawn.querySelectorAll("g[aria-label]")) part.removeAttribute("aria-label"); // a picture has one name
  return drawn;
}

/** A name as there is room for it. */
export const short = (data: Charts, index: number, room: Room): string => data.bots[index]!.short[room.width < 560 ? 1 : 0];

/** The same with its place before it. */
export const called = (data: Charts, index: number, room: Room): string => `${index + 1}  ${short(data, index, room)}`;

/** An axis of bots at the left, whatever they are called: two may have one name. */
export function botAxis(data: Charts, shown: number[], room: Room): { y: Plot.ScaleOptions; marginLeft: number } {
  const texts = new Map(shown.map((index) => [index, called(data, index, room)]));
  return {
    y: { domain: shown, label: null, tickSize: 0, tickFormat: (index: number) => texts.get(index) ?? "" },
    marginLeft: 14 + widest([...texts.values()]),
  };
}

export const percent = (share: number, digits = 0): string => `${(100 * share).toFixed(digits)}%`;

/** A duration in the unit that fits: `0.3 ms`, `12 ms`, `1.5 s`. */
export function duration(ms: number): string {
  if (ms < 1) return `${Number(ms.toPrecision(2))} ms`;
  return ms < 1000 ? `${Number(ms.toPrecision(3))} ms` : `${Number((ms / 1000).toPrecision(3))} s`;
}

/** The indices of what is there. */
export function known(values: readonly unknown[]): number[] {
  return values.flatMap((value, index) => (value === null ? [] : [index]));
}
