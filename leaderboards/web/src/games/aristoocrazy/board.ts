/** The board as a map: fields with their owners, who stands on them, and what moved in this step. */
import { html, nothing, svg, type SVGTemplateResult, type TemplateResult } from "lit";
import { all, happened, inWords, seatOf, type Court, type Person } from "./court";
import { chartOf, path, type Chart } from "./geometry";
import { crest, figure, icon, pawn, sign } from "./icons";

const COLUMN = 64;

export function board(c: Court): TemplateResult {
  const chart = chartOf(c.setup.board);
  const names = [...chart.spots.keys()];
  return html`<figure class="board"><svg class="map ${chart.hexagons ? "hexagons" : "squares"} ${chart.box[2] > 1.15 * chart.box[3] ? "wide" : ""}" viewBox=${chart.box.join(" ")} role="group" aria-label=${c.t("word.board")}>
    <defs>${[0, 1, 2, 3].map(pattern)}
      <marker id="ar-tip" viewBox="0 0 10 10" refX="6" refY="5" markerWidth="3.2" markerHeight="3.2" orient="auto-start-reverse"><path d="M0 0 10 5 0 10z"/></marker>
    </defs>
    <g class="roads" aria-hidden="true">${names.map((name) => roads(c, chart, name))}</g>
    ${names.map((name) => field(c, chart, name))}
    <g class="news" aria-hidden="true">${arrows(c, chart)}</g>
  </svg>${legend(c)}</figure>`;
}

/** How to read the figures. */
const legend = (c: Court): TemplateResult => html`<figcaption>
  <span>${figure("0M1")} ${c.t("sex.M")}</span><span>${figure("0F1")} ${c.t("sex.F")}</span><span>${figure("0M1", true)} ${c.t("word.acted")}</span>
  <span>${icon("star")} ${c.t("word.new")}</span><span><i class="ages">●●○○○</i> ${c.t("word.age")}</span></figcaption>`;

/** What a house's land is hatched with, so that it is told without its colour: stripes, dots, waves, a grid. */
const HATCHES = ["M-2 14 14-2M-2 2 2-2M10 14 14 10", "M6 6h.01", "M0 4q3-3 6 0t6 0M0 10q3-3 6 0t6 0", "M6 2v8M2 6h8"];

const pattern = (seat: number): SVGTemplateResult =>
  svg`<pattern id="ar-hatch-${seat}" class="seat${seat}" width="12" height="12" patternUnits="userSpaceOnUse"><path d=${HATCHES[seat]!}/></pattern>`;

function roads(c: Court, chart: Chart, name: string): SVGTemplateResult[] {
  const from = chart.spots.get(name)!;
  const after: string[] = c.setup.board.fields[name].adjacent.filter((other: string) => other > name);
  return after.map((other) => {
    const to = chart.spots.get(other)!;
    return svg`<path d="M${from.x} ${from.y}L${to.x} ${to.y}"/>`;
  });
}

function field(c: Court, chart: Chart, name: string): SVGTemplateResult {
  const { x, y } = chart.spots.get(name)!;
  const { owner = null, palisade = false } = c.at.fields?.[name] ?? {};
  const people = [...c.people.values()].filter((one) => one.field === name);
  const marks = [owner === null ? "neutral" : `seat${owner}`, isHot(c, name) ? "hot" : "", hasChanged(c, name) ? "changed" : ""];
  const top = chart.hexagons ? -88 : -78;
  return svg`<g class="field ${marks.join(" ")}" transform="translate(${x} ${y})" role="img" aria-label=${label(c, name, people)}>
    <path class="ground" d=${chart.outline}/>
    ${owner === null ? nothing : svg`<path class="hatch" d=${chart.outline} fill="url(#ar-hatch-${owner})"/>`}
    ${palisade ? svg`<path class="palisade" d=${chart.outline} transform="scale(.97)"/>` : nothing}
    <path class="rim" d=${chart.outline}/>
    ${building(c, name, chart.hexagons)}
    <text class="name" x=${chart.hexagons ? -34 : -86} y=${top + 8}>${name}</text>
    ${owner === null ? nothing : crest(owner, chart.hexagons ? 18 : 76, top + 2)}
    ${places(c, name, people)}
  </g>`;
}

function label(c: Court, name: string, people: Person[]): string {
  const { owner = null, palisade = false } = c.at.fields?.[name] ?? {};
  const { places: room, adjacent } = c.setup.board.fields[name];
  const whose = owner === null ? c.t("word.neutral") : `${c.t("word.house")} ${owner}`;
  const kind = c.setup.board.homes.includes(name) ? `, ${c.t("word.home")}` : "";
  const standing = people.map((one) => inWords(c, one)).join(". ") || c.t("word.none");
  return `${name}${kind}, ${whose}${palisade ? `, ${c.t("word.palisade")}` : ""}, ${c.t("word.places")} ${room}, ${c.t("word.beside")} ${adjacent.join(" ")}: ${standing}`;
}

