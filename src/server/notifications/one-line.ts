// Texts of people in mails.

/**
 * One line: a name with line breaks must not begin another header or another paragraph. The joiners of Persian words and of emoji
 * stay. Empty if nothing can be shown.
 */
export function inOneLine(text: string): string {
  const line = text.replace(/(?:\s|[^\P{C}\u200c\u200d])+/gu, ' ').trim();
  return /[^\s\p{C}]/u.test(line) ? line : '';
}
