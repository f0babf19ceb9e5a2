// Writes the emoji of the picker from the packages that contain all of Unicode (`npm run generate`), and checks them.
import { brotliCompressSync } from 'node:zlib';
import emojilib from 'emojilib';
import unicode from 'unicode-emoji-json/data-by-group.json' with { type: 'json' };
import { expect, test } from 'vitest';
import { emojiData } from './emoji-data.ts';

/** The groups of the picker, and those of Unicode in each. */
const groups = {
  people: ['Smileys & Emotion', 'People & Body'],
  nature: ['Animals & Nature'],
  food: ['Food & Drink'],
  activities: ['Activities'],
  travel: ['Travel & Places'],
  objects: ['Objects'],
  symbols: ['Symbols', 'Flags'],
};
/** Of 2020: later ones are empty boxes on systems that the widget's browsers run on. */
const newestVersion = 13;
/** More than three doubles the bytes and finds little more. */
const keywords = 3;

// Its types describe the module as if it had a default export.
const words = emojilib as unknown as Record<string, string[]>;

const lowerWords = (text: string) => text.toLowerCase().split(/[^\p{L}\p{N}]+/u);

function isKept({ emoji, name, emoji_version }: { emoji: string; name: string; emoji_version: string }) {
  return (
    Number(emoji_version) <= newestVersion &&
    // Windows has no flags of countries: it shows two letters.
    !/[\u{1f1e6}-\u{1f1ff}\u{e007f}]/u.test(emoji) &&
    // Each person exists once: these have a form for everybody.
    !/\u200d[♀♂]/u.test(emoji) &&
    !(emoji.includes('\u200d') && /^(man|woman|family)\b/.test(name)) &&
    !/^(couple with heart|kiss) /.test(name)
  );
}

function lineOf({ emoji, name }: { emoji: string; name: string }): string {
  const nameWords = new Set(lowerWords(name));
  const more = (words[emoji] ?? [])
    .slice(1)
    .flatMap(lowerWords)
    .filter((word, i, all) => /^[a-z]{2,}$/.test(word) && !nameWords.has(word) && all.indexOf(word) === i);
  return [`${emoji} ${name}`, ...more.slice(0, keywords)].join('|');
}

test('the emoji are those of Unicode that every system has', async () => {
  const sections = Object.entries(groups).map(([key, names]) => {
    const emojis = names.flatMap((name) => unicode.find((group) => group.name === name)?.emojis ?? []);
    return `  ${key}: \`\n${emojis.filter(isKept).map(lineOf).join('\n')}\`,`;
  });
  const source = `// The emoji of the picker by group: each with its English name and words that find it. Written by \`npm run generate\`.
export const emojiData = {
${sections.join('\n')}
};
`;
  await expect(source).toMatchFileSnapshot('emoji-data.ts');
});

test('each emoji has a name and is in one group', () => {
  const lines = Object.values(emojiData).flatMap((text) => text.trim().split('\n'));
  expect(lines.length).toBeGreaterThan(1_000);
  expect(new Set(lines.map((line) => line.split(' ')[0])).size).toBe(lines.length);
  expect(lines.filter((line) => !/^\S+ [\p{L}\p{N}][^|]*(\|[a-z]+){0,3}$/u.test(line))).toEqual([]);
});

test('they have at most 20,000 bytes when transferred', () => {
  expect(brotliCompressSync(JSON.stringify(emojiData)).length).toBeLessThanOrEqual(20_000);
});
