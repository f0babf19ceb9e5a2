// The only place where HTML enters the DOM, sanitized by an allow-list and under our own Trusted Types policy. It
// returns nodes of a document without a window, in which nothing loads or runs.
import createDOMPurify, { type Config } from 'dompurify';
import { append } from './insert.ts';

declare const brand: unique symbol;
/** HTML that was sanitized by `clean`; a TrustedHTML if the browser has Trusted Types. */
export type SafeHtml = string & { readonly [brand]: true };

/** The allow-list; everything else is dropped. No style, id, class, name, form control, medium, svg or math. */
const config: Config = {
  ALLOWED_TAGS: (
    'section p br hr h3 h4 h5 h6 blockquote pre code strong em del a ' + 'ul ol li table thead tbody tr th td'
  ).split(' '),
  ALLOWED_ATTR: ['href', 'rel', 'start', 'align', 'lang', 'aria-level'],
  ALLOWED_URI_REGEXP: /^(?:https?|mailto|tel):/i,
  // These attributes are not addresses; without this list the line above would remove them.
  ADD_URI_SAFE_ATTR: ['rel', 'start', 'align', 'lang', 'aria-level'],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  RETURN_TRUSTED_TYPE: true,
};

// A private instance: hooks and settings of the page's own DOMPurify do not reach it.
const purify = createDOMPurify(window);
let isReady = false;

/** Our own policy, so that a page can allow it by name. Throws if the page does not allow it. */
export function ensureTrustedTypesPolicy(): void {
  if (isReady) return;
  if (window.trustedTypes) {
    config.TRUSTED_TYPES_POLICY = window.trustedTypes.createPolicy('platform-webchat', {
      createHTML: (html: string) => html,
      // DOMPurify requires both functions; this policy creates no script address. Its type requires all that a policy can have.
      createScriptURL: () => '',
    }) as unknown as TrustedTypePolicy;
  }
  // Once: DOMPurify parses a configuration that is passed to `sanitize` at each call, a third of the time of a short text.
  purify.setConfig(config);
  isReady = true;
}

const clean = (html: string) => purify.sanitize(html) as SafeHtml;

/** Sanitizes several HTML texts together, because a document for each would cost more than sanitizing. */
export function toNodes(htmls: readonly string[]): DocumentFragment[] {
  const template = document.createElement('template');
  template.innerHTML = clean(htmls.map((html) => `<section>${html}</section>`).join(''));
  // A copy: a move of nodes would make the browser count the live list again from its beginning.
  const sections = [...template.content.children];
  return htmls.map((_, i) => {
    const part = template.content.ownerDocument.createDocumentFragment();
    append(part, [...(sections[i]?.childNodes ?? [])]);
    return part;
  });
}
