// Adds elements and attributes that content must not contain to sanitized nodes: links that open a new tab, scrolling
// tables and code, tasks, room for numbers, and pictures. The nodes are not in the page yet.
import { createCode } from './code.ts';
import { drawFormulas } from './formulas/draw-formulas.ts';
import { append, replace } from './insert.ts';
import { decorateLink } from './links.ts';
import type { Pictures } from './pictures.ts';
import type { MarkdownOptions } from './types.ts';

/** @param root the element in the page that the part will be in. */
export function decorate(
  part: DocumentFragment,
  options: MarkdownOptions,
  pictures: Pictures,
  root: HTMLElement,
): void {
  if (options.cite) addCitations(part, options.cite);
  drawFormulas(part, root);
  const doc = part.ownerDocument;
  for (const link of part.querySelectorAll('a')) {
    if (link.rel === 'image') pictures.decorate(link);
    // The mark of a task, which has no address.
    else if (link.rel) {
      link.className = link.rel;
      link.rel = '';
    } else decorateLink(link, options.strings.newTab);
  }
  for (const pre of part.querySelectorAll('pre')) {
    const text = (pre.textContent ?? '').replace(/\n$/, '');
    replace(pre, createCode(doc, options, { language: pre.lang, text }));
  }
  for (const table of part.querySelectorAll('table')) {
    const box = doc.createElement('div');
    box.className = 'table';
    box.tabIndex = 0;
    box.setAttribute('role', 'group');
    const heads = [...table.querySelectorAll('th')].map((cell) => cell.textContent?.trim() ?? '');
    box.setAttribute('aria-label', heads.filter(Boolean).join(', ').slice(0, 80) || '…');
    replace(table, box);
    box.appendChild(table);
  }
  for (const list of part.querySelectorAll('ol')) {
    const { length } = String(list.start + list.childElementCount - 1);
    if (length > 1) list.className = `digits-${length}`;
  }
  for (const item of part.querySelectorAll('li')) {
    if (/^\s*[☐☑] /.test(item.textContent ?? '')) item.className = 'task';
  }
}

/** Numbers of sources, with the punctuation that follows. */
const sourceNumbers = /(\[\d{1,2}\][.,;:!?)…؟،。，、]*)/;

/**
 * Makes a button of each `[n]` in the text that is the number of a source. In code and in links it stays text.
 * @param cite returns the title of a source, undefined if there is none of this number.
 */
function addCitations(part: DocumentFragment, cite: (number: number) => string | undefined): void {
  const doc = part.ownerDocument;
  const walker = doc.createTreeWalker(part, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (sourceNumbers.test((node as Text).data) && !node.parentElement?.closest('a, code, pre'))
      texts.push(node as Text);
  }
  for (const text of texts) {
    const pieces = doc.createDocumentFragment();
    const nodes = text.data.split(sourceNumbers).map((piece) => {
      const end = piece.indexOf(']');
      const title = sourceNumbers.test(piece) ? cite(Number(piece.slice(1, end))) : undefined;
      if (title === undefined) return doc.createTextNode(piece);
      const button = doc.createElement('button');
      button.type = 'button';
      button.className = 'cite';
      button.title = title;
      button.part.add('citation');
      button.textContent = piece.slice(1, end);
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
