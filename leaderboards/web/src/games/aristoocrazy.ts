/** The picture of Aristoocrazy: the board, the houses around it, the cards, and what is going on. */
import { html, type TemplateResult } from "lit";
import type { GameView, Table, Terms, Told } from "../replay/types";
import { sentence } from "../replay/words";
import { board } from "./aristoocrazy/board";
import { piles, row } from "./aristoocrazy/cards";
import { courtOf, type Court } from "./aristoocrazy/court";
import { houses } from "./aristoocrazy/houses";
import { badge } from "./aristoocrazy/icons";
import { scene } from "./aristoocrazy/scenes";
import { styles } from "./aristoocrazy/styles";

function draw(table: Table): TemplateResult {
  const c = courtOf(table);
  return html`<div class="ar"><div class="court players${c.bots.length}">
    <div class="top">${clock(c)}${row(c)}</div>
    ${scene(c)}${board(c)}${houses(c)}${piles(c)}
  </div></div>`;
}

/** Round, phase and the order of turns. */
function clock(c: Court): TemplateResult {
  const order: number[] = c.at.order ?? [];
  return html`<div class="clock">
    <p><b>${c.t("word.round")} ${c.at.round}</b> <small>${c.t("word.of")} ${c.at.rounds}</small></p>
    <p class="phase">${c.t(`phase.${c.at.phase}`)}</p>
    <p class="order" aria-label=${c.t("word.order")}>${order.map((seat) => html`<span class=${seat === c.at.turn ? "on" : ""}>${badge(seat)}</span>`)}</p>
  </div>`;
}

/** An event of the game as a sentence; what all games have, the viewer says itself. */
const story = (told: Told, t: Terms): string | null => (told.kind.startsWith("@") ? null : sentence(told, t));

export const aristoocrazy: GameView = { draw, styles, story };
