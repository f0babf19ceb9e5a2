// Turns Markdown into HTML that is safe to show. The only maker of SafeHtml, the only door for HTML into the page.
import createDOMPurify, { type Config } from 'dompurify';
import { Marked } from 'marked';
import css from './rich.css?inline';

export { css };

declare const brand: unique symbol;
/** HTML that went through `markdownToHtml`; a TrustedHTML where the browser has Trusted Types. */
export type SafeHtml = string & { readonly [brand]: true };

const marked = new Marked({ gfm: true, breaks: true, async: false });
// Raw HTML in a message is text, not markup.
marked.use({
  tokenizer: { html: () => undefined, tag: () => undefined },
  // A picture is not loaded from anywhere, but not lost either: it is a link, inside a link its words.
  walkTokens(token) {
    if (token.type === 'link') {
      for (const child of token.tokens ?? []) if (child.type === 'image') child.type = 'text';
    }
    if (token.type !== 'image') return;
    token.type = 'link';
    if (!token.text) token.tokens = [{ type: 'text', raw: token.href, text: token.href }];
  },
});

/** What may pass; all else is dropped. No style, id, class, name, form control, medium, svg or math. */
const config: Config = Object.freeze({
  ALLOWED_TAGS: [
    ...[
      'p',
      'br',
      'hr',
      'h1',
      'h2',
      'h3',
      'h4',
      'h5',
      'h6',
      'blockquote',
      'pre',
      'code',
      'strong',
      'em',
      'del',
      'a',
    ],
    ...['ul', 'ol', 'li', 'table', 'thead', 'tbody', 'tr', 'th', 'td'],
  ],
  ALLOWED_ATTR: ['href', 'target', 'rel', 'start', 'align'],
  ALLOWED_URI_REGEXP: /^(?:https?|mailto|tel):/i,
  // These are no addresses; without this the line above drops them.
  ADD_URI_SAFE_ATTR: ['start', 'align'],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  RETURN_TRUSTED_TYPE: true,
});

// A private instance: hooks and settings of the page's own DOMPurify do not reach it.
const purify = createDOMPurify(window);
purify.addHook('afterSanitizeAttributes', (node) => {
  if (node.nodeName !== 'A') return;
  if (!node.hasAttribute('href')) return;
  node.setAttribute('target', '_blank');
  node.setAttribute('rel', 'noopener noreferrer');
});

/** The HTML of a message's Markdown (CommonMark and GFM, a newline is a break), cleaned to an allow-list. */
export function markdownToHtml(markdown: string): SafeHtml {
  try {
    return clean(marked.parse(markdown) as string);
  } catch {
    // Thousands of nested quotes or lists: too deep for the stack. Then it is shown as it was written.
    return clean(`<p>${markdown.replace(/[&<>]/g, (c) => `&#${c.charCodeAt(0)};`)}</p>`);
  }
}

const clean = (html: string) =>
  purify.sanitize(html, { ...config, ...trustedTypes() }) as unknown as SafeHtml;

let policy: Pick<TrustedTypePolicy, 'createHTML'> | undefined;

/** Our own Trusted Types policy, so that a page can allow it by name. */
function trustedTypes(): Config {
  if (!window.trustedTypes) return {};
  policy ??= window.trustedTypes.createPolicy('platform-webchat', {
    createHTML: (html: string) => html,
    // DOMPurify checks that a policy has both; this one makes no script address.
    createScriptURL: () => '',
  });
  return { TRUSTED_TYPES_POLICY: policy as TrustedTypePolicy };
}
