// Removes the marks of Markdown from the preview of a message, without loading the Markdown bundle.

/** Returns a text without the most common marks of Markdown: those of words, blocks, links and tables. */
export const withoutMarks = (markdown: string): string =>
  markdown
    // The line between the head and the body of a table.
    .replace(/^[ \t]*[|:-][ \t|:-]*$/gm, '')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[*_`#>|~]+/g, '');
