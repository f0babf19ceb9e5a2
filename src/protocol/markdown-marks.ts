// Removes the marks of Markdown from the preview of a message, without parsing it.

/**
 * Returns a text without the most common marks of Markdown: those of words, blocks, links and tables. A text of nothing but
 * marks stays as it is. The caller cuts the text: many opening brackets take quadratic time.
 */
export function withoutMarks(markdown: string): string {
  const words = markdown
    // Rules, and the line between the head and the body of a table.
    .replace(/^[ \t]*[|:*_-][ \t|:*_-]*$/gm, '')
    .replace(/^[ \t]*(?:#{1,6}[ \t]+|(?:>[ \t]?)+)/gm, '')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    // Not between spaces, as in "2 * 3".
    .replace(/\*+(?=\S)|(\S)\*+/g, '$1')
    // Not inside of a word.
    .replace(/(^|[^\p{L}\p{N}_])_+|_+(?![\p{L}\p{N}_])/gu, '$1')
    .replace(/[`|]+|~~/g, '');
  return words.trim() ? words : markdown;
}
