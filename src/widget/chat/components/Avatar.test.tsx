// @vitest-environment jsdom
// Tests the faces of bots and people: shape, initial, and a color that follows from the name.
import { render } from 'preact';
import { afterEach, expect, test } from 'vitest';
import { contrast, parseHex } from '../../launcher/theme.ts';
import { Avatar, faceColors } from './Avatar.tsx';

// An element of its own: other tests in this process use the same document.
const frame = document.createElement('div');
afterEach(() => render(null, frame));

function drawn(name: string, isPerson = true) {
  render(<Avatar name={name} url={undefined} isPerson={isPerson} />, frame);
  const face = frame.querySelector<HTMLElement>('.avatar') as HTMLElement;
  return {
    text: face.textContent,
    isPerson: face.dataset.person,
    color: face.style.getPropertyValue('--face'),
  };
}

test.each([
  ['ada', 'A'],
  ['👩‍🚀 Ada', '👩‍🚀'],
  ['🇨🇭 Team', '🇨🇭'],
  ['\u0065\u0301mile', '\u00c9'.normalize('NFD')],
  ['กิติ', 'กิ'],
])('the face of %s is one grapheme', (name, expected) => {
  expect(drawn(name).text).toBe(expected);
});

test('a person has a color, always the same for a name, and a bot has that of the site', () => {
  expect(drawn('Ada')).toMatchObject({ isPerson: 'true', color: drawn(' Ada ').color });
  expect(faceColors).toContain(drawn('Ada').color);
  expect(drawn('Ada', false)).toMatchObject({ isPerson: 'false', color: '' });
});

test('eight colors are given to names, and white text is readable on each', () => {
  const names = Array.from({ length: 100 }, (_, i) => `Person ${i}`);
  expect(new Set(names.map((name) => drawn(name).color))).toEqual(new Set(faceColors));
  expect(new Set(faceColors).size).toBe(8);
  for (const color of faceColors)
    expect(contrast([255, 255, 255], parseHex(color)), color).toBeGreaterThanOrEqual(4.5);
});
