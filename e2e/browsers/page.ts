// The stranger's pages of the scenarios: each on an origin of its own, so that no visit knows of another.

import type { HostSite } from '../support/host-page.ts';
import { pageHtml, strictCsp } from '../support/host-page.ts';

export interface PageOptions {
  /** Of the script tag. */
  attributes?: string;
  /** Of <html>. */
  html?: string;
  /** CSS of the page, which its policy allows. */
  css?: string;
  body?: string;
  doctype?: string;
  /** Instead of the strictest policy. */
  csp?: string;
}

/** Keeps what the page complains of; the engines tell it in different ways, or not at all. */
const record = `
  for (const name of ['error', 'warn']) {
    const own = console[name];
    console[name] = (...all) => { seen.noise.push(all.join(' ')); own.apply(console, all); };
  }
  seen.noise = [];
  addEventListener('error', (e) => seen.noise.push(e.message));
  addEventListener('unhandledrejection', (e) => seen.noise.push('unhandled: ' + e.reason));
  (window.platform ||= []).push((p) => p.on('*', (e) => seen.events.push(e)));`;

/** Serves such a page, with the chat of the server at `platformUrl`; gives its address. */
export function servePage(
  site: HostSite,
  platformUrl: string,
  path: string,
  options: PageOptions = {},
): string {
  const { attributes = '', html = 'lang="en"', css, body = '', doctype = '<!doctype html>' } = options;
  const script = `<script nonce="n0nce" src="${platformUrl}/chat/demo/webchat.js" ${attributes} async></script>`;
  const style = css === undefined ? '' : `<style nonce="n0nce">${css}</style>`;
  const head = `<script nonce="n0nce">${record}</script>${style}`;
  // The server's pictures may be shown, and the icon that browsers ask for by themselves.
  const strict = strictCsp(platformUrl, { media: true }).replace('img-src', "img-src 'self'");
  const csp = options.csp ?? (style ? strict.replace("style-src 'none'", "style-src 'nonce-n0nce'") : strict);
  const text = pageHtml(script, { head, body, doctype }).replace('<html lang="en">', `<html ${html}>`);
  return site.page(path, text, { 'content-security-policy': csp });
}
