/** The look of the picture; colours are the tokens of the page, so that it is light and dark with it. */
import { css } from "lit";

export const styles = css`
  .ar { container: ar / inline-size; --s: var(--muted); font-size: 0.875rem; line-height: 1.45; }
  .ar .court { display: grid; gap: 0.9rem; padding: clamp(0.6rem, 2.2cqi, 1.25rem); grid-template-columns: minmax(0, 1fr); }
  .ar h3, .ar p, .ar ul, .ar ol, .ar dl, .ar dd { margin: 0; padding: 0; list-style: none; }
  .ar .seat0 { --s: var(--seat-0, #0067a5); } .ar .seat1 { --s: var(--seat-1, #bd5200); }
  .ar .seat2 { --s: var(--seat-2, #00775a); } .ar .seat3 { --s: var(--seat-3, #a2447f); }
  .ar small { color: var(--muted); font-size: 0.75rem; }
  .ar .none { color: var(--muted); }

  /* Signs */
  .ar .sign { fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; }
  .ar .sign .full { fill: currentColor; }
  .ar .icon { width: 1.05em; height: 1.05em; flex: none; vertical-align: -0.16em; }
  .ar .badge { width: 1.45em; height: 1.45em; padding: 0; background: none; border-radius: 0; flex: none; vertical-align: -0.38em; }
  .ar .figure { width: 1.35em; height: 1.65em; flex: none; vertical-align: -0.45em; }
  .ar .crest path { fill: var(--s); stroke: var(--card, #fff); stroke-width: 1.5; }
  .ar .crest text { fill: var(--card, #fff); font: 700 15px var(--sans, sans-serif); text-anchor: middle; }
  .ar .pawn path, .ar .pawn circle { fill: var(--s); stroke: var(--card, #fff); stroke-width: 1.5; stroke-linejoin: round; }
  .ar .pawn text { fill: var(--card, #fff); font: 700 13.5px var(--sans, sans-serif); text-anchor: middle; }
  .ar .pawn.acted path, .ar .pawn.acted circle { fill: color-mix(in srgb, var(--s) 16%, var(--card, #fff)); stroke: var(--s); stroke-width: 2; }
  .ar .pawn.acted text { fill: var(--s); }
  .ar .die { width: 1.5em; height: 1.5em; vertical-align: -0.4em; fill: var(--card, #fff); }
  .ar .die rect { fill: var(--ink); } .ar .die.red rect { fill: var(--bad, #ad3413); }

  /* Chips: tokens, cards, notes */
  .ar .tokens { display: inline-flex; flex-wrap: wrap; gap: 0.25rem; align-items: center; min-width: 0; }
  .ar .chip { display: inline-flex; gap: 0.3em; align-items: center; padding: 0 0.5em; border: 1px solid var(--line); border-radius: 99px; background: var(--card); font-size: 0.8125rem; line-height: 1.55; white-space: nowrap; }
  .ar .chip.card { border-radius: 5px; background: var(--wash); border-color: transparent; }
  .ar .chip.back { border-style: dashed; border-color: var(--strong-line, var(--muted)); color: var(--muted); background: repeating-linear-gradient(45deg, transparent 0 4px, var(--sunk) 4px 8px); }
  .ar .guessed .token { border-style: dashed; }
  .ar .pill { font-size: 0.75rem; line-height: 1.5; padding: 0 0.6em; border-radius: 99px; border: 1px solid var(--s); color: var(--s); white-space: nowrap; }
  .ar .pill.on { background: var(--s); color: var(--card, #fff); font-weight: 600; }
  .ar .who { display: inline-flex; gap: 0.35em; align-items: center; font-weight: 600; min-width: 0; max-width: 100%; }
  .ar .who bdi { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; max-width: 11rem; }
  .ar .one { display: inline-flex; gap: 0.25em; align-items: center; white-space: nowrap; }

  /* Top: the clock of the game and the row of events */
  .ar .top { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 0.75rem 1.25rem; align-items: stretch; }
  .ar .clock { display: flex; flex-direction: column; justify-content: center; min-width: 7.5rem; }
  .ar .clock b { font: 600 1.3rem/1.2 var(--serif, serif); text-transform: capitalize; }
  .ar .phase { color: var(--muted); }
  .ar .order { display: flex; gap: 0.2rem; margin-top: 0.25rem; }
  .ar .order span { padding: 0.1rem 0.15rem; border-bottom: 2.5px solid transparent; }
  .ar .order .on { border-color: var(--accent); }
  .ar .order .badge { width: 1.25rem; height: 1.25rem; display: block; }
  .ar .row { display: grid; grid-template-columns: repeat(4, minmax(0, 1fr)); gap: 0.5rem; }
  .ar .row li { display: flex; border: 1px solid var(--line); border-radius: 9px; background: var(--card); min-width: 0; min-height: 5.1rem; }
  .ar .row .now { border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent); background: var(--wash); }
  .ar .row .down { border-style: dashed; background: repeating-linear-gradient(45deg, var(--card) 0 6px, var(--sunk) 6px 12px); }
  .ar .row .down .event { opacity: 0.75; }
  .ar .event { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 0 0.5rem; padding: 0.45rem 0.6rem; width: 100%; align-content: start; }
  .ar .event .icon { width: 1.3rem; height: 1.3rem; margin-top: 0.1rem; color: var(--accent); }
  .ar .event .title { font: 600 0.9375rem/1.25 var(--serif, serif); }
  .ar .event .title::first-letter { text-transform: capitalize; }
  .ar .event p { font-size: 0.75rem; line-height: 1.3; color: var(--muted); text-wrap: balance; }
  .ar .event .tag { font-size: 0.6875rem; color: var(--muted); } .ar .now .tag { color: var(--accent); font-weight: 600; }

  /* The strip of what happens */
  .ar .scene { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: stretch; align-content: flex-start; min-height: 9.6rem; padding: 0.55rem; border-radius: 10px; background: var(--sunk); }
  .ar .part { flex: 0 1 auto; min-width: 0; max-width: 100%; padding: 0.4rem 0.7rem 0.5rem; border-radius: 8px; background: var(--card); border: 1px solid var(--line); }
  .ar .part h3 { display: flex; flex-wrap: wrap; gap: 0.1rem 0.4em; align-items: center; font-size: 0.75rem; font-weight: 600; color: var(--muted); line-height: 1.6; }
  .ar .part h3 .who { color: var(--ink); font-size: 0.875rem; }
  .ar .part .body { display: flex; flex-wrap: wrap; gap: 0.3rem 0.6rem; align-items: center; margin-top: 0.15rem; }
  .ar .part.ask { border-color: var(--accent); flex-grow: 1; }
  .ar .part.battle, .ar .part.contest { flex: 1 1 29rem; }
  .ar .part.battle + .ask, .ar .part.contest + .ask { flex: 1 1 10rem; }
  .ar .part.death { border-left: 3px solid var(--bad, #ad3413); }
  .ar .part.birth { border-left: 3px solid var(--good, #1a6b3a); }
  .ar .couple { display: inline-flex; gap: 0.35em; align-items: center; }
  .ar .couple > .icon, .ar .heart { color: var(--bad, #ad3413); }
  .ar .dice { display: inline-flex; gap: 0.8rem; }
  .ar .cast { display: inline-flex; gap: 0.3rem; align-items: center; }
  .ar .slots { display: inline-flex; gap: 0.5rem; color: var(--muted); font-size: 0.8125rem; }
  .ar .row-of { display: flex; flex-wrap: wrap; gap: 0.3rem 0.5rem; align-items: center; width: 100%; }
  .ar .row-of .who { min-width: 7rem; }
  .ar .secret { border-bottom: 2px dotted var(--accent); }
  .ar .places { display: grid; gap: 0.2rem; font-size: 1rem; } .ar .places li { display: flex; gap: 0.4rem; align-items: center; }

  .ar .sides { display: grid; grid-template-columns: minmax(0, 1fr) max-content minmax(0, 1fr); gap: 1rem; align-items: start; margin-top: 0.2rem; }
  .ar .side { display: grid; gap: 0.3rem; justify-items: start; }
  .ar .side.right { justify-items: end; text-align: right; }
  .ar .side .head { display: grid; } .ar .side.right .head { justify-items: end; }
  .ar .fighters { display: flex; flex-wrap: wrap; gap: 0.3rem 0.8rem; }
  .ar .side.right .fighters, .ar .side.right .stake { justify-content: flex-end; }
  .ar .stake { display: flex; flex-wrap: wrap; gap: 0.3rem; align-items: center; min-height: 1.6em; }
  .ar .clashes { display: grid; gap: 0.25rem; justify-items: center; }
  .ar .wins { display: flex; gap: 0.4rem; font: 600 1.6rem/1.15 var(--serif, serif); } .ar .wins span { color: var(--muted); font-weight: 400; }
  .ar .clash { display: grid; grid-template-columns: 1fr max-content 1fr; gap: 0.4rem; align-items: center; color: var(--muted); }
  .ar .clash .chip { color: var(--ink); } .ar .clash .chip:first-child { justify-self: end; }
  .ar .outcome { display: flex; flex-wrap: wrap; gap: 0.1rem 1rem; justify-content: center; margin-top: 0.3rem; }
  .ar .outcome .who { vertical-align: middle; }
  .ar .contest .body { align-items: flex-start; gap: 0.3rem 1rem; }
  .ar .contest .event { width: auto; max-width: 10.5rem; padding: 0.2rem 0; }
  .ar .answers { display: grid; gap: 0.1rem; flex: 1 1 17rem; min-width: 0; }
  .ar .answers li { display: flex; flex-wrap: wrap; gap: 0.1rem 0.6rem; align-items: center; min-height: 1.6rem; }
  .ar .answers .who { width: 8.25rem; }
  .ar .prize { display: inline-flex; gap: 0.25em; align-items: center; color: var(--accent); white-space: nowrap; }
  .ar .measure { width: 6.5rem; height: 1rem; display: block; }
  .ar .measure .of { fill: var(--sunk); } .ar .measure .is { fill: var(--accent); opacity: 0.7; }
  .ar .measure text { fill: var(--ink); font: 600 14px var(--sans, sans-serif); }

  /* The board */
  .ar .map { display: block; width: 100%; max-height: 44rem; margin: 0 auto; overflow: visible; font-family: var(--sans, sans-serif); }
  .ar .map.hexagons { max-height: 46rem; }
  .ar .roads path { stroke: var(--strong-line, var(--muted)); stroke-width: 12; stroke-linecap: butt; opacity: 0.55; }
  .ar .ground { fill: var(--card); }
  .ar .neutral .ground { fill: var(--sunk); }
  .ar .field:not(.neutral) .ground { fill: color-mix(in srgb, var(--s) 13%, var(--card, #fff)); }
  .ar pattern path { stroke: var(--s); stroke-width: 1.6; fill: none; opacity: 0.24; stroke-linecap: round; }
  .ar pattern.seat1 path { stroke-width: 3.2; opacity: 0.3; }
  .ar .rim { fill: none; stroke: var(--line); stroke-width: 2; stroke-linejoin: round; }
  .ar .field:not(.neutral) .rim { stroke: color-mix(in srgb, var(--s) 70%, var(--card, #fff)); stroke-width: 2.5; }
  .ar .field.hot .rim { stroke: var(--accent); stroke-width: 6; stroke-dasharray: 14 8; }
  .ar .field.changed .rim { stroke: var(--accent); stroke-width: 7; }
  .ar .palisade { fill: none; stroke: var(--ink); stroke-width: 9; stroke-dasharray: 5 5; opacity: 0.75; }
  .ar .field .name { fill: var(--muted); font-size: 20px; font-weight: 600; }
  .ar .building { fill: var(--s); opacity: 0.32; } .ar .neutral .building { fill: var(--muted); opacity: 0.3; }
  .ar .free { fill: var(--card); fill-opacity: 0.6; stroke: var(--strong-line, var(--muted)); stroke-width: 2; stroke-dasharray: 4 4; }
  .ar .halo { fill: none; }
  .ar .fresh .halo { fill: var(--wash); stroke: var(--accent); stroke-width: 3; }
  .ar .person .star { color: var(--accent); }
  .ar .ages circle { fill: var(--card); stroke: var(--strong-line, var(--muted)); stroke-width: 1.2; }
  .ar .ages .red { fill: var(--bad, #ad3413); stroke: var(--bad, #ad3413); }
  .ar .map .traits { color: var(--ink); }
  .ar .map .traits text { fill: var(--ink); font-size: 11.5px; text-anchor: middle; }
  .ar .way path { fill: none; stroke: var(--accent); stroke-width: 7; stroke-linecap: round; }
  .ar .way .under { stroke: var(--card); stroke-width: 13; }
  .ar .way.attack { color: var(--bad, #ad3413); } .ar .way.attack path:not(.under) { stroke: var(--bad, #ad3413); }
  .ar .way.attack > path:not(.under) { stroke-dasharray: 1 13; }
  .ar .way circle { fill: var(--card); stroke: currentColor; stroke-width: 2.5; }
  .ar .way .sign path { stroke: currentColor; stroke-width: 2; } .ar .way .sign .full { fill: currentColor; }
  .ar .way.court { color: var(--accent); } .ar .way.court > path:not(.under) { stroke-dasharray: 3 12; }
  .ar marker path { fill: context-stroke; stroke: none; }

  .ar .board { margin: 0; min-width: 0; }
  .ar figcaption { display: flex; flex-wrap: wrap; gap: 0.1rem 1.1rem; justify-content: center; margin-top: 0.4rem; font-size: 0.75rem; color: var(--muted); --s: var(--muted); }
  .ar figcaption .seat0 { --s: var(--muted); } .ar figcaption .ages { color: var(--bad, #ad3413); font-style: normal; font-size: 0.6rem; }
  .ar figcaption .figure { width: 1.2rem; height: 1.4rem; } .ar figcaption .pawn text { display: none; }

  /* Houses */
  .ar .houses { display: grid; gap: 0.7rem; grid-template-columns: repeat(auto-fit, minmax(min(18.5rem, 100%), 1fr)); }
  .ar .players3 .house:last-child { grid-column: 1 / -1; }
  .ar .house { display: grid; gap: 0.4rem; align-content: start; min-width: 0; padding: 0.65rem 0.8rem; border: 1px solid var(--line); border-top: 4px solid var(--s); border-radius: 10px; background: var(--card); }
  .ar .house.turn { background: color-mix(in srgb, var(--s) 6%, var(--card, #fff)); border-color: var(--s); }
  .ar .house header { display: flex; flex-wrap: nowrap; gap: 0.5rem; align-items: center; margin: 0; justify-content: flex-start; }
  .ar .house header .badge { width: 1.8rem; height: 1.8rem; }
  .ar .house h3 { font: 600 1.0625rem/1.3 var(--serif, serif); min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  .ar .vp { margin-left: auto; display: inline-flex; gap: 0.3rem; align-items: baseline; white-space: nowrap; }
  .ar .vp b { font: 600 1.45rem/1 var(--serif, serif); } .ar .vp em { color: var(--accent); font-style: normal; font-weight: 600; }
  .ar .line { display: flex; flex-wrap: wrap; gap: 0.25rem 0.5rem; align-items: baseline; min-height: 1.5rem; }
  .ar .line .of { color: var(--muted); font-size: 0.8125rem; min-width: 4.4rem; } .ar .line .of b { color: var(--ink); }
  .ar .line .tokens { flex: 1; }
  .ar .line.secret { border: 1px dashed var(--accent); border-radius: 7px; padding: 0.2rem 0.5rem; background: var(--wash); }
  .ar .counters { display: flex; flex-wrap: wrap; gap: 0.15rem 0.9rem; font-size: 0.8125rem; color: var(--muted); align-items: center; }
  .ar .counters b { color: var(--ink); }
  .ar .counters .flag { color: var(--s); font-weight: 600; }
  .ar .family { display: none; gap: 0.15rem; border-top: 1px solid var(--line); padding-top: 0.4rem; }
  .ar .family li { display: flex; flex-wrap: wrap; gap: 0.1rem 0.5rem; align-items: center; font-size: 0.8125rem; }
  .ar .family b { min-width: 1.6em; }
  .ar .family .traits { display: inline-flex; flex-wrap: wrap; gap: 0 0.55rem; flex: 1; } .ar .family .traits span { white-space: nowrap; }
  .ar .family .traits .icon { margin-right: 0.2em; } .ar .family .traits { font-size: 0.75rem; }
  .ar .family .star { color: var(--accent); }
  .ar .family .age { color: var(--bad, #ad3413); letter-spacing: 0.05em; font-size: 0.7rem; white-space: nowrap; }
  .ar .family .gone { color: var(--muted); }

  .ar .piles { display: flex; flex-wrap: wrap; gap: 0.4rem 1.75rem; border-top: 1px solid var(--line); padding-top: 0.7rem; }
  .ar .piles > div { display: flex; flex-wrap: wrap; gap: 0.2rem 0.6rem; align-items: center; }
  .ar .piles dt { color: var(--muted); font-size: 0.8125rem; } .ar .piles dd { display: flex; flex-wrap: wrap; gap: 0.25rem; align-items: center; }
  .ar .piles .next { margin-left: 0.4em; }

  @container ar (min-width: 62rem) {
    /* The board stands on the left, as large as the height of the screen lets it; all else is beside it. */
    .ar .court { --high: max(25rem, 100svh - 17.5rem); grid-template-columns: minmax(0, min(62%, var(--wide, var(--high)))) minmax(0, 1fr); grid-template-rows: repeat(2, max-content) 1fr; }
    .ar .court:has(.wide) { --wide: calc(1.3 * var(--high)); }
    .ar .board { grid-column: 1; grid-row: 1 / span 3; } .ar .map { max-height: min(44rem, var(--high)); }
    .ar .top, .ar .scene, .ar .court .houses { grid-column: 2; } .ar .piles { grid-column: 1 / -1; }
    .ar .court .houses { align-content: start; }
    .ar .top { grid-template-columns: minmax(0, 1fr); } .ar .row { grid-template-columns: repeat(auto-fit, minmax(6.75rem, 1fr)); }
    .ar .clock { flex-direction: row; align-items: baseline; justify-content: flex-start; gap: 0 0.75rem; } .ar .clock .order { margin: 0 0 0 auto; align-self: center; }
    .ar .part.battle, .ar .part.contest { flex-basis: 100%; }
  }
  @container ar (max-width: 47rem) {
    .ar .top { grid-template-columns: minmax(0, 1fr); }
    .ar .clock { flex-direction: row; flex-wrap: wrap; align-items: center; justify-content: flex-start; gap: 0 0.75rem; }
    .ar .clock .order { margin: 0 0 0 auto; }
    .ar .row li { min-height: 4.2rem; }
  }
  @container ar (max-width: 40rem) {
    .ar .top { display: contents; }
    .ar .board { order: 1; } .ar .scene { order: 2; } .ar .row { order: 3; } .ar .houses { order: 4; } .ar .piles { order: 5; }
    .ar .row { grid-template-columns: repeat(2, minmax(0, 1fr)); }
    .ar .map .traits { display: none; }
    .ar .person .body { transform: translateY(14px) scale(1.28); } .ar .person .ages { transform: translateY(30px) scale(1.25); }
    .ar .family { display: grid; }
    .ar figcaption { gap: 0.1rem 0.7rem; }
    .ar .sides { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 0.4rem 0.75rem; }
    .ar .sides .clashes { grid-row: 2; grid-column: 1 / -1; }
    .ar .field .name { font-size: 26px; }
  }
  @media (forced-colors: active) { .ar .pawn, .ar .crest, .ar .ground, .ar .hatch { forced-color-adjust: none; } }
`;
