// Turns the rows of a sheet into blocks: `Name: Ada; Age: 36`, with the names of the columns.
import type { Block } from '../passages.ts';

export interface Cell {
  text: string;
  /** True for words, false for numbers, dates and the like. */
  isText: boolean;
}

/** The maximum number of columns, and of characters of a value. */
export const maxColumns = 1_000;
const maxValueLength = 10_000;
/** Returns the text of a cell in one line, and not more of it than is indexed. */
export const valueText = (text: string): string =>
  text
    .slice(0, 4 * maxValueLength)
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, maxValueLength);

/** The number of rows at the beginning among which the names of the columns are looked for. */
const headRows = 10;

/**
 * Returns a function that turns the next row into a block. The first row with several cells, all of them words,
 * contains the names of the columns.
 */
export function createRows(): { next(cells: readonly (Cell | undefined)[]): Block | undefined } {
  let names: string[] | undefined;
  let count = 0;
  return {
    next(cells) {
      const values = cells.slice(0, maxColumns).map((cell) => ({
        text: valueText(cell?.text ?? ''),
        isText: cell?.isText ?? true,
      }));
      const filled = values.filter(({ text }) => text !== '');
      if (filled.length === 0) return undefined;
      count += 1;
      if (
        names === undefined &&
        count <= headRows &&
        filled.length > 1 &&
        filled.every(({ isText }) => isText)
      ) {
        names = values.map(({ text }) => text);
        return { subtype: 'table', text: filled.map(({ text }) => text).join(' | ') };
      }
      const parts = values.flatMap(({ text }, column) => {
        if (text === '') return [];
        return names?.[column] ? `${names[column]}: ${text}` : text;
      });
      return { subtype: 'table', text: parts.join(names ? '; ' : ' | ') };
    },
  };
}
