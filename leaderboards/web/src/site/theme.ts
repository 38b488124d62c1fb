/** Light or dark: what the system says, until somebody chooses; a choice is remembered where the browser lets us. */

const KEY = "kingmaker-theme";

export type Theme = "light" | "dark";

/** Before the first paint: this script stands in the head and blocks. */
export function restore(): void {
  document.documentElement.classList.add("js");
  const chosen = remembered();
  if (chosen) document.documentElement.dataset.theme = chosen;
}

/** Every switch of the page turns to the other theme; charts and others hear a `themechange`. */
export function watch(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>("button.theme")) {
    button.addEventListener("click", () => choose(current() === "dark" ? "light" : "dark"));
  }
}

function current(): Theme {
  const chosen = document.documentElement.dataset.theme;
  if (chosen === "light" || chosen === "dark") return chosen;
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

function choose(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // a browser that keeps nothing for files: the choice holds for this page
  }
  document.dispatchEvent(new Event("themechange"));
}

function remembered(): Theme | null {
  try {
    const kept = localStorage.getItem(KEY);
    return kept === "light" || kept === "dark" ? kept : null;
  } catch {
    return null;
  }
}
