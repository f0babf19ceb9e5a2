// Checks the arguments that the page passes to the methods of `window.platform`.
import { platformError } from '../../../protocol/error.ts';
import { isObject, isText } from '../../../protocol/page-api/field-kinds.ts';

export const invalid = (message: string) => platformError('invalid_argument', message);

/** Arguments of a method of the page. */
export type Takes = 'an object' | 'a text' | 'a number from 0' | 'a function';

/** @throws invalid_argument if `value` is not a valid argument of the method. */
export function check(method: string, value: unknown, takes?: Takes): void {
  const isRight = {
    'an object': value && isObject(value),
    'a text': isText(value) && value.trim(),
    'a number from 0': Number.isFinite(value) && (value as number) >= 0,
    'a function': typeof value === 'function',
  };
  if (takes && !isRight[takes]) throw invalid(`${method}() takes ${takes}.`);
}

/** Returns an absolute http(s) address without a slash at its end. Relative ones refer to the page, not to `<base>`. */
export function readChatUrl(text: unknown): string {
  try {
    const url = new URL(String(text ?? 'missing:'), location.href);
    if (/^https?:$/.test(url.protocol)) return url.href.replace(/\/+$/, '');
  } catch {
    // Thrown below.
  }
  throw invalid("init() needs chatUrl: 'https://HOST/chat/WEBHOOK'.");
}

/** Returns the element that the option `target` names; null without one, also if a text is not a selector. */
export function findTarget(target: Element | string | undefined): Element | null {
  try {
    return typeof target === 'string' ? document.querySelector(target) : (target ?? null);
  } catch {
    return null;
  }
}
