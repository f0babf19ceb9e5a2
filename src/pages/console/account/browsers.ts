// Names of browsers from their headers.
import { t } from '../../ui/texts.ts';

const browsers = [
  ['Edg', 'Edge'],
  ['Firefox', 'Firefox'],
  ['Chrome', 'Chrome'],
  ['Safari', 'Safari'],
] as const;
const systems = [
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Windows', 'Windows'],
  ['Mac OS', 'macOS'],
  ['Linux', 'Linux'],
] as const;

/** A short name of a browser, such as "Firefox on Linux". */
export function browserOf(userAgent: string): string {
  const find = (names: readonly (readonly [part: string, name: string])[]) =>
    names.find(([part]) => userAgent.includes(part))?.[1];
  const browser = find(browsers) ?? t('Another browser');
  const system = find(systems);
  return system ? t('{browser} on {system}', { browser, system }) : browser;
}
