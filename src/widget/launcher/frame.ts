// The frame of the window: shown immediately on a click. While it is empty, its CSS shows a loading state.
import { element } from './dom.ts';
import { strings } from './strings.ts';

/** The id of the frame, for `aria-controls` of the launcher. */
export const frameId = 'platform-window';

export const createFrame = (): HTMLElement =>
  element('section', {
    id: frameId,
    class: 'window',
    part: 'window',
    role: 'dialog',
    tabindex: '-1',
    'aria-label': strings.loading,
    hidden: true,
    inert: true,
  });
