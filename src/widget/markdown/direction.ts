// The direction of a long text. Chromium visits all children of an element with `dir="auto"` for each one that is added,
// which took 6 of 12 s for 40,000 paragraphs. So the direction that the browser has found is set when the text gets long.

export interface Direction {
  /** Keeps the present direction for the text that follows. Does nothing before the first letter, which decides it. */
  keep(): void;
  /** Lets the browser find the direction again, because another text follows. */
  reset(): void;
}

/** @param element shows the text; its direction is kept only if it has `dir="auto"`. */
export function createDirection(element: HTMLElement): Direction {
  let isKept = false;

  return {
    keep() {
      if (isKept || element.dir !== 'auto' || ![...element.children].some(hasLetter)) return;
      isKept = true;
      element.dir = getComputedStyle(element).direction;
    },
    reset() {
      if (isKept) element.dir = 'auto';
      isKept = false;
    },
  };
}

/** Code has a direction of its own. */
const hasLetter = (block: Element) => !block.matches('.code') && /\p{L}/u.test(block.textContent ?? '');
