/** A seat's number with its colour, and the bot there. */
import { html, nothing } from "lit";
import type { TemplateResult } from "lit";
import type { Terms } from "./types";
import { label } from "./words";

export const seat = (t: Terms, at: number, name?: string): TemplateResult =>
  html`<span class="seat of${at % 4}"><span>${t("word.seat")} ${at}</span>${
    name === undefined ? nothing : html`<bdi class="name" title=${label(name)}>${label(name, 21)}</bdi>`
  }</span>`;
