/** Tables that are sorted by their heads and filtered by the controls above them; the address says how. */
import { read, write, type View } from "./address";

type Test = (row: HTMLTableRowElement) => boolean;
type Control = HTMLInputElement | HTMLSelectElement;

const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

class SortableTable {
  private readonly rows: HTMLTableRowElement[];
  private readonly heads: HTMLTableCellElement[];
  private readonly controls: Control[];

  constructor(private readonly table: HTMLTableElement) {
    this.rows = [...table.tBodies[0]!.rows];
    this.heads = [...table.tHead!.rows[0]!.cells];
    this.controls = [...document.querySelectorAll<Control>(`[data-filter="${table.id}"]`)];
    for (const head of this.heads) head.querySelector("button")?.addEventListener("click", () => this.turn(head));
    for (const one of this.controls) one.addEventListener("input", () => this.store());
    this.show();
  }

  /** Takes over what the address says. */
  show(): void {
    const view = read();
    for (const one of this.controls) set(one, view.get(this.named(one.dataset.name!)) ?? "");
    this.draw(view.get(this.named("sort")) ?? "");
  }

  private named(key: string): string {
    return "main" in this.table.dataset ? key : `${this.table.id}.${key}`;
  }

  private turn(head: HTMLTableCellElement): void {
    const first = head.dataset.sort === "number" && head.dataset.key !== "rank" ? "desc" : "asc";
    const now = head.ariaSort === "ascending" ? "asc" : head.ariaSort === "descending" ? "desc" : "";
    const next = now === first ? (first === "asc" ? "desc" : "asc") : first;
    this.store(`${head.dataset.key}-${next}`);
  }

  /** Writes the view to the address, then shows it. */
  private store(sort?: string): void {
    const view: View = read();
    for (const one of this.controls) view.set(this.named(one.dataset.name!), valueOf(one));
    if (sort) view.set(this.named("sort"), sort);
    write(view);
    this.draw(view.get(this.named("sort")) ?? "");
  }

  private draw(sort: string): void {
    const tests = this.controls.filter(valueOf).map((one) => this.test(one));
    const plain = !tests.length && !sort;
    for (const row of this.rows) row.hidden = "fixed" in row.dataset ? !plain : !tests.every((test) => test(row));
    this.sort(sort);
    this.tell();
  }

  private sort(sort: string): void {
    const [, key, way] = /^(.*)-(asc|desc)$/.exec(sort) ?? [];
    const column = key === undefined ? -1 : this.heads.findIndex((head) => head.dataset.key === key);
    for (const [index, head] of this.heads.entries()) {
      if (index === column) head.ariaSort = way === "asc" ? "ascending" : "descending";
      else head.removeAttribute("aria-sort");
    }
    const known = column < 0 ? this.rows : sorted(this.rows, column, this.heads[column]!.dataset.sort!, way === "asc" ? 1 : -1);
    const body = this.table.tBodies[0]!;
    if (known.some((row, index) => body.rows[index] !== row)) body.append(...known);
  }

  private tell(): void {
    const rows = this.rows.filter((row) => !("fixed" in row.dataset));
    const seen = rows.filter((row) => !row.hidden).length;
    for (const one of document.querySelectorAll(`[data-count="${this.table.id}"]`)) {
      one.textContent = seen === rows.length ? `${seen} rows` : `${seen} of ${rows.length} rows`;
    }
  }

  private test(one: Control): Test {
    const { hides, only, least, equals, links } = one.dataset;
    const value = one.value;
    if (hides) return (row) => !marks(row).includes(hides);
    if (only) return (row) => marks(row).includes(only);
    if (links) return (row) => row.querySelector(`a[href$="/${CSS.escape(value)}.html"]`) !== null;
    if (equals || least) {
      const column = this.heads.findIndex((head) => head.dataset.key === (equals ?? least));
      return equals ? (row) => textOf(row.cells[column]!) === value : (row) => numberOf(row.cells[column]!) >= Number(value);
    }
    const words = value.toLowerCase().normalize().split(/\s+/);
    return (row) => words.every((word) => wordsOf(row).includes(word));
  }
}

/** What a control asks for; empty where it asks for nothing. */
function valueOf(one: Control): string {
  return one instanceof HTMLInputElement && one.type === "checkbox" ? (one.checked ? one.value : "") : one.value.trim();
}

function set(one: Control, value: string): void {
  if (one instanceof HTMLInputElement && one.type === "checkbox") one.checked = value === one.value;
  else one.value = value;
}

function marks(row: HTMLTableRowElement): string[] {
  return (row.dataset.is ?? "").split(" ");
}

/** All that it says: of names that are cut the whole, too. */
function wordsOf(row: HTMLTableRowElement): string {
  const whole = [...row.querySelectorAll("bdi[title]")].map((name) => name.getAttribute("title")!);
  return [row.textContent!, ...whole].join(" ").toLowerCase().normalize();
}

function textOf(cell: HTMLTableCellElement): string {
  return cell.dataset.value ?? cell.textContent!.trim();
}

function numberOf(cell: HTMLTableCellElement): number {
  const said = textOf(cell).replaceAll(",", "");
  return said ? Number.parseFloat(said) : Number.NaN;
}

/** In a stable order; cells without a number come last, whichever way. */
function sorted(rows: HTMLTableRowElement[], column: number, kind: string, sign: number): HTMLTableRowElement[] {
  const keyed = rows.map((row) => ({ row, cell: row.cells[column] ?? row.cells[0]! }));
  if (kind === "text") return keyed.sort((a, b) => sign * collator.compare(textOf(a.cell), textOf(b.cell))).map(({ row }) => row);
  const numbers = keyed.map(({ row, cell }) => ({ row, value: numberOf(cell) }));
  const [known, unknown] = [numbers.filter(({ value }) => !Number.isNaN(value)), numbers.filter(({ value }) => Number.isNaN(value))];
  return [...known.sort((a, b) => sign * (a.value - b.value)), ...unknown].map(({ row }) => row);
}

export function tables(): void {
  const all = [...document.querySelectorAll<HTMLTableElement>("table.sortable")].map((table) => new SortableTable(table));
  if (all.length) addEventListener("hashchange", () => all.forEach((one) => one.show()));
}
