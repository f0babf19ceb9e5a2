// The entry point of the inbox: shows the view of a link, of a member who has signed in, or the sign-in. Code that
// needs a session is loaded afterwards, so that the sign-in stays small.
import type { SignedIn, SignInOptions } from '../../protocol/types/session.ts';
import { create, show } from './elements.ts';
import { call, Refusal } from './session-api.ts';
import { readLink, showLink, showSignIn } from './sign-in.ts';

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

interface OpenOptions {
  /** Why the member has to sign in, or sees the account. */
  text?: string | undefined;
  /** The page was just loaded. */
  isFirst?: boolean;
  /** The account instead of the inbox. */
  isAccount?: boolean;
}

/** Shows the inbox to a member who has signed in, the account to one who may not read it, or else the sign-in. */
async function open({ text, isFirst = false, isAccount = false }: OpenOptions = {}): Promise<void> {
  try {
    const signedIn = await call<SignedIn>('GET', '');
    const onEnd = (reason?: string) => void open({ text: reason });
    const hasInbox = signedIn.permissions.includes('inbox.read');
    if (hasInbox && !isAccount) {
      await openInbox(signedIn, { onEnd, onAccount: (text) => void open({ text, isAccount: true }) });
      return;
    }
    const { showMember } = await import('./member.ts');
    await showMember(signedIn, { onEnd, ...(hasInbox && { onInbox: () => void open() }) }, { isFirst, text });
  } catch (error) {
    if (!(error instanceof Refusal) || error.status !== 401) return fail(error);
    await askToSignIn(text, isFirst);
  }
}

async function askToSignIn(text: string | undefined, isFirst = false): Promise<void> {
  try {
    const options = await call<SignInOptions>('GET', '/options');
    showSignIn(options, () => void open(), { text, isFirst });
  } catch (error) {
    fail(error);
  }
}

function fail(error: unknown): void {
  const text = error instanceof Refusal ? error.message : 'The page cannot be loaded. Reload it.';
  show('Inbox', [create('p', { class: 'refusal', role: 'alert' }, text)]);
}

/**
 * Removes the token from the address, so that the browser history does not keep it. After a sign-in with another
 * service, the query is removed too; otherwise the query stays, because it names the open conversation.
 */
const forgetAddress = (query = location.search): void =>
  history.replaceState(null, '', location.pathname + query);

/** Whether another service has sent the browser back. */
function isCallback(): boolean {
  const query = new URLSearchParams(location.search);
  return query.has('state') && (query.has('code') || query.has('error'));
}

/** Completes the sign-in with another service. */
async function finish(): Promise<void> {
  const query = location.search.slice(1);
  forgetAddress('');
  try {
    await call('POST', '/oidc/callback', { query });
    await open();
  } catch (error) {
    await askToSignIn(error instanceof Refusal ? error.message : 'The sign-in failed. Try again.');
  }
}

function start(): void {
  const link = readLink(location.hash);
  if (!link) {
    void (isCallback() ? finish() : open({ isFirst: true }));
    return;
  }
  showLink(
    link,
    () => {
      forgetAddress();
      void open();
    },
    () => {
      forgetAddress();
      void askToSignIn(undefined);
    },
  );
}

// Another link that is opened in the same tab changes only the fragment. The inbox, which may be open, ends with the page.
addEventListener('hashchange', () => {
  if (!readLink(location.hash)) return;
  if (document.getElementById('view')?.hidden) location.reload();
  else start();
});
start();
