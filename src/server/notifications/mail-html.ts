// The HTML of all mails: one column on a quiet ground, with the look of the pages. Many mail programs read no style sheet, so each
// element has its style; nothing of other servers is in it, and the colors stay the same in a dark scheme unless the program
// replaces them.
import { escaped } from '../api/html.ts';

/** The colors of the pages in the light scheme (src/design/colors.css), which mail-html.test.ts compares. */
export const mailColors = {
  ground: '#f6f7f9',
  bg: '#ffffff',
  surface: '#f1f3f6',
  line: '#e1e5eb',
  text: '#16181d',
  muted: '#596170',
  fill: '#3450c8',
  'on-fill': '#ffffff',
  tint: '#e8ecfb',
} as const;
const color = mailColors;

const small = `font-size:13px;line-height:20px;color:${color.muted}`;

interface MailHtml {
  language: string;
  direction: string;
  /** The sender, above the title: the host or the workspace. */
  from: string;
  /** Content of the mail in one line. */
  title: string;
  /** Blocks of HTML. */
  content: readonly string[];
  /** HTML below all others: why the reader gets the mail, and how it ends; '' without one. */
  footer: string;
}

export const mailHtml = ({ language, direction, from, title, content, footer }: MailHtml): string =>
  `<!doctype html><html lang="${language}" dir="${direction}"><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><title>${escaped(title)}</title>
<body style="margin:0;padding:24px 12px;background:${color.ground}">
<main style="max-width:512px;margin:0 auto;padding:24px;border:1px solid ${color.line};border-radius:16px;background:${color.bg};color:${color.text};font:16px/24px system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif;overflow-wrap:anywhere">
<p style="margin:0 0 8px;font-weight:600;${small}">${escaped(from)}</p>
<h1 style="margin:0 0 24px;font-size:20px;line-height:28px;font-weight:600">${escaped(title)}</h1>
${content.join('\n')}
${footer && `<div style="margin:24px 0 0;padding:16px 0 0;border-top:1px solid ${color.line};${small}">${footer}</div>\n`}</main></body></html>
`;

/** The HTML of a mail to a member, which is English. */
export const memberMailHtml = (mail: Omit<MailHtml, 'language' | 'direction'>): string =>
  mailHtml({ language: 'en', direction: 'ltr', ...mail });

/** A paragraph of a text. */
export const mailParagraph = (text: string): string => `<p style="margin:0 0 16px">${escaped(text)}</p>`;

/** A text that is less important than the others. */
export const mailHint = (text: string): string => `<p style="margin:0 0 16px;${small}">${escaped(text)}</p>`;

/** The next step. */
export const mailButton = (url: string, label: string): string =>
  `<p style="margin:0 0 16px"><a href="${escaped(url)}" style="display:inline-block;padding:10px 20px;border-radius:10px;background:${color.fill};color:${color['on-fill']};font-weight:600;text-decoration:none">${escaped(label)}</a></p>`;

/** A link in a list of several. */
export const mailListLink = (url: string, label: string): string =>
  `<p style="margin:0 0 8px">${mailLink(url, label)}</p>`;

/** A link in a text or in the footer. */
export const mailLink = (url: string, label: string): string =>
  `<a href="${escaped(url)}" style="color:${color.fill}">${escaped(label)}</a>`;

/** A message below its author; '' for the author of the message before. `time`: when it was written; `isOwn`: by the reader. */
export const mailMessage = (
  name: string,
  text: string,
  { time = '', isOwn = false }: { time?: string; isOwn?: boolean } = {},
): string =>
  `<div dir="auto" style="margin:0 0 16px">${name && `<p style="margin:0 0 4px;${small}"><b style="font-weight:600;color:${color.text}">${escaped(name)}</b>${time && ` ${escaped(time)}`}</p>\n`}<p style="margin:0;padding:12px 16px;border-radius:12px;background:${isOwn ? color.tint : color.surface}">${escaped(text).replaceAll('\n', '<br>\n')}</p></div>`;
