/** The look of a table of Claim, by the tokens of the page. */
import { css } from "lit";

export const styles = css`
  .claim { --cw: clamp(2.7rem, 7cqw, 4.1rem); padding: clamp(0.6rem, 2cqw, 1.25rem); display: grid; gap: clamp(0.6rem, 1.6cqw, 1rem);
    background: radial-gradient(120% 90% at 50% 45%, light-dark(#e9f0ea, #1d2a28), light-dark(#dbe6de, #16201f)); }
  .of-G { --hue: light-dark(#3b7a1e, #97d06e); } .of-K { --hue: light-dark(#26579b, #8fbcf5); }
  .of-U { --hue: light-dark(#5f4590, #c0abef); } .of-W { --hue: light-dark(#9a4e12, #eea968); }
  .of-X { --hue: light-dark(#a3276b, #f191c6); } .of-N { --hue: light-dark(#0b6d80, #6accdc); }
  .of-A { --hue: light-dark(#4d5a63, #b4c3cd); } .of-T { --hue: light-dark(#66621a, #d5cf72); }
  .of-D { --hue: light-dark(#b3261e, #ff9a8d); } .of-S { --hue: light-dark(#7d5f00, #eac65c); }
  .claim .dot { display: inline-block; width: 0.6em; height: 0.6em; border-radius: 50%; background: var(--own); margin-right: 0.3em; }
  .claim .cap { font-size: 0.75rem; color: var(--muted); white-space: nowrap; text-align: left; }
  .claim figure { margin: 0; text-align: center; min-width: 0; }
  .claim figcaption { font-size: 0.75rem; color: var(--muted); margin-top: 0.2rem; line-height: 1.35; }
  .claim .none { color: var(--muted); font-size: 0.8125rem; }

  .claim .card { display: block; width: var(--cw); height: auto; filter: drop-shadow(0 1px 1.5px #0003); flex: none; }
  .claim .card.small { width: calc(var(--cw) * 0.68); }
  .claim .face { fill: light-dark(#fffdf8, #262c31); stroke: light-dark(#d6d2c6, #4a535b); stroke-width: 1.2; }
  .claim .card .emblem, .sign { fill: var(--hue); }
  .claim .large { opacity: 0.92; }
  .claim .value { font: 700 23px var(--serif, serif); fill: var(--hue); font-variant-numeric: lining-nums; }
  .claim .letter { font: 700 12px var(--sans, sans-serif); fill: var(--hue); }
  .claim .back .face { fill: light-dark(#40626b, #2f4a52); stroke: light-dark(#33525a, #45636c); }
  .claim .frame { fill: none; stroke: light-dark(#b9d0d3, #6f929b); stroke-width: 1.2; } .claim .weave { fill: light-dark(#8fb0b6, #55777f); }
  .sign { width: 1em; height: 1em; vertical-align: -0.13em; }

  .claim .row { display: grid; gap: inherit; grid-template-columns: repeat(auto-fit, minmax(min(100%, 21rem), 1fr)); }
  .claim .place { min-width: 0; background: light-dark(#ffffffc4, #0e1517a8); border: 1px solid light-dark(#0001, #fff1); border-radius: 10px; padding: 0.55rem 0.75rem 0.65rem; border-left: 4px solid var(--own); }
  .claim .place.turn { box-shadow: 0 0 0 2px var(--own); }
  .claim .plate { display: flex; flex-wrap: wrap; gap: 0.2rem 0.5rem; align-items: baseline; margin-bottom: 0.4rem; font-size: 0.875rem; }
  .claim .who { min-width: 0; overflow: hidden; text-overflow: ellipsis; } .claim .who b { color: var(--own); font-weight: 650; }
  .claim .count { margin-left: auto; color: var(--muted); font-size: 0.8125rem; white-space: nowrap; } .claim .count b { color: var(--ink); font: 700 1.15rem var(--serif, serif); }
  .claim .tag { font-size: 0.75rem; line-height: 1.5; padding: 0 0.5em; border-radius: 99px; background: var(--sunk); color: var(--muted); white-space: nowrap; }
  .claim .tag.act { background: var(--own); color: light-dark(#fff, #10171a); font-weight: 600; }
  .claim .lacks span { margin-left: 0.25em; } .claim .lacks .sign { fill: currentColor; }
  .claim .held { display: grid; grid-template-columns: 4.9rem minmax(0, 1fr); align-items: center; gap: 0.5rem; }
  .claim .held .cap { white-space: normal; line-height: 1.25; }
  .claim .held.small { --cw: clamp(2.6rem, 6cqw, 3.4rem); }
  .claim .belongings { display: grid; gap: 0.35rem 1rem; margin-top: 0.4rem; }
  .claim .fan { display: flex; min-height: calc(var(--cw) * 1.4); padding-right: 2px; }
  .claim .held.small .fan { min-height: calc(var(--cw) * 0.952); }
  .claim .fan > span { flex: 0 1 calc(var(--cw) + 3px); min-width: 0; } .claim .fan > span:last-of-type { flex: none; }
  .claim .held.small .fan > span { flex-basis: calc(var(--cw) * 0.68 + 2px); }
  .claim .heaps { display: flex; flex-wrap: wrap; gap: 0.25rem 0.35rem; align-items: center; min-height: 1.6rem; }
  .claim .heap, .chip { display: inline-flex; gap: 0.3em; align-items: center; font-size: 0.8125rem; line-height: 1.5; padding: 0 0.45em; border-radius: 6px; background: light-dark(#fffdf8, #262c31); border: 1px solid light-dark(#dcd8cc, #414a52); color: var(--ink); }
  .claim .heap b, .chip { color: var(--hue); } .chip { font-weight: 600; vertical-align: bottom; }
  .line .chip { background: none; border: 0; padding: 0; gap: 0.2em; font-size: inherit; line-height: inherit; }
  .claim .heap.new { border-color: var(--hue); box-shadow: 0 0 0 1px var(--hue); }

  .claim .middle { display: grid; gap: 0.75rem 1.25rem; grid-template-columns: minmax(0, 1fr); align-items: center; }
  .claim .stock { display: flex; flex-wrap: wrap; gap: 0.6rem 0.9rem; align-items: flex-start; --cw: clamp(3.4rem, 7cqw, 4.4rem); justify-content: center; }
  .claim .lie { display: flex; gap: 3px; justify-content: center; position: relative; }
  .claim .pack b { position: absolute; inset: 0; display: grid; place-items: center; font: 700 1.15rem var(--serif, serif); color: #fff; text-shadow: 0 0 4px #000, 0 0 2px #000; }
  .claim .order { flex-basis: 100%; font-size: 0.75rem; color: var(--muted); } .claim .order summary { cursor: pointer; }
  .claim .order div { display: flex; flex-wrap: wrap; gap: 0.2rem; margin-top: 0.3rem; } .claim .order .chip { font-size: 0.75rem; padding: 0 0.3em; }
  .claim .trick { display: grid; justify-items: center; gap: 0.45rem; --cw: clamp(3.6rem, 9cqw, 5.2rem); min-height: 11.5rem; align-content: center; }
  .claim .plays { display: flex; flex-wrap: wrap; justify-content: center; gap: 0.5rem clamp(0.5rem, 2cqw, 1.1rem); }
  .claim .plays figure { width: calc(var(--cw) + 0.9rem); } .claim .plays .card { margin: 0 auto; }
  .claim .plays em { font-style: normal; font-weight: 650; color: var(--ink); } .claim .got { display: block; }
  .claim .won .face { stroke: var(--own); stroke-width: 4; } .claim .before .card { opacity: 0.62; } .claim .before .won .card { opacity: 1; }
  .claim .slot { width: var(--cw); aspect-ratio: 60 / 84; margin: 0 auto; border: 2px dashed var(--own); border-radius: 9px; opacity: 0.55; }
  .claim .led { font-size: 0.8125rem; color: var(--muted); }
  .claim .new .card { animation: lay 0.28s ease-out; }
  @keyframes lay { from { transform: translateY(-14px) scale(1.06); opacity: 0; } }

  .claim .votes { width: auto; margin: 0 auto; font-size: 0.8125rem; } .claim .votes caption { margin-bottom: 0.15rem; }
  .claim .votes th, .claim .votes td { padding: 0.12rem 0.5rem; border: 0; text-align: center; color: var(--ink); font-size: 0.8125rem; }
  .claim .votes tbody th { text-align: left; padding-left: 0; white-space: nowrap; } .claim .votes thead th { color: var(--muted); white-space: nowrap; }
  .claim .votes tbody tr + tr > * { border-top: 1px solid light-dark(#0001, #fff1); }
  .claim .votes td.has { font-weight: 700; background: color-mix(in srgb, var(--own) 20%, transparent); box-shadow: inset 0 -3px var(--own); border-radius: 4px; }

  .claim.p3 .trick, .claim.p4 .trick { --cw: clamp(3.2rem, 8cqw, 4.4rem); }
  @container (min-width: 44rem) {
    .claim .middle { grid-template-columns: minmax(8.5rem, 0.7fr) minmax(0, 2fr) max-content; }
    .claim .stock { justify-content: flex-start; }
    @media (max-height: 62rem) { /* Little height: the seat that is looked through comes first, with its hand. */
      .claim { --cw: clamp(2.7rem, min(7cqw, 7.5svh), 4.1rem); }
      .claim.seen .near { order: -2; } .claim.seen .middle { order: -1; }
    }
    .claim.p2 .belongings, .claim.p3 .near .belongings { grid-template-columns: repeat(auto-fit, minmax(19rem, 1fr)); }
  }
  @container (max-width: 44rem) {
    .claim .middle { display: contents; } .claim .trick { order: -2; min-height: 9.5rem; } .claim .stock { order: -1; } .claim .far { order: 1; } .claim .votes { order: 2; }
    .claim .row { grid-template-columns: minmax(0, 1fr); }
    .claim .place { padding-inline: 0.5rem; } .claim .closed { --cw: 2.2rem; }
    .claim .held { grid-template-columns: 3.9rem minmax(0, 1fr); gap: 0.35rem; }
  }
  @media print { .claim { background: none; } .claim .place { border-color: #999; } }
`;
