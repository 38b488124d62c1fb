/** What every page loads: the theme, and tables that can be sorted and searched. */
import { more } from "./more";
import { tables } from "./tables";
import { restore, watch } from "./theme";

restore();
document.addEventListener("DOMContentLoaded", () => {
  watch();
  tables();
  more();
  for (const here of document.querySelectorAll<HTMLElement>(".tabs [aria-current]")) reveal(here);
});

/** Of tabs that do not fit, the one that is open is to be seen. */
function reveal(tab: HTMLElement): void {
  const row = tab.closest<HTMLElement>(".tabs")!;
  row.scrollLeft = tab.offsetLeft - row.offsetLeft - (row.clientWidth - tab.offsetWidth) / 2;
}
