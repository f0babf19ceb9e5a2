// The words for names and values of JSON, as people read them: "Order ID" for `orderId`, "Yes" for true. Values come from the
// wire and can have any form. Pure.
import { wordsOfName } from '../../../protocol/name-words.ts';
import { toDrawable } from '../../chat/payloads/drawable.ts';
import { language } from '../../i18n/current.ts';
import { strings } from './strings.ts';

/** A number with such a name is a name itself: 20261120 and not 20,261,120. */
const isIdentifier = /(^|[\s_-])(id|no|nr|number|code|year|zip|phone)$/i;
const isoDate = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/;

const labelOf = (name: string): string => wordsOfName(toDrawable(name)) || '–';

/** Returns the words for the names of an object. Names whose words are the same stay as they are. */
export function labelsOf(names: readonly string[]): string[] {
  const words = names.map(labelOf);
  return words.map((label, index) =>
    words.indexOf(label) === words.lastIndexOf(label) ? label : toDrawable(names[index] ?? label),
  );
}

/** Returns the words for a value that is no list and no object. */
export function wordsOfValue(value: unknown, name = ''): string {
  const { locale } = language;
  if (typeof value === 'boolean') return value ? strings.yes : strings.no;
  if (typeof value === 'number') {
    const isName = Number.isInteger(value) && isIdentifier.test(wordsOfName(name));
    return value.toLocaleString(locale, { maximumFractionDigits: 20, useGrouping: !isName });
  }
  const text = toDrawable(String(value ?? ''));
  const found = isoDate.exec(text);
  const date = new Date(text);
  if (!found || Number.isNaN(date.getTime())) return text.trim() ? text : '–';
  if (found[1]) return date.toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'short' });
  // Browsers read February 31 as a day of March.
  if (!date.toISOString().startsWith(text)) return text;
  return date.toLocaleDateString(locale, { dateStyle: 'medium', timeZone: 'UTC' });
}

/** The longest text that is shown at once: characters and lines. */
const [mostCharacters, mostLines] = [200, 5];

/** Returns the beginning of a long text; the whole text if it is short. */
export function beginningOf(text: string): string {
  const [beginning = ''] = new RegExp(`^[^]{0,${mostCharacters}}`, 'u').exec(text) ?? [];
  return beginning.split('\n', mostLines).join('\n');
}
