/** The keyboard of the viewer: which key asks for what. */

export type Command = "first" | "chapterBack" | "back" | "play" | "on" | "chapterOn" | "last" | "help";

const KEYS: Record<string, Command> = {
  Home: "first", ArrowLeft: "back", " ": "play", ArrowRight: "on", End: "last", "?": "help",
  "Shift+ArrowLeft": "chapterBack", "Shift+ArrowRight": "chapterOn",
};

/** What a key asks for: a command, or whose knowledge (0: everything, 1: the first seat); null where it is somebody else's. */
export function asked(event: KeyboardEvent): Command | number | null {
  const at = event.composedPath()[0] as Element;
  if (event.defaultPrevented || event.ctrlKey || event.altKey || event.metaKey) return null;
  if (at.closest?.("dialog, select, textarea, input:not([type=range], [type=radio])")) return null;
  if (event.key === " " && at.closest?.("button, summary, a, input")) return null;
  if (/^[0-4]$/.test(event.key)) return Number(event.key);
  if (at.closest?.(".moves") && event.key === "ArrowUp") return "back";
  if (at.closest?.(".moves") && event.key === "ArrowDown") return "on";
  const arrow = event.shiftKey && event.key.startsWith("Arrow");
  return KEYS[arrow ? `Shift+${event.key}` : event.key] ?? null;
}
