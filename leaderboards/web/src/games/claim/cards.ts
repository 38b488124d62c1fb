/** Own drawings of the cards of Claim: a faction has an emblem, a letter and a colour. */
import { html, svg } from "lit";
import type { TemplateResult } from "lit";
import type { Terms } from "../../replay/types";

/** By letter of a faction, a drawing on 24 by 24; where parts lie on each other they are cut out. */
const EMBLEMS: Record<string, string> = {
  G: "M1 6.500 7 9c1.200-2.300 3-3.500 5-3.500S15.800 6.700 17 9l6-2.500-4.600 7.400C18 18 15.500 21 12 21s-6-3-6.400-7.100zM9 12a1.600 1.600 0 1 0 .01 0zM15 12a1.600 1.600 0 1 0 .01 0zM9.500 17h5l-2.500 1.600z",
  K: "M12 1.500 20.500 4.500v6.500c0 5.700-3.500 9.300-8.500 11.500-5-2.200-8.500-5.800-8.500-11.500V4.500zM10.700 6v4.200H6.500v2.600h4.200V18.500h2.600v-5.700h4.200v-2.600h-4.200V6z",
  U: "M12 2c-5.200 0-9 3.500-9 8.200 0 3 1.500 5.100 3.700 6.400V21h2.400v-2.200h1.700V21h2.400v-2.200h1.700V21h2.400v-4.400c2.200-1.300 3.700-3.400 3.700-6.400C21 5.500 17.200 2 12 2zM8.300 8.300a2.200 2.200 0 1 0 .01 0zM15.700 8.300a2.200 2.200 0 1 0 .01 0zM12 13l1.500 2.600h-3z",
  W: "M10.900 2h2.200v3.200C16.500 3.200 19.500 2.800 22 3c-1.700 3.400-1.700 7.300 0 10.700-2.500.2-5.500-.2-8.900-2.200V22h-2.200V11.500C7.500 13.500 4.500 13.900 2 13.700c1.700-3.400 1.700-7.300 0-10.700 2.500-.2 5.500.2 8.900 2.200z",
  X: "M8.700 4.500a7.500 7.500 0 1 0 .01 0zM15.300 4.500a7.500 7.500 0 1 0 .01 0z",
  N: "M12.500 1c2.900 4.700 4.700 9.200 5.500 13.500h2.800c.9 2.400.2 4.700-1.600 6H4.800c-1.800-1.300-2.500-3.600-1.600-6H6C6.800 10 9 5.200 12.500 1zM6.500 16.500a.9.9 0 0 0 0 1.900h11a.9.9 0 0 0 0-1.900z",
  A: "M1 21.500 8.500 4.500 13 12l3-4 7 13.500zM8.600 8.600 6.300 14l2-1 1.700 1.700 1.300-1.300z",
  T: "M2 2.500c3 .6 5 2.200 6 4.500h8c1-2.300 3-3.900 6-4.500.6 4.300-.8 7.500-3.600 9.200V15c0 4.200-2.700 7-6.400 7s-6.400-2.800-6.400-7v-3.300C2.800 10 1.400 6.800 2 2.500zM9.200 10.500a1.600 1.600 0 1 0 .01 0zM14.800 10.500a1.600 1.600 0 1 0 .01 0zM8.300 19l.9-3.500 1 2h3.600l1-2 .9 3.500z",
  D: "M12.500 1c.7 4.300 6.500 6.700 6.500 13 0 4.800-3 8.500-7 8.500S5 18.800 5 14.500c0-3.200 1.600-5.600 3.600-7.200-.2 2.400.4 3.800 1.700 4.400C9.800 7.500 10.600 3.600 12.500 1zM12.200 13.500c-.2 1.600-2.700 2.700-2.700 5.200 0 1.600 1.100 2.600 2.600 2.600s2.600-1.100 2.600-2.700c0-2.100-1.800-3-2.500-5.100z",
  S: "M.8 12C3.800 7 7.700 4.300 12 4.300S20.200 7 23.200 12c-3 5-6.900 7.700-11.200 7.700S3.800 17 .8 12zM12 7a5 5 0 1 0 .01 0zM12 9.600a2.400 2.400 0 1 1-.01 0z",
};

/** What a card is called: `Knights 7`. */
export const called = (card: string, t: Terms): string => `${t(`faction.${card[0]}`)} ${card.slice(1)}`;

const shape = (letter: string, transform: string) =>
  svg`<path class="emblem" fill-rule="evenodd" transform=${transform} d=${EMBLEMS[letter] ?? ""} />`;

/** A faction's sign alone; the text beside it says its name. */
export const emblem = (letter: string): TemplateResult =>
  html`<svg class="sign of-${letter}" viewBox="0 0 24 24" aria-hidden="true">${shape(letter, "")}</svg>`;

/** A card face up. */
export function card(name: string, t: Terms, kind = ""): TemplateResult {
  const [letter, value] = [name[0]!, name.slice(1)];
  return html`<svg class="card of-${letter} ${kind}" viewBox="0 0 60 84" role="img" aria-label=${called(name, t)} data-card=${name}>
    <rect class="face" x="1" y="1" width="58" height="82" rx="7" />
    <text class="value" x="12" y="22" text-anchor="middle">${value}</text>
    ${shape(letter, "translate(5.500 27) scale(.54)")}
    <text class="letter" x="12" y="54" text-anchor="middle">${letter}</text>
    <g class="large">${shape(letter, "translate(25 44) scale(1.250)")}</g>
  </svg>`;
}

/** A card face down: nothing of which card it is. */
export const back = (kind = ""): TemplateResult => html`<svg class="card back ${kind}" viewBox="0 0 60 84" aria-hidden="true">
  <rect class="face" x="1" y="1" width="58" height="82" rx="7" />
  <rect class="frame" x="7" y="7" width="46" height="70" rx="4" />
  <path class="weave" d="M30 16 48 42 30 68 12 42zM30 28 40 42 30 56 20 42z" fill-rule="evenodd" />
</svg>`;

/** Cards side by side, those that do not fit over each other; `hidden` more lie face down. */
export function fan(cards: string[], hidden: number, says: string, t: Terms, kind = ""): TemplateResult {
  const down = Array.from({ length: hidden }, () => html`<span>${back(kind)}</span>`);
  return html`<div class="fan" role="group" aria-label=${says}>
    ${cards.map((one) => html`<span>${card(one, t, kind)}</span>`)}${down}
    ${hidden ? html`<i class="unseen">${hidden} ${t("word.face_down")}</i>` : ""}
  </div>`;
}

/** A card in a line of text. */
export const chip = (name: string, t: Terms): TemplateResult =>
  html`<span class="chip of-${name[0]}" title=${called(name, t)} data-card=${name}>${emblem(name[0]!)}${name}</span>`;
