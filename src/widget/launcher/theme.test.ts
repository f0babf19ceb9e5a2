// Tests that every brand color results in readable text, and that no configuration can inject CSS.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyText } from '../../protocol/any-text.testing.ts';
import type { ResolvedConfiguration } from '../../protocol/page-api/config.ts';
import { resolveConfiguration } from '../../protocol/page-api/config-layers.ts';
import { contrast, parseHex, themeCss } from './theme.ts';

type Rgb = ReturnType<typeof parseHex>;

const theme = (configuration: Partial<ResolvedConfiguration>) =>
  themeCss(
    { ...resolveConfiguration(), ...configuration },
    configuration.themeMode === 'dark' ? 'dark' : 'light',
  );

/** The fallback value of a custom property. */
function property(css: string, name: string): string {
  return new RegExp(`--${name}:var\\(--pw-${name},(.*?)\\);(?:--|color-scheme)`).exec(css)?.[1] ?? '';
}
function color(css: string, name: string): Rgb {
  const text = property(css, name);
  const [r = Number.NaN, g = Number.NaN, b = Number.NaN] = text.startsWith('#')
    ? parseHex(text)
    : (/^rgb\((\d+),(\d+),(\d+)\)$/.exec(text)?.slice(1).map(Number) ?? []);
  return [r, g, b];
}

const hex = fc
  .tuple(fc.nat({ max: 255 }), fc.nat({ max: 255 }), fc.nat({ max: 255 }))
  .map((parts) => `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`);
const modes = (['light', 'dark'] as const).flatMap((themeMode) =>
  (['solid', 'soft'] as const).map((variant) => ({ themeMode, variant })),
);

function pairs(css: string): [string, number][] {
  const between = (text: string, ground: string) => contrast(color(css, text), color(css, ground));
  return [
    ['on-fill on fill', between('on-fill', 'fill')],
    ['accent on bg', between('accent', 'bg')],
    ['accent on surface', between('accent', 'surface')],
    ['text on bg', between('text', 'bg')],
    ['text on surface', between('text', 'surface')],
  ];
}

