// The whole page: lists, conversations, one conversation and its visitor, and what is above them.
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { Dialogs } from '../dialogs/Dialogs.tsx';
import type { Inbox } from '../inbox.ts';
import type { PeriodText } from '../state/report-period.ts';
import { isInFront, type SettingsPage, viewOf } from '../state/route.ts';
import { Conversation } from './Conversation.tsx';
import { ConversationList } from './ConversationList.tsx';
import { focusBehind } from './focus.ts';
import { Lists } from './Lists.tsx';
import { VisitorPane } from './VisitorPane.tsx';

export function App({ inbox }: { inbox: Inbox }) {
  const { list, conversationId, isVisitorShown, settings, report } = inbox.router.route.value;
  const { polite, assertive } = inbox.announcer;
  const pane = settings
    ? 'settings'
    : report
      ? 'reports'
      : isVisitorShown
        ? 'visitor'
        : conversationId
          ? 'conversation'
          : list
            ? 'list'
            : 'lists';
  const front = settings ? 'settings' : report && 'reports';
  // Before the next drawing takes the focus from an opener that is hidden then.
  useLayoutEffect(() => {
    if (!front) return;
    const opener = document.activeElement;
    return () => {
      const now = inbox.router.route.peek();
      if (!isInFront(now)) focusBehind(opener, now.conversationId);
    };
  }, [inbox, front]);
  return (
    <main class="inbox" data-pane={pane}>
      <h1 class="visually-hidden">Inbox</h1>
      <Lists inbox={inbox} />
      {settings && <SettingsPane inbox={inbox} page={settings} />}
      {report && <ReportsPane inbox={inbox} period={report} />}
      <ConversationList inbox={inbox} view={viewOf(inbox.router.route.value)} />
      <section class="pane conversation" aria-label="Conversation">
        {conversationId ? (
          <Conversation key={conversationId} inbox={inbox} id={conversationId} />
        ) : (
          <p class="empty">Choose a conversation. Press ? for the keys.</p>
        )}
      </section>
      {conversationId && <VisitorPane key={`visitor ${conversationId}`} inbox={inbox} id={conversationId} />}
      <Dialogs inbox={inbox} />
      <p class="visually-hidden" role="status">
        {polite}
      </p>
      <p class="visually-hidden" role="alert">
        {assertive}
      </p>
    </main>
  );
}

/** The settings, whose code is loaded when they are first opened. */
function SettingsPane({ inbox, page }: { inbox: Inbox; page: SettingsPage }) {
  const [loaded, setLoaded] = useState<typeof import('../settings/Settings.tsx')>();
  const [hasFailed, setHasFailed] = useState(false);
  useEffect(() => {
    import('../settings/Settings.tsx').then(setLoaded, () => setHasFailed(true));
  }, []);
  if (loaded) return <loaded.Settings inbox={inbox} page={page} />;
  return (
    <section class="pane settings" aria-label="Settings">
      <p class="empty" role="status">
        {hasFailed ? 'The settings could not be loaded. Load the page again.' : 'Loading…'}
      </p>
    </section>
  );
}

/** The reports, whose code is loaded when they are first opened. */
function ReportsPane({ inbox, period }: { inbox: Inbox; period: PeriodText }) {
  const [loaded, setLoaded] = useState<typeof import('../reports/Reports.tsx')>();
  const [hasFailed, setHasFailed] = useState(false);
  useEffect(() => {
    import('../reports/Reports.tsx').then(setLoaded, () => setHasFailed(true));
  }, []);
  if (loaded) return <loaded.Reports inbox={inbox} period={period} />;
  return (
    <section class="pane reports" aria-label="Reports">
      <p class="empty" role="status">
        {hasFailed ? 'The reports could not be loaded. Load the page again.' : 'Loading…'}
      </p>
    </section>
  );
}
