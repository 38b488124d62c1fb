/** The pages of charts: each figure says which data it draws and how; drawn again when there is more or less room. */
import { load } from "../data";
import { faults, luck } from "./bars";
import type { Charts, Draw } from "./data";
import { history } from "./history";
import { matrix } from "./matrix";
import { intervals, seats, timing } from "./ranges";

const DRAW: Record<string, Draw> = { faults, history, intervals, luck, matrix, seats, timing };

async function show(figure: HTMLElement): Promise<void> {
  const { chart, board, src } = figure.dataset;
  const place = figure.querySelector<HTMLElement>(".plot")!;
  const height = Number(place.querySelector("svg")!.getAttribute("height"));
  const data = await load<Charts>("charts", board!, src!);
  const draw = () => place.replaceChildren(DRAW[chart!]!(data, { width: place.clientWidth, height }, figure));
  offer(figure, data, draw);
  let width = 0;
  new ResizeObserver(() => {
    if (place.clientWidth === width) return;
    width = place.clientWidth;
    draw();
  }).observe(place);
}

/** The choice of a bot that stands out, where the figure has one. */
function offer(figure: HTMLElement, data: Charts, draw: () => void): void {
  const choice = figure.querySelector<HTMLSelectElement>("select.focus");
  if (!choice) return;
  choice.append(...data.bots.map((bot, index) => new Option(`${index + 1}  ${bot.name}`, bot.slug)));
  choice.addEventListener("input", () => {
    figure.dataset.focus = choice.value;
    draw();
  });
}

for (const figure of document.querySelectorAll<HTMLElement>("figure.chart")) {
  show(figure).catch((error: Error) => {
    figure.querySelector(".plot")!.textContent = `This picture cannot be drawn: ${error.message}. Its numbers are below.`;
  });
}
