// Draws the formulas of a message. The chunk that reads TeX (math.ts) is loaded with the first one; until then its place is
// empty, and if the chunk cannot be loaded, or the formula cannot be read, there is its source.
import { replace } from '../insert.ts';
import { readFormula } from './read-formula.ts';

/** The element that the parser makes of a formula: content can make no such `lang`. */
export const formulaMark = 'math';
/** Formulas that are drawn in one block; the others stay text. */
const maxFormulas = 200;

let math: typeof import('./math.ts') | undefined;
let loading: Promise<void> | undefined;

/**
 * Replaces the marked formulas of a part that is not in the page yet.
 * @param root what is in the page, where those that wait are drawn later.
 */
export function drawFormulas(part: DocumentFragment, root: HTMLElement): void {
  const codes = part.querySelectorAll(`code[lang="${formulaMark}"]`);
  // Not `entries()`, which pages replace.
  codes.forEach((code, i) => {
    const box = part.ownerDocument.createElement('span');
    box.textContent = code.textContent;
    if (i < maxFormulas) {
      box.className = 'formula waiting';
      box.style.visibility = 'hidden';
      draw(box);
    }
    replace(code, box);
  });
  if (math || codes.length === 0) return;
  loading ??= import('./math.ts').then(
    (module) => {
      math = module;
    },
    () => {
      // The next formula tries again.
      loading = undefined;
    },
  );
  void loading.then(() => {
    for (const box of root.querySelectorAll<HTMLElement>('.formula.waiting')) {
      if (math) draw(box);
      else box.style.visibility = '';
    }
  });
}

/** Draws a formula in the place of its source, if the chunk is there. */
function draw(box: HTMLElement): void {
  const formula = readFormula(box.textContent ?? '', 0);
  math?.drawFormula(box, typeof formula === 'object' ? formula : undefined);
}
