// Makes a button of each `[n]` in the text that is the number of a source. In code and in links it stays text.
import { append, replace } from './insert.ts';

const numbers = /(\[\d{1,2}\])/;

/** @param cite returns the title of a source, undefined if there is none of this number. */
export function addCitations(part: DocumentFragment, cite: (number: number) => string | undefined): void {
  const doc = part.ownerDocument;
  const walker = doc.createTreeWalker(part, NodeFilter.SHOW_TEXT);
  const found: Text[] = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (numbers.test((node as Text).data) && !node.parentElement?.closest('a, code, pre'))
      found.push(node as Text);
  }
  for (const text of found) {
    const pieces = doc.createDocumentFragment();
    const nodes = text.data.split(numbers).map((piece) => {
      const title = numbers.test(piece) ? cite(Number(piece.slice(1, -1))) : undefined;
      if (title === undefined) return doc.createTextNode(piece);
      const button = doc.createElement('button');
      button.type = 'button';
      button.className = 'cite';
      button.title = title;
      button.part.add('citation');
      button.textContent = piece;
      return button;
    });
    append(pieces, nodes);
    replace(text, pieces);
  }
}
