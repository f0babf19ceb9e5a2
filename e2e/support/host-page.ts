// The third-party page that embeds the chat: its HTML, its policy, and a web server of another origin that serves it.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Platform } from '../../src/protocol/page-api/page-api.ts';

declare global {
  interface Window {
    platform?: Platform | ((platform: Platform) => void)[];
    /** CSP violations of the page, and the events that a test records. */
    seen: { violations: string[]; events: { type: string; payload: unknown }[] };
  }
}

/**
 * The strictest policy: only the script by nonce, its chunks and its server; no style source. `media` allows the
 * server's own pictures, audio and video.
 */
export const strictCsp = (platformUrl: string, { media = false } = {}) =>
  [
    ...(media ? [`img-src ${platformUrl}`, `media-src ${platformUrl}`] : []),
    "default-src 'none'",
    "script-src 'nonce-n0nce'",
    "style-src 'none'",
    `connect-src ${platformUrl}`,
    "require-trusted-types-for 'script'",
    'trusted-types platform-webchat',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');

/** Returns the HTML of a page that records CSP violations from the start; `head` precedes the chat's script. */
export const pageHtml = (
  script: string,
  { head = '', body = '', doctype = '<!doctype html>' } = {},
) => `${doctype}
<html lang="en"><head><meta charset="utf-8"><title>A page</title>
<meta name="viewport" content="width=device-width, initial-scale=1, interactive-widget=resizes-content">
<script nonce="n0nce">
  window.seen = { violations: [], events: [] };
  addEventListener('securitypolicyviolation', (e) => seen.violations.push(e.violatedDirective + ' ' + e.blockedURI));
</script>${head}</head>
<body><h1>A page</h1><p><a href="#there">A link of the page</a></p>${body}${script}</body></html>`;

export interface HostSite {
  url: string;
  /** Serves `html` under `path` with these headers, and returns the address. */
  page(path: string, html: string, headers: Record<string, string>): string;
  close(): Promise<void>;
}

export async function startHostSite(): Promise<HostSite> {
  const pages = new Map<string, { html: string; headers: Record<string, string> }>();
  const server = createServer((request, response) => {
    const page = pages.get(request.url ?? '');
    // Browsers request an icon automatically; a 404 for it would be a console error of the page.
    const missing = request.url === '/favicon.ico' ? 204 : 404;
    response.writeHead(page ? 200 : missing, {
      'content-type': 'text/html; charset=utf-8',
      ...page?.headers,
    });
    response.end(page?.html);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    page(path, html, headers) {
      pages.set(path, { html, headers });
      return url + path;
    },
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
