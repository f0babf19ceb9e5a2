// A code block: its language, a button that copies it, and a part that scrolls. Colors are added later (highlight.ts),
// when the browser is idle. It is created from elements and text, without HTML.
import { append } from './insert.ts';
import type { MarkdownOptions } from './types.ts';

export function createCode(
  doc: Document,
  { strings }: Pick<MarkdownOptions, 'strings'>,
  { language, text }: { language: string; text: string },
): HTMLElement {
  const box = element(doc, 'div', 'code');
  const bar = element(doc, 'div', 'code-bar');
  const name = element(doc, 'span', 'code-name');
  name.textContent = language || strings.code;
  const button = element(doc, 'button', 'copy') as HTMLButtonElement;
  button.type = 'button';
  button.textContent = strings.copyCode;
  append(bar, [name, button]);
  const pre = element(doc, 'pre', '');
  pre.tabIndex = 0;
  pre.setAttribute('role', 'group');
  pre.setAttribute('aria-label', language || strings.code);
  pre.dir = 'ltr';
  const code = doc.createElement('code');
  code.textContent = text;
  pre.appendChild(code);
  append(box, [bar, pre]);
  return box;
}

function element(doc: Document, tag: string, className: string): HTMLElement {
  const made = doc.createElement(tag);
  if (className) made.className = className;
  return made;
}

/** Milliseconds for which "Copied" is shown. */
const copiedTimeMs = 2_000;

/** Copies the code of this button and shows that on it. */
export function copyCode(button: HTMLElement, { strings }: Pick<MarkdownOptions, 'strings'>): void {
  const code = button.closest('.code')?.querySelector('code');
  if (!code) return;
  button.setAttribute('aria-live', 'polite');
  const done = () => {
    button.textContent = strings.codeCopied;
    setTimeout(() => {
      // Resetting the label is not announced.
      button.removeAttribute('aria-live');
      button.textContent = strings.copyCode;
    }, copiedTimeMs);
  };
  // The clipboard API exists only on https and localhost, and a frame may not have the permission.
  const copying = navigator.clipboard?.writeText(code.textContent ?? '');
  if (copying) copying.then(done, () => copySelection(code) && done());
  else if (copySelection(code)) done();
}

/** Copies by `execCommand`, which needs no permission, and restores the selection. */
function copySelection(code: Element): boolean {
  const root = code.getRootNode() as ShadowRoot & { getSelection?: () => Selection | null };
  const selection = root.getSelection?.() ?? document.getSelection();
  if (!selection) return false;
  const range = selection.rangeCount ? selection.getRangeAt(0) : undefined;
  selection.selectAllChildren(code);
  const isDone = document.execCommand('copy');
  selection.removeAllRanges();
  if (range) selection.addRange(range);
  return isDone;
}
