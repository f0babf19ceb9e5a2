// The emoji of the picker: read from the table, searched by English words. Pure.
import { emojiData } from './emoji-data.ts';

export interface Emoji {
  char: string;
  /** In English. */
  name: string;
  /** Its words and those that find it. */
  words: string[];
}

/** The groups in their order, each with the emoji that stands for it. */
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

const wordsOf = (text: string) => text.toLowerCase().split(/[^a-z0-9]+/);
const parsed = new Map<Group, Emoji[]>();

/** All emoji of a group. */
export function emojiOf(group: Group): Emoji[] {
  let list = parsed.get(group);
  if (!list) {
    list = emojiData[group]
      .trim()
      .split('\n')
      .map((line) => {
        const [, char = '', name = ''] = /^(\S+) ([^|]+)/.exec(line) ?? [];
        return { char, name, words: wordsOf(line.slice(char.length + 1)) };
      });
    parsed.set(group, list);
  }
  return list;
}

const everyEmoji = () => groups.flatMap(([group]) => emojiOf(group));

/** The emoji that have a word for each word of the query, which may be its beginning; those with such a name first. */
export function searchEmoji(query: string, most: number): Emoji[] {
  const wanted = wordsOf(query).filter(Boolean);
  if (wanted.length === 0) return [];
  const hasAll = (words: string[]) => wanted.every((start) => words.some((word) => word.startsWith(start)));
  const found = everyEmoji().filter(({ words }) => hasAll(words));
  const isNamed = ({ name }: Emoji) => hasAll(wordsOf(name));
  return [...found.filter(isNamed), ...found.filter((emoji) => !isNamed(emoji))].slice(0, most);
}

/** The emoji with these characters. What is unknown, or not a text, is omitted: it may come from the browser's storage. */
export function findEmoji(chars: unknown): Emoji[] {
  if (!Array.isArray(chars)) return [];
  const all = new Map(everyEmoji().map((emoji) => [emoji.char, emoji]));
  return chars.flatMap((char) => all.get(char) ?? []);
}
