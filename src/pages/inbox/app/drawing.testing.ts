// The element in which tests of components draw.
import { render } from 'preact';
import { afterEach, beforeEach } from 'vitest';

/** Each test of the file gets an element in the document, which is emptied and removed after it. Returns the present one. */
export function useRoot(): () => HTMLElement {
  let root: HTMLElement;
  beforeEach(() => {
    root = document.body.appendChild(document.createElement('div'));
  });
  afterEach(() => {
    render(null, root);
    root.remove();
  });
  return () => root;
}