describe.each(modes)('$themeMode $variant', (mode) => {
  test('all text is readable on any brand color', () => {
    fc.assert(
      fc.property(hex, (brand) => {
        for (const [name, ratio] of pairs(theme({ ...mode, color: brand }))) {
          expect(ratio, `${name} for ${brand}`).toBeGreaterThanOrEqual(4.5);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  test.each([
    '#000',
    '#fff',
    '#808080',
    '#ff0',
    '#00f',
    '#0ff',
    '#3276EA',
    '#767676',
    '#777777',
    '#16181d',
    '#f1f3f6',
  ])('and on %s', (brand) => {
    for (const [name, ratio] of pairs(theme({ ...mode, color: brand }))) {
      expect(ratio, name).toBeGreaterThanOrEqual(4.5);
    }
  });

  test('the color scheme is set for the browser', () => {
    expect(theme(mode)).toContain(`color-scheme:${mode.themeMode}}`);
  });
});

test.each([
  ['#ffffff', '#000000', 21],
  ['#777777', '#ffffff', 4.48],
  ['#ff0000', '#ffffff', 4],
  ['#3276EA', '#3276EA', 1],
])('the contrast of %s and %s is %d (WCAG)', (a, b, ratio) => {
  expect(contrast(parseHex(a), parseHex(b))).toBeCloseTo(ratio, 1);
  expect(contrast(parseHex(b), parseHex(a))).toBe(contrast(parseHex(a), parseHex(b)));
});

test('a readable brand color is not changed', () => {
  expect(color(theme({ color: '#3276EA', variant: 'solid' }), 'fill')).not.toEqual([Number.NaN]);
  expect(color(theme({ color: '#004488', variant: 'solid' }), 'fill')).toEqual([0, 0x44, 0x88]);
  expect(color(theme({ color: '#ffee00', variant: 'solid' }), 'fill')).toEqual([255, 238, 0]);
});

test('the badge is readable, and differs from any launcher in hue or in contrast', () => {
  const [red, white] = [
    [200, 30, 30],
    [255, 255, 255],
  ] as const;
  const ofHue = ([r, g, b]: readonly number[]) =>
    Math.atan2(Math.sqrt(3) * (Number(g) - Number(b)), 2 * Number(r) - Number(g) - Number(b));
  const steps = [0, 51, 102, 153, 204, 255];
  for (const variant of ['solid', 'soft'] as const) {
    for (const themeMode of ['light', 'dark'] as const) {
      for (const [r, g, b] of steps.flatMap((r) =>
        steps.flatMap((g) => steps.map((b) => [r, g, b] as const)),
      )) {
        const hex = `#${[r, g, b].map((part) => part.toString(16).padStart(2, '0')).join('')}`;
        const css = theme({ color: hex, variant, themeMode });
        const [fill, badge, text] = ['fill', 'badge', 'on-badge'].map((name) => color(css, name)) as Rgb[];
        expect(contrast(badge as Rgb, text as Rgb), hex).toBeGreaterThanOrEqual(4.5);
        // 2.4 is the square root of the contrast of red and white: one of both always has it.
        // The ring has the color of the text, so one of both is visible on any page.
        expect([red, white], hex).toContainEqual(badge);
        const hueDistance = Math.abs(
          Math.atan2(Math.sin(ofHue(fill as Rgb) - ofHue(red)), Math.cos(ofHue(fill as Rgb) - ofHue(red))),
        );
        const saturation = Math.max(...(fill as Rgb)) - Math.min(...(fill as Rgb));
        const isSeen = contrast(fill as Rgb, badge as Rgb) >= 2.4 || hueDistance > 0.5 || saturation < 60;
        expect(isSeen, `${hex} ${variant} ${themeMode}: ${fill} below ${badge}`).toBe(true);
      }
    }
  }
});

test('no brand color without a hue disappears in the window, whose bubbles and buttons have it', () => {
  for (const themeMode of ['light', 'dark'] as const) {
    fc.assert(
      fc.property(hex, (brand) => {
        const css = theme({ themeMode, variant: 'solid', color: brand });
        const fill = color(css, 'fill');
        const isVisible =
          contrast(fill, color(css, 'bg')) >= 1.25 || Math.max(...fill) - Math.min(...fill) >= 140;
        expect(isVisible, `${brand} ${themeMode}`).toBe(true);
      }),
      {
        numRuns: 2_000,
        examples: ['#000000', '#ffffff', '#16181d', '#f1f3f6', '#000040', '#ffffe0'].map((color) => [color]),
      },
    );
    for (const brand of ['#000', '#fff', '#16181d', '#f1f3f6']) {
      const css = theme({ themeMode, variant: 'soft', color: brand });
      expect(contrast(color(css, 'fill'), color(css, 'bg')), `${brand} ${themeMode}`).toBeGreaterThan(1.12);
    }
  }
});

test('three digits are expanded to six', () => expect(parseHex('#1aF')).toEqual([0x11, 0xaa, 0xff]));

test('the radius is in pixels', () => {
  expect(property(theme({ radius: 0.5 }), 'radius')).toBe('3px');
  expect(property(theme({ radius: 4 }), 'radius')).toBe('24px');
});

describe('the font', () => {
  test.each(['inter', 'IBM Plex Sans', 'Source-Sans_3'])('%s is quoted', (fontFamily) => {
    expect(property(theme({ fontFamily }), 'font')).toBe(
      `"pw ${fontFamily}","${fontFamily}",system-ui,sans-serif`,
    );
  });

  test('no name can inject CSS', () => {
    const shape = (css: string) => css.replace(/"[^"]*"/g, '""');
    const plain = shape(theme({ fontFamily: 'inter' }));
    const hostile = fc.oneof(
      anyText(),
      fc.string({
        unit: fc.constantFrom('"', '\\', '}', '{', ';', ')', '\n', '/*', '*/', '<', 'url(', 'a', '@import '),
      }),
    );
    fc.assert(
      fc.property(hostile, (fontFamily) => {
        const css = theme({ fontFamily });
        expect(shape(css)).toBe(plain);
        for (const [, name] of css.matchAll(/"([^"]*)"/g)) expect(name).toMatch(/^[\w -]*$/);
      }),
      { numRuns: 500 },
    );
  });
});
