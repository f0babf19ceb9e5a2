// The entry point of the console: shows the view of a link, the console of a member who has signed in, or the sign-in. Code that
// needs a session is loaded afterwards, so that the sign-in stays small.
import type { SignedIn, SignInOptions } from '../../protocol/types/session.ts';
import { create, show } from '../session/elements.ts';
import { call, Refusal } from '../session/session-api.ts';
import { readLink, showLink, showSignIn } from '../session/sign-in.ts';
import { rememberSignedIn } from '../session/signed-in.ts';
import { t, useWantedLanguage } from '../ui/texts.ts';

/**
 * Loads and draws the console. Rejects if its code cannot be loaded or run, and then the card is still there. `onEnd`: the session has
 * ended; with the reason if it is not the member's wish.
 */
async function openConsole(signedIn: SignedIn, onEnd: (text?: string) => void): Promise<void> {
  const { mountConsole } = await import('./app.tsx');
  const card = document.getElementById('view');
  const root = create('div', { id: 'app' });
  let unmount = () => {};
  const show = (isCard: boolean) => {
    if (card) card.hidden = !isCard;
  };
  const leave = () => {
    unmount();
    root.remove();
    show(true);
  };
  let isOver = false;
  const end = (text?: string) => {
    // Several requests find it at the same time.
    if (isOver) return;
    isOver = true;
    leave();
    onEnd(text);
  };
  card?.after(root);
  show(false);
  try {
    unmount = await mountConsole(root, signedIn, {
      signIn: () => end(t('The session has ended. Sign in again.')),
      async signOut() {
        await call('DELETE', '').catch((error) => {
          // It has ended already.
          if (!(error instanceof Refusal) || error.status !== 401) throw error;
        });
        end();
      },
    });
  } catch (error) {
    leave();
    throw error;
  }
}

/** Shows the console to a member who has signed in, or else the sign-in. `text`: why they have to sign in. */
async function open({
  text,
  isFirst = false,
}: {
  text?: string | undefined;
  isFirst?: boolean;
} = {}): Promise<void> {
  try {
    const signedIn = await call<SignedIn>('GET', '');
    rememberSignedIn(true);
    await openConsole(signedIn, (reason) => void open({ text: reason }));
  } catch (error) {
    if (!(error instanceof Refusal) || error.status !== 401) return fail(error);
    rememberSignedIn(false);
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
  const text = error instanceof Refusal ? error.message : t('The page cannot be loaded. Reload it.');
  show(t('Console'), [create('p', { class: 'refusal', role: 'alert' }, text)]);
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
    await askToSignIn(error instanceof Refusal ? error.message : t('The sign-in failed. Try again.'));
  }
}

async function start(): Promise<void> {
  await useWantedLanguage();
  const link = readLink(location.hash);
  if (!link) {
    await (isCallback() ? finish() : open({ isFirst: true }));
    return;
  }
  let hasPasswords = true;
  if (link.purpose === 'setup') {
    try {
      hasPasswords = (await call<SignInOptions>('GET', '/options')).password;
    } catch (error) {
      fail(error);
      return;
    }
  }
  showLink(
    link,
    hasPasswords,
    () => {
      // The owner of a new server begins with the first steps.
      forgetAddress(link.purpose === 'setup' ? '?page=start' : undefined);
      void open();
    },
    () => {
      forgetAddress();
      void askToSignIn(undefined);
    },
  );
}

// Another link that is opened in the same tab changes only the fragment. The console, which may be open, ends with the page.
addEventListener('hashchange', () => {
  if (!readLink(location.hash)) return;
  if (document.getElementById('view')?.hidden) location.reload();
  else void start();
});
void start();
