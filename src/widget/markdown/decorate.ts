// Adds elements and attributes that content must not contain to sanitized nodes: links that open a new tab, scrolling
// tables and code, tasks, room for numbers, and pictures. The nodes are not in the page yet.
import { addCitations } from './citations.ts';
import { createCode } from './code.ts';
import { drawFormulas } from './formulas/draw-formulas.ts';
import { replace } from './insert.ts';
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
    else decorateLink(link, options.strings.newTab);
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
