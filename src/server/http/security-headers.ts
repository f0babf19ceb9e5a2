// The table of security headers that restrict what a browser does with a response. cors.ts decides which origins can
// read it.
// Why not `hono/secure-headers`: it sets the same headers for all kinds of responses (decision 21).
import type { MiddlewareHandler } from 'hono';

/** The headers of every response, unless its route overrides them. */
export const defaultHeaders = {
  'x-content-type-options': 'nosniff',
  // Addresses of uploads and files grant access, so they must not leak as a referrer.
  'referrer-policy': 'no-referrer',
  // A response that a browser shows as a page or in a frame can load and run nothing.
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  // Pages of other sites cannot load it by <img> or <script>; this does not affect fetch with CORS.
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
};

/**
 * The policy of pages of this server. The playground stores the administrator's token, and the demo has the same
 * origin: only scripts from our files, and no frames of other sites. Images, fonts and style sheets are not restricted,
 * because the configuration under test may name any.
 */
const pagePolicy = "script-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'self'";

/**
 * The documentation. Frames are those of live chats, whose page is beside it: their payloads may show pictures of other servers, as
 * on a site.
 */
export const docsHeaders = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https: data: blob:; media-src 'self' https: blob:; font-src 'self'; connect-src 'self'; frame-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'self'; require-trusted-types-for 'script'; trusted-types platform-webchat",
  'cross-origin-opener-policy': 'same-origin',
};

/** The overrides of routes. */
const overrides = {
  docs: docsHeaders,
  /** The widget, which any site can load. */
  widget: { 'cross-origin-resource-policy': 'cross-origin' },
  /** Pages, and the images and videos of the demo bot's messages, which any site can show. */
  demo: { 'content-security-policy': pagePolicy, 'cross-origin-resource-policy': 'cross-origin' },
  /** Loads only its own files, and creates no markup from texts. */
  reference: {
    'content-security-policy':
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
    'cross-origin-opener-policy': 'same-origin',
  },
  /**
   * The pages of members: nothing of other servers, which would learn where members are. HTML enters only by the policy of the
   * widget's Markdown, and the address of a script only by that of the console's service worker.
   */
  console: {
    'content-security-policy':
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; media-src 'self'; font-src 'self'; connect-src 'self'; frame-src 'self'; worker-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types platform-webchat platform-webchat-worker",
    'cross-origin-opener-policy': 'same-origin',
  },
  /** The page of links in mails, with the chat of one visitor. Pictures and other media of answers may be anywhere. */
  return: {
    'content-security-policy':
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' https: data: blob:; media-src 'self' https: blob:; font-src 'self'; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types platform-webchat",
    'cross-origin-opener-policy': 'same-origin',
  },
  /** Its policy comes with the page, because it names the digest of its style sheet (api/html.ts). */
  unsubscribe: { 'cross-origin-opener-policy': 'same-origin' },
  playground: { 'content-security-policy': pagePolicy, 'cross-origin-opener-policy': 'same-origin' },
};

/**
 * Adds the headers that a response does not have. The outermost middleware, without a `kind`, adds the defaults. Errors
 * have the same headers everywhere, except that any site can load those of the widget's files: a page whose script tag
 * has a wrong bot address sees the status 404, and not a response that the browser blocked.
 */
export function securityHeaders(kind?: keyof typeof overrides): MiddlewareHandler {
  const headers = Object.entries(kind ? overrides[kind] : defaultHeaders);
  return async (c, next) => {
    await next();
    if (kind && kind !== 'widget' && c.res.status >= 400) return;
    for (const [name, value] of headers) if (!c.res.headers.has(name)) c.res.headers.set(name, value);
  };
}
