// Tests of the faces without a picture: stable colors, all of them used, and readable in light and dark.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { faceOf, faces } from '../../protocol/locale/initial.ts';
import { contrast, parseHex } from '../../widget/launcher/theme.ts';

/** The number in the style sheet. */
const colorOf = (name: string): number => faceOf(name) + 1;

test('a name has the same color everywhere, whatever its letter case and the spaces around it', () => {
  expect(colorOf(' ADA WINTER ')).toBe(colorOf('Ada Winter'));
  // Composed and decomposed.
  expect(colorOf('Zoe\u0308')).toBe(colorOf('Zo\u00eb'));
  expect([colorOf('Lena'), colorOf('Omar'), colorOf('')]).toMatchInlineSnapshot(`
    [
      2,
      7,
      5,
    ]
  `);
});

test('each color is the one of many names', () => {
  const counts = new Map<number, number>();
  for (let index = 0; index < 800; index++) {
    const color = colorOf(`Visitor ${index.toString(16)}`);
    counts.set(color, (counts.get(color) ?? 0) + 1);
  }
  expect([...counts.keys()].sort()).toEqual(Array.from({ length: faces }, (_, index) => index + 1));
  expect(Math.min(...counts.values())).toBeGreaterThan(50);
});

const css = readFileSync(join(import.meta.dirname, 'style/avatar.css'), 'utf8');
const pairs = [...css.matchAll(/data-color="(\d)"\] \{\s+--face: (#\w{6});\s+--on-face: (#\w{6});/g)];

test('each color is defined in light and dark', () => {
  const numbers = pairs.map(([, color]) => Number(color)).sort();
  expect(numbers).toEqual(Array.from({ length: 2 * faces }, (_, index) => (index >> 1) + 1));
});

test.each(pairs.map(([, color, face = '', onFace = '']) => [color, face, onFace] as const))(
  'the letter of color %s is readable on %s',
  (_, face, onFace) => {
    expect(contrast(parseHex(onFace), parseHex(face))).toBeGreaterThanOrEqual(4.5);
  },
);
