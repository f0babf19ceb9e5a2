// HTML that the server writes itself: escaped texts, and a page of a few words for people, which loads nothing. The larger pages
// are built files (src/pages).
import { createHash } from 'node:crypto';
import { directionOf } from '../../protocol/locale/choose-locale.ts';

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes a text for the content and for the attributes of HTML. */
export const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => entities[sign] ?? '');

/**
 * The look of the page of the links of mails (src/pages/return/style.css). Its colors are those of src/design/colors.css, which
 * a server without the built pages does not have; html.test.ts compares them.
 */
const style = `:root{color-scheme:light dark;font:18px/1.5 system-ui,sans-serif}
body{margin:0;color:#16181d;background:#f6f7f9}
main{box-sizing:border-box;display:grid;gap:16px;place-content:center;justify-items:center;min-height:100vh;min-height:100dvh;padding:24px;text-align:center;text-wrap:balance;overflow-wrap:anywhere}
h1{margin:0;font-size:1.4em}
p,form{max-width:34em;margin:0}
button{min-height:48px;padding:8px 24px;border:1px solid transparent;border-radius:12px;color:#ffffff;background:#3450c8;font:inherit;font-weight:600;cursor:pointer}
:focus-visible{outline:2px solid #3450c8;outline-offset:2px}
@media (prefers-color-scheme:dark){body{color:#f2f4f7;background:#0f1115}button{color:#10142a;background:#9db0ff}:focus-visible{outline-color:#a9b9ff}}`;

/** Allows the one style sheet by its digest. */
const policy = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;

interface PlainPage {
  language: string;
  /** HTML, as the content. */
  title: string;
  content: string;
  status: number;
}

export const plainPage = ({ language, title, content, status }: PlainPage): Response =>
  new Response(
    `<!doctype html><html lang="${language}" dir="${directionOf(language)}"><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
<title>${title}</title><style>${style}</style><body><main>${content}</main></body></html>
`,
    {
      status,
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': policy,
        'cache-control': 'no-store',
      },
    },
  );
