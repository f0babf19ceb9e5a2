// Text that is not formatted, or not yet.

/** Characters: with a direction for each line, Chromium takes 3.7 s for the layout of one line of 1 MB, and 2 ms for this. */
const longLine = 20_000;

/** A paragraph with the characters of the text as they are. Each line has its own direction, if the text is not long. */
export function createPlain(text: string): HTMLParagraphElement {
  const plain = document.createElement('p');
  plain.className = 'plain';
  plain.textContent = text;
  if (text.length > longLine) plain.dir = 'auto';
  return plain;
}
