// Tells the team on which page the visitor is, if the site shares that (`sharePage`) and the visitor allows the chat to store data.
import { setPage } from '../../../../client/operations/chat.ts';
import type { VisitorPage } from '../../../../protocol/types/visitors.ts';
import { pageLimits } from '../../../../protocol/visitor-page.ts';
import type { SessionInternals } from '../context.ts';

/** The least milliseconds between two requests: pages can change their title each second. */
const pauseMs = 3_000;

/** Follows the page until `signal` ends. Failures are ignored: the next change, or the next stream, is another attempt. */
export function sharePage(internals: SessionInternals, signal: AbortSignal): void {
  const { widget, store, incoming, getConversation } = internals;
  const client = internals.client.with({ setPage });
  /** The page that the server has, as JSON. */
  let sent = 'null';
  let isPaused = false;

  const read = (): VisitorPage | null => {
    const { sharePage: mode } = store.state.configuration;
    // Also after consent was withdrawn.
    if (!mode || !store.has('page') || widget.configuration.storageLocation === 'memory') return null;
    const { href } = location;
    const url = mode === 'full' ? href : href.replace(/[?#].*/s, '');
    if (!/^https?:/.test(url) || url.length > pageLimits.url) return null;
    // No half character at the end.
    const title = document.title.slice(0, pageLimits.title).replace(/[\ud800-\udbff]$/, '');
    return { url, ...(title && { title }) };
  };

  const report = () => {
    const page = read();
    const text = JSON.stringify(page);
    const conversation = getConversation();
    // Of several tabs, the one that the visitor looks at. What is not shared any more ends in any tab.
    const isHidden = document.visibilityState === 'hidden';
    if (text === sent || isPaused || !conversation || (page && isHidden)) return;
    sent = text;
    isPaused = true;
    setTimeout(() => {
      isPaused = false;
      if (!signal.aborted) report();
    }, pauseMs);
    client.setPage({ id: conversation.id, page }, { signal }).catch(() => {});
  };
  /** The server may have forgotten the page, or another tab has sent its own. */
  const reportAgain = () => {
    if (read()) sent = '';
    report();
  };

  const { reconnect } = incoming;
  incoming.reconnect = () => {
    reconnect();
    reportAgain();
  };
  const titles = new MutationObserver(report);
  titles.observe(document.head, { subtree: true, childList: true, characterData: true });
  const { navigation } = window as { navigation?: EventTarget };
  navigation?.addEventListener('currententrychange', report, { signal });
  addEventListener('popstate', report, { signal });
  addEventListener('hashchange', report, { signal });
  document.addEventListener('visibilitychange', reportAgain, { signal });
  const stop = store.observe(report);
  signal.addEventListener('abort', () => {
    incoming.reconnect = reconnect;
    titles.disconnect();
    stop();
  });
}
