// The third-party pages of the scenarios. Each has its own origin, so that sessions are independent.
import { type HostSite, pageHtml, strictCsp } from '../support/host-page.ts';
import type { Driver } from './driver.ts';

export interface PageOptions {
  /** Attributes of the script tag. */
  attributes?: string;
  /** Attributes of <html>. */
  html?: string | undefined;
  /** A script of the page that runs before the chat's. */
  before?: string | undefined;
  /** Markup in the head. */
  head?: string | undefined;
  /** CSS of the page, allowed by its policy. */
  css?: string | undefined;
  body?: string | undefined;
  doctype?: string | undefined;
  /** The policy of the page; the strictest one by default. */
  csp?: string | undefined;
}

/** Records errors and warnings in the page, because the engines report them in different ways or not at all. */
const record = `
  for (const name of ['error', 'warn']) {
    const own = console[name];
    console[name] = (...all) => { seen.errors.push(all.join(' ')); own.apply(console, all); };
  }
  seen.errors = [];
  addEventListener('error', (e) => seen.errors.push(e.message));
  addEventListener('unhandledrejection', (e) => seen.errors.push('unhandled: ' + e.reason));`;
const recordEvents = `
  (window.platform ||= []).push((p) => p.on('*', (e) => seen.events.push(e)));`;

/** Serves such a page with the chat of the server at `platformUrl`, and returns its address. */
export function servePage(
  site: HostSite,
  platformUrl: string,
  path: string,
  options: PageOptions = {},
): string {
  const { attributes = '', html = 'lang="en"', css, body = '', doctype = '<!doctype html>' } = options;
  const before = options.before ? `<script nonce="n0nce">{${options.before}}</script>` : '';
  const script = `<script nonce="n0nce" src="${platformUrl}/chat/demo/webchat.js" ${attributes} async></script>`;
  const style = css === undefined ? '' : `<style nonce="n0nce">${css}</style>`;
  const head = `<script nonce="n0nce">${record}${recordEvents}</script>${options.head ?? ''}${style}${before}`;
  // Allows the server's pictures, and the icon that browsers request by themselves.
  const strict = strictCsp(platformUrl, { media: true }).replace('img-src', "img-src 'self'");
  const csp = options.csp ?? (style ? strict.replace("style-src 'none'", "style-src 'nonce-n0nce'") : strict);
  const text = pageHtml(script, { head, body, doctype }).replace('<html lang="en">', `<html ${html}>`);
  return site.page(path, text, { 'content-security-policy': csp });
}

/** Records the same on a page of the server, from now on: only what its policy allows can run before that. */
export const recordErrors = (driver: Driver): Promise<void> =>
  driver.evaluate(
    // Its source text is sent, as that of any other function.
    new Function(`
      window.seen = { violations: [], events: [] };
      addEventListener('securitypolicyviolation', (e) => seen.violations.push(e.violatedDirective + ' ' + e.blockedURI));
      ${record}`) as () => void,
  );

/** Throws if the page recorded CSP violations, errors or warnings. */
export async function expectNoErrors(driver: Driver): Promise<void> {
  // One text, because a hostile page changes how lists become JSON.
  const reported = await driver.evaluate(() => {
    const { seen } = window as unknown as { seen: { violations: string[]; errors: string[] } };
    return [...seen.violations, ...seen.errors].join('\n');
  });
  if (reported) throw new Error(`The page reported: ${reported}`);
}
