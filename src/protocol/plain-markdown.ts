// Writes Markdown as plain text, without parsing it. Not in markdown-marks.ts, which is in another bundle.

/** Characters that a backslash makes a part of the text, and the noncharacters that stand for them meanwhile. */
const escapable = '*_~`[]\\';
const standIns = 0xfdd0;
const hidden = (mark: string): string => String.fromCharCode(standIns + escapable.indexOf(mark));

/**
 * Returns Markdown as a text for readers without a renderer, such as a mail program: without the marks of words, headings and
 * code, and with the address of each link. Lists, quotes and tables read well with their marks. Takes linear time.
 */
export const plainMarkdown = (markdown: string): string =>
  markdown
    // Code between fences stays as it is.
    .split(/^ {0,3}(?:`{3,}[^`\n]*|~{3,}.*)(?:\n|$)/m)
    .map((piece, index) => (index % 2 === 0 ? plainWords(piece) : piece))
    .join('');

const plainWords = (text: string): string =>
  text
    .replace(/\\([*_~`[\]\\])/g, (_, mark: string) => hidden(mark))
    .replace(/`([^`\n]+)`/g, (_, code: string) => code.replace(/[*_~[\]]/g, hidden))
    .replace(/^ {0,3}#{1,6}[ \t]+/gm, '')
    .replace(/!?\[([^[\]]*)\]\(((?:https?|mailto|tel):[^()\s]*)\)/g, (_, words: string, address: string) =>
      words.trim() === '' || words === address ? address : `${words} (${address})`,
    )
    .replace(/<((?:https?|mailto):[^<>\s]+)>/g, '$1')
    .replace(pairOfStars, '$2')
    // A pair around another one.
    .replace(pairOfStars, '$2')
    .replace(/(^|[\s([{"'])(_{1,3})(?=\S)([^_\n]*[^\s_])\2(?![\p{L}\p{N}_])/gmu, '$1$3')
    .replace(/~~(?=\S)([^~\n]*[^\s~])~~/g, '$1')
    .replace(/[\ufdd0-\ufdd6]/g, (mark) => escapable[mark.charCodeAt(0) - standIns] ?? '');

const pairOfStars = /(\*{1,3})(?=[^\s*])([^*\n]*[^\s*])\1/g;
