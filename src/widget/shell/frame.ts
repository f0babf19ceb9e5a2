// The frame of the window: shown at once on a click; while it is empty its CSS shows that something is on its way.
import { element } from './dom.ts';
import { words } from './words.ts';

export const createFrame = (id: string): HTMLElement =>
  element('section', {
    id,
    class: 'window',
    part: 'window',
    role: 'dialog',
    tabindex: '-1',
    'aria-label': words.loading,
    hidden: true,
    inert: true,
  });
