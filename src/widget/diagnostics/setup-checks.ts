// Checks how the chat was added to the page: script tags, address, start, and the features of the browser.
import type { Finding } from '../../protocol/page-api/page-api.ts';
import type { DiagnosticContext } from '../launcher-chat-interface.ts';
import { finding } from './findings.ts';

/** The script tags of the chat that are currently in the page. */
export const scriptTags = (): HTMLScriptElement[] =>
  [...document.querySelectorAll<HTMLScriptElement>('script[src]')].filter(({ src }) =>
    /\/webchat\.js([?#]|$)/.test(src),
  );

export function checkScripts(): Finding[] {
  const [modules, classic] = [scriptTags().filter(isModule), scriptTags().filter((tag) => !isModule(tag))];
  const findings = modules.map(({ src }) => finding('script_module', `${src} has type="module".`));
  if (classic.length < 2) return findings;
  const sources = classic.map(({ src }) => src).join(', ');
  return [...findings, finding('script_twice', `There are ${classic.length} script tags: ${sources}.`)];
}

const isModule = ({ type }: HTMLScriptElement) => type === 'module';

/** The address of the chat as the widget reads it, or the reason why there is none. */
export function readAddress({ widget, initOptions, chatUrl }: DiagnosticContext): string | Finding {
  const text: unknown = widget?.chatUrl ?? initOptions?.chatUrl ?? chatUrl;
  if (text === undefined || text === null) {
    return finding('chat_url_missing', 'Neither the script tag nor init() says where the chat is.');
  }
  try {
    const { protocol, href } = new URL(String(text), location.href);
    if (/^https?:$/.test(protocol)) return href.replace(/\/+$/, '');
  } catch {
    // Reported below.
  }
  return finding('chat_url_wrong', `'${text}' is not an http or https address.`);
}

/** The reason why the chat has not started although its address is known. */
export function checkStart({ widget, initOptions, attributes }: DiagnosticContext): Finding[] {
  if (widget) return [];
  const target = initOptions?.target ?? attributes.target;
  const isMissing = typeof target === 'string' && !query(target);
  if (isMissing) return [finding('target_missing', `There is no element '${target}'.`)];
  const reason = initOptions
    ? 'The chat was destroyed, or could not start'
    : 'platform.init() was not called';
  const manual = attributes.manual === undefined ? '' : ', and the script tag has data-manual';
  return [finding('not_initialized', `${reason}${manual}.`)];
}

function query(selector: string): Element | null {
  try {
    return document.querySelector(selector);
  } catch {
    return null;
  }
}

/** The features in docs/reference/browsers.md, and how each one is detected. */
const needs: Record<string, () => boolean> = {
  'constructable style sheets': () =>
    'adoptedStyleSheets' in document && 'replaceSync' in CSSStyleSheet.prototype,
  'cascade layers': () => 'CSSLayerBlockRule' in window,
  'the unit dvh': () => CSS.supports('height', '1dvh'),
  inert: () => 'inert' in HTMLElement.prototype,
};

export function checkBrowser(): Finding[] {
  const missing = Object.keys(needs).filter((name) => !needs[name]?.());
  return missing.length > 0
    ? [finding('browser_too_old', `It lacks: ${missing.join(', ')}.`, navigator.userAgent)]
    : [];
}
