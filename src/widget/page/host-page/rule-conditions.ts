// Decides whether the conditions of a proactive message hold. No DOM.
import type { ProactiveRule } from '../../../protocol/page-api/proactive.ts';

/** The values that conditions are compared with. */
export interface Situation {
  /** Seconds since the start, and since the last action of the visitor. */
  elapsed: number;
  idle: number;
  /** The largest part of the page that was scrolled through, in percent. */
  scrolled: number;
  /** Path and query. */
  url: string;
  hasLeft: boolean;
  isReturning: boolean;
  userData: Record<string, unknown>;
}

/** Seconds until a rule without a delay may be shown: nobody is addressed before they have looked at the page. */
const defaultDelaySeconds = 3;

/** Seconds until the conditions of a rule hold if nothing else happens: 0 now, Infinity if only an event can fulfil them. */
export function secondsUntil(rule: ProactiveRule, now: Situation): number {
  // Without a prototype: names that the page has added to that of all objects are no conditions.
  const when: NonNullable<ProactiveRule['when']> = Object.assign(Object.create(null), rule.when);
  const {
    delaySeconds = defaultDelaySeconds,
    idleSeconds = 0,
    scrollPercent = 0,
    url,
    exit,
    returning,
  } = when;
  const holds =
    now.scrolled >= scrollPercent &&
    (url === undefined || [url].flat().some((pattern) => matchesUrl(pattern, now.url))) &&
    (!exit || now.hasLeft) &&
    (returning === undefined || returning === now.isReturning) &&
    Object.entries(when.user ?? {}).every(([name, value]) => [value].flat().includes(now.userData[name]));
  return holds ? Math.max(0, delaySeconds - now.elapsed, idleSeconds - now.idle) : Number.POSITIVE_INFINITY;
}

/** Whether path and query match a pattern, in which `*` matches any characters. */
export function matchesUrl(pattern: string, url: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  if (rest.length === 0) return url === pattern;
  const last = rest.pop() ?? '';
  if (!url.startsWith(first) || !url.endsWith(last) || url.length < first.length + last.length) return false;
  // No regular expression: a pattern with many asterisks would take time that grows with a power of its length.
  let from = first.length;
  for (const part of rest) {
    const index = url.indexOf(part, from);
    if (index < 0) return false;
    from = index + part.length;
  }
  return from <= url.length - last.length;
}

/** The text of a rule in a language such as `de-AT`: in this language, in German, or in English. */
export function textOf({ text }: ProactiveRule, locale: string): string | undefined {
  if (typeof text === 'string') return text;
  const names = [locale, locale.split('-')[0] ?? '', 'en'];
  return names.map((name) => (Object.hasOwn(text, name) ? text[name] : undefined)).find(Boolean);
}
