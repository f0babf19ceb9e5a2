// Shows the inbox instead of the card of the sign-in, and the card again when the member leaves it.
import type { SignedIn } from '../../protocol/types/session.ts';
import { create } from './elements.ts';
import { call } from './session-api.ts';

export interface LeaveInbox {
  /** The session has ended; with the reason if it is not the member's wish. */
  onEnd(text?: string): void;
  /** The account is shown instead of the inbox; with the reason if it is not the member's wish. */
  onAccount(text?: string): void;
}

/** The style sheet of the card: its rules for elements are not those of the inbox. */
const cardSheet = document.querySelector<HTMLLinkElement>('link[rel="stylesheet"]');

/** Uses the style sheet of the card, or those of the inbox, which are loaded with its code. */
function useStyles(isCard: boolean): void {
  for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')) {
    link.disabled = (link === cardSheet) !== isCard;
  }
}

/** Loads and draws the inbox. Rejects if its code cannot be loaded or run, and then the card is still there. */
export async function openInbox(signedIn: SignedIn, { onEnd, onAccount }: LeaveInbox): Promise<void> {
  const { mountInbox } = await import('./app/main.tsx');
  const card = document.getElementById('view');
  const root = create('div', { id: 'app' });
  let unmount = () => {};
  const show = (isCard: boolean) => {
    useStyles(isCard);
    if (card) card.hidden = !isCard;
  };
  const leave = (next: () => void) => {
    unmount();
    root.remove();
    show(true);
    next();
  };
  card?.after(root);
  show(false);
  try {
    unmount = mountInbox(root, signedIn, {
      signIn: () => leave(() => onEnd('The session has ended. Sign in again.')),
      signOut: () => {
        const end = () => leave(() => onEnd());
        // A session that cannot be ended now is not forgotten by the browser: the member has to know.
        call('DELETE', '').then(end, () => leave(() => onAccount()));
      },
      account: (text) => leave(() => onAccount(text)),
    });
  } catch (error) {
    leave(() => {});
    throw error;
  }
}
