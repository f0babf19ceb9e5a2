// CSV (RFC 4180) read as it comes and written line by line. It knows cells, and nothing of columns.

/** Null is a cell without anything; a cell with an empty text is `""`. */
export type Cell = string | null;

/** The file is no CSV; the message says where, for who sent it. */
export class CsvError extends Error {}

export interface CsvReader {
  /** The rows that end in this piece. Empty lines are none. */
  push(piece: string): Cell[][];
  /** The rest. Throws CsvError when a quote is open. */
  end(): Cell[][];
}

const separators = [',', ';', '\t'];

/**
 * Reads CSV with any line ends and with or without a byte order mark. The first comma, semicolon or tab outside quotes
 * is the separator of the file. Throws CsvError when a row has more than `most` characters: a quote was left open.
 */
export function createCsvReader(most: number): CsvReader {
  let separator: string | undefined;
  let row: Cell[] = [];
  let cell = '';
  let size = 0;
  let line = 1;
  let begun = false;
  let first = true;
  /** Where we are: before a cell's first character, in a bare cell, within quotes, behind a quote within quotes. */
  let state: 'start' | 'bare' | 'quoted' | 'quote' = 'start';
  let afterReturn = false;

  function endCell(): void {
    row.push(state === 'start' ? null : cell);
    cell = '';
    state = 'start';
  }

  function endRow(rows: Cell[][]): void {
    endCell();
    if (row.length > 1 || row[0] !== null) rows.push(row);
    row = [];
    size = 0;
    begun = false;
  }

  /** Takes what stands at `index`, and gives where to go on. */
  function step(piece: string, index: number, rows: Cell[][]): number {
    const char = piece.charAt(index);
    if (state === 'quoted') {
      const close = piece.indexOf('"', index);
      const end = close < 0 ? piece.length : close;
      cell += piece.slice(index, end);
      grow(end - index);
      if (close >= 0) state = 'quote';
      return end + 1;
    }
    if (state === 'quote' && char === '"') {
      cell += char;
      state = 'quoted';
    } else if (char === '\n' || char === '\r') {
      line += 1;
      if (char === '\n' && afterReturn) line -= 1;
      else endRow(rows);
      afterReturn = char === '\r';
      return index + 1;
    } else if (char === separator || (separator === undefined && separators.includes(char))) {
      separator = char;
      endCell();
      begun = true;
    } else if (char === '"' && state === 'start') {
      state = 'quoted';
      begun = true;
    } else {
      if (state === 'start') state = 'bare';
      cell += char;
      begun = true;
    }
    afterReturn = false;
    grow(1);
    return index + 1;
  }

  function grow(characters: number): void {
    size += characters;
    if (size > most)
      throw new CsvError(`Line ${line}: a row is longer than ${most} characters. Is a quote not closed?`);
  }

  return {
    push(piece) {
      const rows: Cell[][] = [];
      let index = 0;
      if (first && piece.length > 0) {
        first = false;
        if (piece.startsWith('\ufeff')) index = 1;
      }
      while (index < piece.length) index = step(piece, index, rows);
      return rows;
    },
    end() {
      const rows: Cell[][] = [];
      if (state === 'quoted') throw new CsvError(`Line ${line}: a quote is not closed.`);
      if (begun) endRow(rows);
      return rows;
    },
  };
}

/** One line with its end. */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(cellText).join(',')}\r\n`;
}

/**
 * A text that a spreadsheet would run as a formula, or that looks as if it were already marked, with a mark before it:
 * an apostrophe (OWASP, "CSV injection"). `unmarked` takes it away.
 */
export function marked(text: string): string {
  return /^'*[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}

/** The text that `marked` was given. */
export function unmarked(text: string): string {
  return /^'+[=+\-@\t\r]/.test(text) ? text.slice(1) : text;
}

function cellText(cell: Cell): string {
  if (cell === null) return '';
  return cell === '' || /[",;\t\r\n\ufeff]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
