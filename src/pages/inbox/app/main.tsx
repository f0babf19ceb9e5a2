// The entry point of the inbox for a member who has signed in: draws it in an element of the page.
import { render } from 'preact';
import { createInboxApi, type SignedInMember } from './api/inbox-api.ts';
import { App } from './components/App.tsx';
import { createInbox, type Leave } from './inbox.ts';
import { listenToKeys } from './keys.ts';
import './style/inbox.css';

/** Draws the inbox of a member in `root`, which it empties. Returns what removes it. */
export function mountInbox(root: HTMLElement, signedIn: SignedInMember, leave: Leave): () => void {
  const inbox = createInbox(createInboxApi(signedIn), browserStorage(), leave);
  // Before anything is drawn: a key that is pressed as soon as the page shows must not be lost.
  const ignoreKeys = listenToKeys(inbox);
  root.textContent = '';
  render(<App inbox={inbox} />, root);
  return () => {
    ignoreKeys();
    render(null, root);
    inbox.dispose();
  };
}

/** Undefined where the browser refuses it: then drafts live as long as the page. */
function browserStorage(): Storage | undefined {
  try {
    return localStorage;
  } catch {
    return undefined;
  }
}
