/** What a table shows, kept behind the `#` of the address, so that a link gives the same view again. */

export type View = Map<string, string>;

/** `#sort=mu-desc&find=abc`; anything else behind the `#` is a place in the page, and no view. */
export function read(): View {
  const said = location.hash.slice(1);
  return new Map(said.includes("=") ? new URLSearchParams(said) : []);
}

/** Without a step in the browser's history; an empty view leaves no `#`. */
export function write(view: View): void {
  const said = new URLSearchParams([...view].filter(([, value]) => value)).toString();
  history.replaceState(null, "", said ? `#${said}` : location.pathname + location.search);
}
