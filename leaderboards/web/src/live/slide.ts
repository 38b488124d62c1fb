/** Rows that change their place slide there (first, last, invert, play), unless the reader wants less motion. */

const MS = 450;

/** Draw anew; each child of `body` with a data-key that has moved slides from where it was. */
export function slide(body: Element | null, draw: () => void): void {
  const before = places(body);
  draw();
  if (!body || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  for (const [key, row] of rows(body)) {
    const from = before.get(key);
    if (from === undefined) continue;
    const by = from - row.offsetTop;
    if (by) row.animate({ transform: [`translateY(${by}px)`, "none"] }, { duration: MS, easing: "cubic-bezier(.2,.7,.2,1)" });
  }
}

function places(body: Element | null): Map<string, number> {
  return new Map(body ? rows(body).map(([key, row]) => [key, row.offsetTop]) : []);
}

function rows(body: Element): [string, HTMLElement][] {
  return [...body.querySelectorAll<HTMLElement>(":scope > [data-key]")].map((row) => [row.dataset["key"] ?? "", row]);
}
