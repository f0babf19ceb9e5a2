// The contrast of the colors of the pages, WCAG 2.2: text 4.5 : 1 (1.4.3), the edges of controls 3 : 1 (1.4.11).
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { contrast, parseHex } from '../widget/launcher/theme.ts';

const css = readFileSync(join(import.meta.dirname, 'colors.css'), 'utf8');
const [light = '', dark = ''] = css
  .split('@media')
  .map((part) =>
    Object.fromEntries([...part.matchAll(/--([\w-]+): (#\w{6});/g)].map(([, name, hex]) => [name, hex])),
  );

const grounds = ['ground', 'bg', 'surface'];
const pairs: [text: string, grounds: string[], ratio: number][] = [
  ['text', [...grounds, 'tint', 'note'], 4.5],
  ['muted', grounds, 4.5],
  ['accent', [...grounds, 'tint'], 4.5],
  ['good', grounds, 4.5],
  ['wait', grounds, 4.5],
  ['danger', grounds, 4.5],
  ['on-fill', ['fill'], 4.5],
  ['on-note', ['note'], 4.5],
  ['control', grounds, 3],
  ['note-line', ['note', 'bg'], 3],
];

for (const [name, colors] of Object.entries({ light, dark }) as [string, Record<string, string>][])
  for (const [text, backgrounds, ratio] of pairs)
    test(`${name}: ${text} has a contrast of ${ratio} on ${backgrounds.join(', ')}`, () => {
      for (const background of backgrounds)
        expect(
          contrast(parseHex(colors[text] as string), parseHex(colors[background] as string)),
          `${text} on ${background}`,
        ).toBeGreaterThanOrEqual(ratio);
    });
