// The WebDriver codes of the keys that scenarios press.
import selenium from 'selenium-webdriver';
import type { Key, KeyName } from './driver.ts';

const codes: Record<KeyName | 'Shift' | 'Control', string> = {
  Enter: selenium.Key.ENTER,
  Tab: selenium.Key.TAB,
  Escape: selenium.Key.ESCAPE,
  ArrowUp: selenium.Key.ARROW_UP,
  Home: selenium.Key.HOME,
  Shift: selenium.Key.SHIFT,
  Control: selenium.Key.CONTROL,
  v: 'v',
};

/** The code of a key, and of the modifier that is held down with it. */
export function codesOf(key: Key): { modifier: string | undefined; code: string } {
  const parts = key.split('+') as (keyof typeof codes)[];
  const [first, second] = parts.map((name) => codes[name]);
  return second === undefined
    ? { modifier: undefined, code: first ?? '' }
    : { modifier: first, code: second };
}
