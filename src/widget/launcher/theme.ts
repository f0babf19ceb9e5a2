// Turns the configuration into custom properties: colours that stay readable whatever the brand colour is.
import type { ShellConfiguration } from '../../protocol/config.ts';

type Rgb = [number, number, number];

const white: Rgb = [255, 255, 255];
const black: Rgb = [0, 0, 0];
/** The neutral colours of each mode. Coloured text must read on `surface`, the less favourable ground. */
const modes = {
  light: { bg: '#ffffff', surface: '#f1f3f6', line: '#e1e5eb', text: '#16181d' },
  dark: { bg: '#16181d', surface: '#2a2d34', line: '#363a43', text: '#f2f4f7' },
};
/** Contrast of text, WCAG 2.2 AA (1.4.3). */
const textContrast = 4.5;

/** The rules for `:host` that this configuration asks for. */
export function themeCss(configuration: ShellConfiguration): string {
  const {
    color,
    variant,
    radius,
    fontFamily = 'inter',
    position = 'right',
    offset,
    zIndex = 2147483000,
  } = configuration;
  const themeMode = modeOf(configuration);
  const brand = parseHex(color);
  const dark = themeMode === 'dark';
  const mode = modes[themeMode];
  const away = dark ? white : black;
  const shades = towards(brand, away);
  const isSoft = variant === 'soft';
  // Soft: a tint of the brand colour, with text in a readable shade of it. Solid: white text on all but light colours;
  // what is a little too light for it gets a little darker.
  const fill = isSoft
    ? mix(parseHex(mode.bg), brand, dark ? 0.28 : 0.14)
    : contrast(white, brand) < 2.8
      ? brand
      : firstReadable(towards(brand, black), white);
  const onFill = isSoft ? firstReadable(shades, fill) : contrast(white, fill) < textContrast ? black : white;
  // It goes into CSS text, so only what a font name needs gets through.
  const name = fontFamily.replace(/[^\w -]/g, '');
  const properties = {
    ...mode,
    fill: css(fill),
    'on-fill': css(onFill),
    accent: css(firstReadable(shades, parseHex(mode.surface))),
    radius: `${radius * 6}px`,
    offset: `${offset}px`,
    // Faces of ours have a name that no page uses (fonts/main.ts).
    font: `"pw ${name}","${name}",system-ui,sans-serif`,
  };
  // Inside, names are short; a page sets the same ones with the prefix --pw- on <platform-webchat>.
  const rules = Object.entries(properties).map(([name, value]) => `--${name}:var(--pw-${name},${value});`);
  // color-scheme stands here because lightningcss would add its own variables to it in a style sheet.
  return `@layer webchat{:host{z-index:${zIndex}!important}.box{${rules.join('')}--${position}:var(--offset);color-scheme:${themeMode}}}`;
}

/** The mode as it is now: `auto` is the visitor's system's. */
export const modeOf = ({ themeMode }: ShellConfiguration): 'light' | 'dark' =>
  themeMode !== 'auto' ? themeMode : matchMedia(darkQuery).matches ? 'dark' : 'light';

export const darkQuery = '(prefers-color-scheme: dark)';

/** The first colour with enough contrast on `ground`; there always is one, `towards` ends in black or white. */
const firstReadable = (colors: Rgb[], ground: Rgb): Rgb =>
  colors.find((color) => contrast(color, ground) >= textContrast) ?? black;

/** The colour itself, then steps from it towards `away`. */
const towards = (color: Rgb, away: Rgb) => [...Array(21)].map((_, step) => mix(color, away, step / 20));

export function parseHex(text: string): Rgb {
  const digits = text.length === 4 ? text.replace(/[\da-f]/gi, '$&$&') : text;
  const value = Number(digits.replace('#', '0x'));
  return [value >> 16, (value >> 8) & 255, value & 255];
}

const css = (rgb: Rgb) => `rgb(${rgb})`;

/** `share` of the way from one colour to another, 0 to 1. */
const mix = (from: Rgb, to: Rgb, share: number): Rgb =>
  from.map((part, i) => Math.round(part + ((to[i] as number) - part) * share)) as Rgb;

/** Contrast ratio, 1 to 21 (WCAG 2.2, "contrast ratio"). */
export function contrast(a: Rgb, b: Rgb): number {
  const ratio = (luminance(a) + 0.05) / (luminance(b) + 0.05);
  return Math.max(ratio, 1 / ratio);
}

function luminance(rgb: Rgb): number {
  const [r, g, b] = rgb.map((part) => {
    const s = part / 255;
    return s <= 0.04045 ? s / 12.92 : ((s + 0.055) / 1.055) ** 2.4;
  }) as Rgb;
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
