// The launcher button: opens and closes the window, and shows the number of unread messages or a problem.
import { element, icon, set } from './dom.ts';
import { frameId } from './frame.ts';
import { bubblePath } from './icon-path.ts';
import { strings } from './strings.ts';

export interface LauncherState {
  isOpen: boolean;
  unread: number;
  /** A sentence that replaces the number; '' without one. */
  problem: string;
}

export interface Launcher {
  button: HTMLButtonElement;
  /** Shows a state, with the present strings. */
  update(state: LauncherState): void;
}

// Lucide "chevron-down" (ISC).
const chevronPath = 'm6 9 6 6 6-6';

export function createLauncher(): Launcher {
  const badge = element('span', { class: 'badge', part: 'badge', 'aria-hidden': 'true' });
  const button = element(
    'button',
    {
      class: 'launcher',
      part: 'launcher',
      type: 'button',
      'aria-haspopup': 'dialog',
      'aria-controls': frameId,
    },
    icon(bubblePath, 'talk'),
    icon(chevronPath, 'chevron'),
    badge,
  );

  return {
    button,
    update({ isOpen, unread, problem }) {
      set(button, {
        'aria-expanded': String(isOpen),
        'aria-label': isOpen
          ? strings.closeChat
          : problem || (unread ? strings.unread(unread) : strings.openChat),
      });
      set(badge, { 'data-problem': !!problem });
      badge.textContent = isOpen ? '' : problem || (unread > 99 ? '99+' : `${unread || ''}`);
    },
  };
}
