/** What can be scrolled sideways shows that there is more of it: its end fades. */

export function more(): void {
  const look = new ResizeObserver((seen) => seen.forEach(({ target }) => mark(owner(target))));
  for (const box of document.querySelectorAll<HTMLElement>(".scroll")) {
    box.addEventListener("scroll", () => mark(box), { passive: true });
    for (const one of [box, ...box.children]) look.observe(one);
  }
}

const owner = (one: Element) => one.closest<HTMLElement>(".scroll")!;

function mark(box: HTMLElement): void {
  box.classList.toggle("more", box.scrollWidth - box.clientWidth - box.scrollLeft > 2);
}
