// The button in the corner: opens and closes the window, counts unread messages, says when something is wrong.
import { shellWords as words } from '../words.ts';
import { element, icon, set } from './dom.ts';

export interface LauncherState {
  isOpen?: boolean;
  unread?: number;
  /** A sentence in the place of the number. */
  problem?: string;
}

export interface Launcher {
  button: HTMLButtonElement;
  /** Shows a change of its state. */
  update(change: LauncherState): void;
  /** Shows a picture instead of the icon. */
  setImage(address: string | undefined): void;
}

// Lucide "message-circle" filled, and "chevron-down" (ISC).
const bubblePath = 'M7.9 20A9 9 0 1 0 4 16.1L2 22Z';
const chevronPath = 'm6 9 6 6 6-6';

export function createLauncher(frameId: string): Launcher {
  const badge = element('span', { class: 'badge', part: 'badge', 'aria-hidden': 'true' });
  const face = element('span', { class: 'face' });
  const button = element(
    'button',
    {
      class: 'launcher',
      part: 'launcher',
      type: 'button',
      'aria-haspopup': 'dialog',
      'aria-controls': frameId,
    },
    face,
    icon(chevronPath, 'chevron'),
    badge,
  );
  let state: LauncherState = {};
  let shown: string | undefined | null = null;

  return {
    button,
    update(change) {
      state = { ...state, ...change };
      const { isOpen = false, unread = 0, problem } = state;
      set(button, {
        'aria-expanded': String(isOpen),
        'aria-label': isOpen
          ? words.launcherOpen
          : problem || (unread ? words.unread(unread) : words.launcher),
      });
      badge.textContent = isOpen ? '' : problem || (unread > 99 ? '99+' : unread ? String(unread) : '');
    },
    setImage(address) {
      if (address === shown) return;
      shown = address;
      const bubble = icon(bubblePath, 'bubble');
      const picture = element('img', { src: address ?? '', alt: '' });
      // A broken picture must not leave an empty button.
      picture.onerror = () => picture.replaceWith(bubble);
      face.replaceChildren(address ? picture : bubble);
    },
  };
}
