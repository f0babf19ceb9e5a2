// What every answer tells a browser not to do with it: one table. It says nothing about who may ask (cors.ts).
import type { MiddlewareHandler } from 'hono';

/** What stands in every answer, unless its route says otherwise. */
export const defaultHeaders = {
  'x-content-type-options': 'nosniff',
  // Addresses of uploads and files open them: they are to go nowhere.
  'referrer-policy': 'no-referrer',
  // An answer that a browser shows as a page, or in a frame, does nothing there.
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  // No page of another site has it in its process by <img> or <script>; fetch with CORS is not touched by this.
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};

/**
 * Pages of this server. The playground holds the administrator's token, and the demo is of the same origin: no script
 * but our files, no frame of another site. The rest is free, because the configuration that is tried there may name
 * pictures, fonts and style sheets anywhere.
 */
const pagePolicy = "script-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'self'";

/** Where routes differ. */
const otherwise = {
  /** What any site may load: the widget. */
  widget: { 'cross-origin-resource-policy': 'cross-origin' },
  /** Pages, and pictures and films that messages of the demo bot show on any site. */
  demo: { 'content-security-policy': pagePolicy, 'cross-origin-resource-policy': 'cross-origin' },
  /** It shows what the server says of itself, with files of its own, and makes no markup of texts. */
  reference: {
    'content-security-policy':
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    'cross-origin-opener-policy': 'same-origin',
  },
  playground: { 'content-security-policy': pagePolicy, 'cross-origin-opener-policy': 'same-origin' },
};

/**
 * Adds the headers to answers that do not have them. The outermost one, without a `kind`, adds the defaults; refusals
 * are alike everywhere.
 */
export function securityHeaders(kind?: keyof typeof otherwise): MiddlewareHandler {
  const headers = Object.entries(kind ? otherwise[kind] : defaultHeaders);
  return async (c, next) => {
    await next();
    if (kind && c.res.status >= 400) return;
    for (const [name, value] of headers) if (!c.res.headers.has(name)) c.res.headers.set(name, value);
  };
}
