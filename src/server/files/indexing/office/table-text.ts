// Collects the text of tables, also of tables within cells. The parts of a row are joined once, when the row of the outermost table
// ends: joining after each paragraph would copy the text as often as the cell has paragraphs.

type TextRow = TextCell[];
type TextCell = (string | TextRow)[];

export interface TableText {
  /** Whether a table is open. */
  readonly isOpen: boolean;
  openTable(): void;
  closeTable(): void;
  openCell(): void;
  /** Adds a paragraph to the open cell; without one, it is left out. */
  add(text: string): void;
  /** Ends a row. Returns its text, if it has one and is not part of a cell. */
  closeRow(): string | undefined;
}

export function createTableText(): TableText {
  /** The open row of each open table. */
  const rows: TextRow[] = [];
  return {
    get isOpen() {
      return rows.length > 0;
    },
    openTable() {
      rows.push([]);
    },
    closeTable() {
      rows.pop();
    },
    openCell() {
      rows.at(-1)?.push([]);
    },
    add(text) {
      const part = text.trim();
      if (part) rows.at(-1)?.at(-1)?.push(part);
    },
    closeRow() {
      const row = rows.at(-1);
      if (!row) return undefined;
      rows[rows.length - 1] = [];
      if (!row.some((cell) => cell.length > 0)) return undefined;
      const outer = rows.at(-2)?.at(-1);
      if (!outer) return textOf(row);
      outer.push(row);
      return undefined;
    },
  };
}

/** Tables are nested less deep than the elements of a document may be, so this may call itself. */
function textOf(row: TextRow): string {
  const parts: string[] = [];
  const addRow = (cells: TextRow) => {
    for (const [index, cell] of cells.entries()) {
      if (index > 0) parts.push(' | ');
      for (const [place, part] of cell.entries()) {
        if (place > 0) parts.push(' ');
        if (typeof part === 'string') parts.push(part);
        else addRow(part);
      }
    }
  };
  addRow(row);
  return parts.join('');
}
