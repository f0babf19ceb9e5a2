// The emoji of the picker: read from the table, searched by English words. Pure.
import { emojiData } from './emoji-data.ts';

export interface Emoji {
  char: string;
  /** In English. */
  name: string;
  /** Other words that find it, each after a bar. */
  more: string;
}

/** The groups in their order, each with the emoji on its button. */
export const groups = [
  ['people', '😀'],
  ['nature', '🐻'],
  ['food', '🍔'],
  ['activities', '⚽'],
  ['travel', '🚗'],
  ['objects', '💡'],
  ['symbols', '🔣'],
] as const;
export type Group = keyof typeof emojiData;

const parsed = new Map<Group, Emoji[]>();

/** All emoji of a group: always the same array. */
export function emojiOf(group: Group): Emoji[] {
  let list = parsed.get(group);
  if (!list) {
    list = [];
    for (const [, char = '', name = '', more = ''] of emojiData[group].matchAll(/^(\S+) ([^|\n]+)(.*)$/gm)) {
      list.push({ char, name, more });
    }
    parsed.set(group, list);
  }
  return list;
}

const everyEmoji = () => groups.flatMap(([group]) => emojiOf(group));

/** The words of a text without case and accents, each after a space: all are English. */
const spaced = (text: string) =>
  ` ${text}`
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ');
/** All emoji in that form: first the name alone, then with its other words. */
let index: [emoji: Emoji, name: string, all: string][] | undefined;

/** The emoji that have a word for each word of the query, which may be its beginning; those with such a name first. */
export function searchEmoji(query: string, most: number): Emoji[] {
  const wanted = spaced(query).trim().split(' ').filter(Boolean);
  if (wanted.length === 0) return [];
  index ??= everyEmoji().map((emoji) => [emoji, spaced(emoji.name), spaced(emoji.name + emoji.more)]);
  const named: Emoji[] = [];
  const others: Emoji[] = [];
  for (const [emoji, name, all] of index) {
    if (wanted.every((word) => name.includes(` ${word}`))) named.push(emoji);
    else if (wanted.every((word) => all.includes(` ${word}`))) others.push(emoji);
  }
  return [...named, ...others].slice(0, most);
}

/** The most emoji that were chosen recently. */
export const maxRecent = 24;

let byChar: Map<unknown, Emoji> | undefined;

/**
 * The emoji with these characters, each once, and at most `maxRecent`. Unknown characters, and values that are not texts, are
 * omitted: they may come from the browser's storage.
 */
export function findEmoji(chars: unknown): Emoji[] {
  if (!Array.isArray(chars)) return [];
  byChar ??= new Map(everyEmoji().map((emoji) => [emoji.char, emoji]));
  const all = byChar;
  return [...new Set(chars)].flatMap((char) => all.get(char) ?? []).slice(0, maxRecent);
}
