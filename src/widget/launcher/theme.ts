// Converts the configuration to custom properties. Text stays readable with any brand color.
// Why not `colord`: the launcher needs the contrast of two colors, and 2 KB more on every page view (decision 152).
import type { LauncherConfiguration } from '../../protocol/page-api/config.ts';

type Rgb = [number, number, number];
type Mode = 'light' | 'dark';

const white: Rgb = [255, 255, 255];
const black: Rgb = [0, 0, 0];
/** The neutral colors of each mode. Colored text must be readable on `surface`, the less favourable background. */
const modes = {
  light: { bg: '#ffffff', surface: '#f1f3f6', line: '#e1e5eb', text: '#16181d' },
  dark: { bg: '#16181d', surface: '#2a2d34', line: '#363a43', text: '#f2f4f7' },
};
const red: Rgb = [200, 30, 30];
/** Contrast of text, WCAG 2.2 AA (1.4.3). */
const textContrast = 4.5;
/** Contrast of surfaces: that of the tints of most brand colors. */
const visibleContrast = 1.25;

/** The CSS rules of this configuration. */
export function themeCss(configuration: LauncherConfiguration, themeMode: Mode): string {
  const {
    color,
    variant,
    radius,
    fontFamily = 'inter',
    position = 'right',
    offset,
    offsetX,
    offsetY,
  } = configuration;
  const dark = themeMode === 'dark';
  const mode = modes[themeMode];
  const away = dark ? white : black;
  const isSoft = variant === 'soft';
  const own = parseHex(color);
  // A grey that is hardly different from the window would make its bubbles and buttons invisible; a tint of it even more.
  const isFaint =
    Math.max(...own) - Math.min(...own) < 140 && contrast(own, parseHex(mode.bg)) < visibleContrast;
  const brand = isFaint ? mix(own, away, isSoft ? 0.6 : 0.18) : own;
  const shades = towards(brand, away);
  // Soft: a tint of the brand color, with text in a readable shade of it. Solid: white text on all but light colors;
  // a color that is slightly too light is darkened.
  const fill = isSoft
    ? mix(parseHex(mode.bg), brand, dark ? 0.28 : 0.14)
    : contrast(white, brand) < 2.8
      ? brand
      : firstReadable(towards(brand, black), white);
  const onFill = isSoft ? firstReadable(shades, fill) : contrast(white, fill) < textContrast ? black : white;
  // It is inserted into CSS text, so only characters of font names are allowed.
  const name = fontFamily.replace(/[^\w -]/g, '');
  // On a reddish launcher a red badge is not noticed: there it is white with red text and ring, if white contrasts more.
  const isReddish = fill[0] - Math.max(fill[1], fill[2]) > 30 && contrast(white, fill) > contrast(red, fill);
  // At most half of the page, so that the launcher stays visible on a phone.
  const distance = (own?: number) =>
    `min(${own === undefined ? `var(--pw-offset,${offset}px)` : `${own}px`},50vmin)`;
  const properties = {
    ...mode,
    badge: css(isReddish ? white : red),
    'on-badge': css(isReddish ? red : white),
    fill: css(fill),
    'on-fill': css(onFill),
    accent: css(firstReadable(shades, parseHex(mode.surface))),
    radius: `${radius * 6}px`,
    'offset-x': distance(offsetX),
    'offset-y': distance(offsetY),
    // Bundled fonts have a unique name (chat/fonts.ts).
    font: `"pw ${name}","${name}",system-ui,sans-serif`,
  };
  // Short names inside of the widget; a page sets the same ones with the prefix --pw- on <platform-webchat>.
  const rules = Object.entries(properties).map(([name, value]) => `--${name}:var(--pw-${name},${value});`);
  // color-scheme is set here, because lightningcss would add its own variables for it in a style sheet.
  return `@layer webchat{.box{${rules.join('')}--${position}:var(--offset-x);color-scheme:${themeMode}}}`;
}

/** The current mode: for `auto`, and for `page` until the page is read, that of the visitor's system. */
export const modeOf = ({ themeMode }: LauncherConfiguration): Mode =>
  themeMode === 'dark' || (themeMode !== 'light' && matchMedia(darkQuery).matches) ? 'dark' : 'light';

export const darkQuery = '(prefers-color-scheme: dark)';

/** The first color with sufficient contrast on `ground`. There always is one: `towards` ends in black or white. */
const firstReadable = (colors: Rgb[], ground: Rgb): Rgb =>
  colors.find((color) => contrast(color, ground) >= textContrast) ?? black;

/** The color itself, followed by steps towards `away`. */
const towards = (color: Rgb, away: Rgb) => [...Array(21)].map((_, step) => mix(color, away, step / 20));

export function parseHex(text: string): Rgb {
  const digits = text.length === 4 ? text.replace(/[\da-f]/gi, '$&$&') : text;
  const value = Number(digits.replace('#', '0x'));
  return [value >> 16, (value >> 8) & 255, value & 255];
}

const css = (rgb: Rgb) => `rgb(${rgb})`;

/** Mixes two colors; `share` is the share of the second, 0 to 1. */
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
