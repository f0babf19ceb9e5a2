// The button in the corner: opens and closes the window, counts unread messages, says when something is wrong.
import { element, icon, set } from './dom.ts';
import { words } from './words.ts';

export interface LauncherState {
  isOpen?: boolean;
  unread?: number;
  /** A sentence in the place of the number. */
  problem?: string;
  /** The address of a picture instead of the icon. */
  image?: string | undefined;
}

export interface Launcher {
  button: HTMLButtonElement;
  /** Shows a change of its state, and of the words. */
  update(change: LauncherState): void;
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

  const update = (change: LauncherState) => {
    const isNewImage = !face.firstChild || ('image' in change && change.image !== state.image);
    state = { ...state, ...change };
    const { isOpen = false, unread = 0, problem, image } = state;
    set(button, {
      'aria-expanded': String(isOpen),
      'aria-label': isOpen ? words.closeChat : problem || (unread ? words.unread(unread) : words.openChat),
    });
    badge.textContent = isOpen ? '' : problem || (unread > 99 ? '99+' : unread ? String(unread) : '');
    if (!isNewImage) return;
    const bubble = icon(bubblePath, 'bubble');
    const picture = element('img', { src: image ?? '', alt: '' });
    // A broken picture must not leave an empty button.
    picture.onerror = () => picture.replaceWith(bubble);
    face.replaceChildren(image ? picture : bubble);
  };

  return { button, update };
}
