// Texts of people in mails.

/** One line: a name with line breaks must not begin another header or another paragraph. */
export const inOneLine = (text: string): string => text.replace(/[\s\p{C}]+/gu, ' ').trim();
