// Reads tables of values (RFC 4180, with comma, semicolon or tab): each row as words of its own, with its columns' names.
import type { Block } from './passages.ts';
import { textOf } from './text.ts';

/** Characters of one value and columns of one row that are read. */
const longestValue = 10_000;
const mostColumns = 1_000;

/** A block for each row: `Name: Ada; Age: 36`. The first row has the names. */
export async function* csvBlocks(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Block> {
  let names: string[] | undefined;
  for await (const row of rowsOf(textOf(bytes))) {
    const values = row.map((value) => value.trim());
    if (values.every((value) => value === '')) continue;
    if (!names) {
      names = values;
      continue;
    }
    const columns = names;
    const text = values
      .map((value, index) => (value && columns[index] ? `${columns[index]}: ${value}` : value))
      .filter(Boolean)
      .join('; ');
    yield { subtype: 'table', text };
    names = columns;
  }
}

/** Rows of values. A quote that is never closed ends with the file. */
async function* rowsOf(text: AsyncIterable<string>): AsyncGenerator<string[]> {
  let separator = '';
  let row: string[] = [];
  let value = '';
  let isQuoted = false;
  /** A quote in a quoted value: its end, or the first half of a quote. */
  let afterQuote = false;
  const endValue = () => {
    if (row.length < mostColumns) row.push(value);
    value = '';
    afterQuote = false;
  };
  for await (const chunk of text) {
    separator ||= separatorOf(chunk);
    for (const character of chunk) {
      if (isQuoted) {
        if (afterQuote && character === '"') afterQuote = false;
        else if (afterQuote) isQuoted = false;
        else if (character === '"') {
          afterQuote = true;
          continue;
        }
        if (isQuoted) {
          if (value.length < longestValue) value += character;
          continue;
        }
      }
      if (character === '"' && value === '' && !afterQuote) isQuoted = true;
      else if (character === separator) endValue();
      else if (character === '\n') {
        endValue();
        yield row;
        row = [];
      } else if (character !== '\r' && value.length < longestValue) value += character;
    }
  }
  endValue();
  yield row;
}

/** What stands most often in the first line. */
function separatorOf(text: string): string {
  const [line = ''] = text.split('\n', 1);
  const count = (mark: string) => line.split(mark).length;
  const [best = ','] = [',', ';', '\t'].sort((a, b) => count(b) - count(a));
  return best;
}