/** Whether the decision is about this field. */
const isHot = (c: Court, name: string): boolean => c.at.decision?.field === name;

const hasChanged = (c: Court, name: string): boolean => all(c, "crest").some((body) => body.field === name);

const CASTLE = "M-40 14V-14h9v6h7v-6h9v6h6V-22h8v6h4v-6h8v14h6v-6h9v6h7v-6h9V14H9V6a9 9 0 0 0-18 0v8z";
const HOUSES = "M-34 14V-4l12-10 12 10V14zM-6 14V-10L8-22l14 12V14zM26 14V0l8-7 8 7v14z";

/** What has two places is a town, what is a home has a castle. */
function building(c: Court, name: string, hexagons: boolean): SVGTemplateResult | typeof nothing {
  const home = c.setup.board.homes.includes(name);
  if (!home && c.setup.board.fields[name].places < 2) return nothing;
  const [at, size] = home ? [hexagons ? 82 : 74, 0.9] : [hexagons ? 92 : -70, hexagons ? 0.42 : 0.6];
  return svg`<path class="building" d=${home ? CASTLE : HOUSES} transform="translate(0 ${at}) scale(${size})"/>`;
}

/** Who stands there side by side, and the places that are free. */
function places(c: Court, name: string, people: Person[]): SVGTemplateResult {
  const room: number = c.setup.board.fields[name].places;
  const middle = (at: number) => (at - (room - 1) / 2) * COLUMN;
  const free = Array.from({ length: room - people.length }, (_, at) => svg`<circle class="free" cx=${middle(people.length + at)} cy="-26" r="11"/>`);
  return svg`<g transform="translate(0 ${room < 3 ? 16 : 0}) scale(${room < 3 ? 1.36 : 1})">${people.map((one, at) => person(c, one, middle(at)))}${free}</g>`;
}

function person(c: Court, one: Person, x: number): SVGTemplateResult {
  return svg`<g class="person seat${seatOf(one.id)} ${isNews(c, one.id) ? "fresh" : ""}" transform="translate(${x} -26)">
    <title>${inWords(c, one)}</title>
    <g class="body"><ellipse class="halo" cy="2" rx="27" ry="31"/>${pawn(one.id, one.acted)}
    ${one.new ? sign("star", 19, -19, 17) : nothing}</g>
    <g class="ages">${[0, 1, 2, 3, 4].map((at) => svg`<circle class=${at < one.red ? "red" : ""} cx=${(at - 2) * 10} cy="32" r="3.8"/>`)}</g>
    <g class="traits">${one.traits.map((name, at) => trait(c, name, (at - 1) * 19))}</g>
  </g>`;
}

const trait = (c: Court, name: string, x: number): SVGTemplateResult =>
  svg`<g transform="translate(${x} 0)">${sign(name, 0, 50, 16)}<text y="70">${c.t(`trait.${name}`).slice(0, 2)}</text></g>`;

const ABOUT = ["moved", "born", "chip", "healed", "tutored", "courtship", "attack", "taken"];

/** Whether something happened to a character in this step. */
const isNews = (c: Court, id: string): boolean =>
  c.news.some((one) => ABOUT.includes(one.kind) && (one.body.char === id || one.body.partner === id || one.body.defenders?.includes(id)));

/** Ways taken, attacks and courtships of this step, as arrows. */
function arrows(c: Court, chart: Chart): SVGTemplateResult[] {
  const arrow = (kind: string, from: string | undefined, to: string, what: SVGTemplateResult | typeof nothing = nothing) => {
    const [start, end] = [chart.spots.get(from ?? to)!, chart.spots.get(to)!];
    if (start === end) return svg``;
    const way = path(start, end, what === nothing ? 0.1 : 0);
    const [x, y] = [(start.x + end.x) / 2, (start.y + end.y) / 2];
    return svg`<g class="way ${kind}"><path class="under" d=${way}/><path d=${way} marker-end="url(#ar-tip)"/>
      ${what === nothing ? nothing : svg`<g transform="translate(${x} ${y})"><circle r="19"/>${what}</g>`}</g>`;
  };
  const left = (body: { char: string }) => all(c, "moved").find((move) => move.char === body.char)?.from ?? c.people.get(body.char)?.field;
  const moves = all(c, "moved").filter((move) => !all(c, "attack").some((body) => body.char === move.char));
  return [
    ...moves.map((move) => arrow("move", move.from, move.to)),
    ...all(c, "attack").map((body) => arrow("attack", left(body), body.field, sign("swords", 0, 0, 24))),
    ...all(c, "courtship").map((body) => arrow("court", left(body), body.field, sign("heart", 0, 0, 22))),
    ...battleField(c).map(({ char, field: at }) => arrow("attack", left({ char }), at, sign("swords", 0, 0, 24))),
  ];
}

/** A battle that was declared in an earlier step and goes on. */
function battleField(c: Court): { char: string; field: string }[] {
  const decision = c.at.decision;
  return decision?.attacker !== undefined && !happened(c, "attack") ? [decision] : [];
}
