// Text in the HTML of mails.

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes a text for the content and for the attributes of HTML. */
export const escaped = (text: string): string => text.replace(/[&<>"']/g, (sign) => entities[sign] ?? '');

/** One line: a name with line breaks must not begin another header or another paragraph. */
export const inOneLine = (text: string): string => text.replace(/[\s\p{C}]+/gu, ' ').trim();
