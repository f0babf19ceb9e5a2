// The entry point of the inbox for a member who has signed in: draws it in an element of the page.
import { render } from 'preact';
import { type Authorization, createInboxApi } from './api/inbox-api.ts';
import { App } from './components/App.tsx';
import { createInbox, type Leave } from './inbox.ts';
import './style/inbox.css';

/**
 * Draws the inbox in `root`, which it empties. Returns what removes it. `leave`: see inbox.ts.
 * @throws (as a rejection) what `createInboxApi` throws, before anything is drawn.
 */
export async function mountInbox(
  root: HTMLElement,
  authorization: Authorization,
  leave?: Leave,
): Promise<() => void> {
  const inbox = createInbox(await createInboxApi(authorization), browserStorage(), leave);
  root.textContent = '';
  render(<App inbox={inbox} />, root);
  return () => {
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
