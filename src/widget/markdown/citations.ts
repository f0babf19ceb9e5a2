// Makes a button of each `[n]` in the text that is the number of a source. In code and in links it stays text.
import { append, replace } from './insert.ts';

/** With the punctuation that follows. */
const numbers = /(\[\d{1,2}\][.,;:!?)…؟،。，、]*)/;

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
      const end = piece.indexOf(']');
      const title = numbers.test(piece) ? cite(Number(piece.slice(1, end))) : undefined;
      if (title === undefined) return doc.createTextNode(piece);
      const button = doc.createElement('button');
      button.type = 'button';
      button.className = 'cite';
      button.title = title;
      button.part.add('citation');
      button.textContent = piece.slice(0, end + 1);
      // Browsers break lines after a button, also before a full stop. The style sheet forbids it within this element.
      const joined = doc.createElement('span');
      joined.className = 'cited';
      joined.append(button, piece.slice(end + 1));
      return joined;
    });
    append(pieces, nodes);
    replace(text, pieces);
  }
}
