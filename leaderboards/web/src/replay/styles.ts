/** The look of the viewer around the picture, by the tokens of site.css. */
import { css } from "lit";

export const styles = css`
  :host {
    display: block; container-type: inline-size; color: var(--ink, CanvasText); font-variant-numeric: tabular-nums;
    --s0: var(--seat-0, #0067a5); --s1: var(--seat-1, #bd5200); --s2: var(--seat-2, #00775a); --s3: var(--seat-3, #a2447f);
  }
  * { box-sizing: border-box; }
  h2, h3, p, ol, ul, dl, dd { margin: 0; padding: 0; }
  ol, ul { list-style: none; }
  h2 { font: 600 1.6rem/1.25 var(--serif, serif); overflow-wrap: anywhere; }
  h3 { font: 600 0.8125rem/1.4 var(--sans, sans-serif); color: var(--muted); letter-spacing: 0.02em; }
  a { color: var(--accent); text-underline-offset: 0.18em; }
  bdi { unicode-bidi: isolate; overflow-wrap: anywhere; }
  code, kbd, pre { font-family: var(--mono, monospace); font-size: 0.875em; overflow-wrap: anywhere; }
  kbd { border: 1px solid var(--line); border-bottom-width: 2px; border-radius: 4px; padding: 0 0.35em; background: var(--card); }
  :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
  .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
  .muted { color: var(--muted); }
  .small { font-size: 0.8125rem; }

  button, select, summary { font: inherit; color: inherit; cursor: pointer; }
  button, select { background: var(--card); border: 1px solid var(--line); border-radius: 7px; padding: 0.3rem 0.6rem; min-height: 2.25rem; }
  button:hover:enabled, select:hover { border-color: var(--strong-line, var(--ink)); }
  button:disabled { opacity: 0.4; cursor: default; }
  button svg { width: 1.1rem; height: 1.1rem; fill: currentColor; display: block; }

  .head { display: flex; flex-wrap: wrap; gap: 0.5rem 1.5rem; align-items: center; justify-content: space-between; margin-bottom: 0.75rem; }
  header { display: flex; flex-wrap: wrap; gap: 0.1rem 1rem; align-items: baseline; min-width: 0; }
  .versus { display: inline-flex; flex-wrap: wrap; gap: 0.15rem 0.5rem; }
  .versus { max-width: 100%; } .versus > * { max-width: min(100%, 32ch); overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
  .versus > * + *::before { content: "– "; color: var(--muted); font-weight: 400; }
  .badge { display: inline-block; padding: 0 0.5em; border-radius: 99px; background: var(--sunk); color: var(--muted); font-size: 0.75rem; line-height: 1.6; white-space: nowrap; }
  .badge.live { background: var(--bad-wash); color: var(--bad); }
  .badge.won { background: var(--wash); color: var(--accent); font-weight: 600; }
  .seat { display: inline-flex; align-items: baseline; gap: 0.4em; min-width: 0; }
  .seat::before { content: ""; flex: none; width: 0.6em; height: 0.6em; border-radius: 50%; background: var(--own, var(--muted)); }
  .seat > span { white-space: nowrap; }
  .of0 { --own: var(--s0); } .of1 { --own: var(--s1); } .of2 { --own: var(--s2); } .of3 { --own: var(--s3); }

  .eyes { display: flex; flex-wrap: wrap; gap: 0.4rem; align-items: center; min-width: 0; }
  .eyes label { position: relative; display: inline-flex; align-items: center; min-height: 2.25rem; max-width: 100%; padding: 0.2rem 0.8rem;
    border: 1px solid var(--line); border-radius: 99px; background: var(--card); cursor: pointer; font-size: 0.875rem; }
  .eyes label:hover { border-color: var(--strong-line, var(--ink)); }
  .eyes input { position: absolute; inset: 0; opacity: 0; margin: 0; cursor: pointer; }
  .eyes label:has(:checked) { background: var(--wash); border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent); }
  .eyes label:has(:focus-visible) { outline: 2px solid var(--accent); outline-offset: 2px; }
  .eyes .name { max-width: 12rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }

  .desk { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1rem; }
  .stage { container-type: inline-size; min-width: 0; border: 1px solid var(--line); border-radius: 12px; background: var(--card); overflow: clip; }
  .stage > .empty { padding: 3rem 1.5rem; text-align: center; color: var(--muted); }
  .bar { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 0.75rem; position: sticky; bottom: 0; z-index: 5; margin-top: 0.75rem; padding: 0.5rem 0.75rem 0.6rem; background: var(--card); border: 1px solid var(--line); border-radius: 12px; box-shadow: 0 -6px 18px -12px #0006; }
  .said, .track { flex: 1 1 100%; min-width: 0; }
  .said { display: flex; gap: 0.75rem; align-items: baseline; line-height: 1.4; min-height: 1.5rem; }
  .said .lines { flex: 1; min-width: 0; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 1; line-clamp: 1; overflow: hidden; overflow-wrap: anywhere; }
  .said .line + .line::before { content: " · "; } .said .line + .line { color: var(--muted); font-size: 0.875rem; }
  .said .at { color: var(--muted); font-size: 0.8125rem; white-space: nowrap; }
  .track { position: relative; padding-top: 0.35rem; }
  .track svg { position: absolute; left: 8px; right: 8px; top: 0.2rem; width: calc(100% - 16px); height: 6px; overflow: visible; }
  .track rect { fill: var(--strong-line, #888); opacity: 0.55; } .track rect.fault { fill: var(--bad); opacity: 1; }
  .track input { width: 100%; margin: 0.2rem 0 0.3rem; height: 1.5rem; accent-color: var(--accent); cursor: pointer; display: block; }
  .keys { display: flex; flex-wrap: wrap; gap: 0.35rem; align-items: center; }
  .copied { max-width: 18rem; overflow-wrap: anywhere; }
  .keys .play { background: var(--accent); color: var(--on-accent, #fff); border-color: var(--accent); padding-inline: 0.9rem; }

  .side { display: flex; flex-direction: column; gap: 1rem; min-width: 0; }
  .panel { border: 1px solid var(--line); border-radius: 12px; background: var(--card); padding: 0.75rem 0.9rem; min-width: 0; }
  .panel > h3 { margin-bottom: 0.4rem; }
  .alert { border-left: 4px solid var(--bad); background: var(--bad-wash); border-radius: 0 10px 10px 0; padding: 0.7rem 1rem; margin-bottom: 0.75rem; overflow-wrap: anywhere; }
  .alert.quiet { border-color: var(--strong-line, var(--muted)); background: var(--sunk); }
  .alert pre { margin: 0.4rem 0 0; padding: 0.5rem 0.75rem; max-height: 8.5rem; font-size: 0.8125rem; line-height: 1.5; overflow: auto; background: var(--card); border-radius: 6px; white-space: pre-wrap; }
  .result { border-left: 4px solid var(--accent); background: var(--wash); border-radius: 0 10px 10px 0; padding: 0.7rem 1rem; margin-bottom: 0.75rem; }
  .result { display: flex; flex-wrap: wrap; gap: 0.1rem 1.5rem; align-items: baseline; } .result li { display: inline-flex; flex-wrap: wrap; gap: 0 0.6em; } .result ol { display: flex; flex-wrap: wrap; gap: 0.1rem 1.25rem; }
  .waiting { min-height: 80vh; }
  .result strong { font-family: var(--serif, serif); font-size: 1.1rem; overflow-wrap: anywhere; }
  table { border-collapse: collapse; width: 100%; font-size: 0.875rem; }
  th { font-weight: 400; color: var(--muted); text-align: right; font-size: 0.75rem; padding: 0 0 0.2rem 0.5rem; white-space: nowrap; }
  th:first-child, td:first-child { text-align: left; padding-left: 0; }
  td { text-align: right; padding: 0.25rem 0 0.25rem 0.5rem; border-top: 1px solid var(--line); white-space: nowrap; }
  td:first-child { white-space: normal; overflow-wrap: anywhere; }
  .chips { display: flex; flex-wrap: wrap; gap: 0.3rem; max-height: 7.5rem; overflow: auto; scrollbar-width: thin; }
  .chips li { border: 1px solid var(--line); border-radius: 6px; padding: 0.05rem 0.45rem; font: 0.8125rem/1.6 var(--mono, monospace); }
  .chips .chosen { border-color: var(--accent); background: var(--wash); font-weight: 600; }
  .quote { border-left: 3px solid var(--own, var(--line)); padding-left: 0.7rem; white-space: pre-wrap; overflow-wrap: anywhere; max-height: 9rem; overflow: auto; }

  .moves { height: 17rem; overflow: auto; margin: 0 -0.4rem; scrollbar-width: thin; overscroll-behavior: contain; position: relative; }
  .moves button { display: grid; grid-template-columns: 2.2rem minmax(0, 1fr); width: 100%; min-height: 0; text-align: left; border: 0; border-radius: 6px; background: none; padding: 0.2rem 0.4rem; font-size: 0.875rem; line-height: 1.4; }
  .moves button:hover { background: var(--sunk); }
  .moves [aria-current] { background: var(--wash); box-shadow: inset 3px 0 var(--accent); }
  .moves .no { color: var(--muted); font-size: 0.75rem; line-height: 1.65; }
  .moves .line { display: block; overflow-wrap: anywhere; }
  .moves .line + .line { color: var(--muted); font-size: 0.8125rem; }
  .moves .chapter { border-bottom: 1px solid var(--line); }
  .moves .fault { color: var(--bad); font-weight: 600; }
  .log li { padding: 0.25rem 0; border-top: 1px solid var(--line); font-size: 0.875rem; white-space: pre-wrap; overflow-wrap: anywhere; }
  .log { max-height: 16rem; overflow: auto; margin-top: 0.4rem; }
  pre.log { padding: 0.5rem 0.65rem; background: var(--sunk); border-radius: 6px; font-size: 0.75rem; line-height: 1.5; white-space: pre-wrap; overflow-wrap: anywhere; }
  .log-panel summary { font-size: 0.875rem; } .log-panel details + details { margin-top: 0.35rem; } .log-panel .seat { vertical-align: bottom; }
  .log button { min-height: 0; padding: 0 0.4rem; font-size: 0.75rem; color: var(--muted); margin-right: 0.4rem; }

  dialog { border: 1px solid var(--line); border-radius: 12px; background: var(--card); color: var(--ink); padding: 1.25rem 1.5rem; max-width: min(30rem, 92vw); }
  dialog::backdrop { background: #0008; }
  dialog dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.4rem 1rem; margin: 0.75rem 0 1rem; }
  dialog dt { text-align: right; }

  @container (min-width: 62rem) {
    .desk { grid-template-columns: minmax(0, 1fr) 20.5rem; align-items: start; }
    .moves { height: 20rem; }
    .bar { display: grid; grid-template-columns: max-content minmax(0, 1fr) max-content; gap: 0.15rem 0.9rem; align-items: center; }
    .said { grid-column: 1 / -1; } .keys { grid-row: 2; } .track { grid-row: 2; grid-column: 2; padding-top: 0; } .track svg { top: -0.1rem; } .track input { margin: 0; }
  }
  @container (max-width: 34rem) {
    .keys .wide { display: none; } .keys { gap: 0.25rem; } .keys button, .keys select { padding-inline: 0.35rem; } .keys button:not(.wide) { min-width: 2.1rem; } .keys button svg { margin: auto; }
    .said { font-size: 0.875rem; height: 2.8em; } .said .lines { -webkit-line-clamp: 2; line-clamp: 2; }
    .bar { padding-inline: 0.6rem; }
    .eyes .name { max-width: 11rem; }
  }
  @media (prefers-reduced-motion: reduce) { *, *::before, *::after { animation: none !important; transition: none !important; } }
  @media print {
    .eyes, .bar .track, .keys, .moves-panel, dialog, .log-panel { display: none !important; }
    .bar { position: static; box-shadow: none; } .said .lines { display: block; }
    .desk { grid-template-columns: minmax(0, 1fr); } .stage, .panel { break-inside: avoid; }
  }
`;
