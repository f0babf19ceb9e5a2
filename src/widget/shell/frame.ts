// The frame of the window: shown at once on a click; while it is empty its CSS shows that something is on its way.
import { element, set } from './dom.ts';
import { words } from './words.ts';

export interface Frame {
  element: HTMLElement;
  setOpen(isOpen: boolean): void;
}

export function createFrame(id: string): Frame {
  const frame = element('section', {
    id,
    class: 'window',
    part: 'window',
    role: 'dialog',
    tabindex: '-1',
    'aria-label': words.loading,
  });
  const setOpen = (isOpen: boolean) => {
    // Hidden takes it out of reach of everybody; inert is for style sheets that show hidden things.
    set(frame, { hidden: !isOpen, inert: !isOpen });
  };
  setOpen(false);
  return { element: frame, setOpen };
}
