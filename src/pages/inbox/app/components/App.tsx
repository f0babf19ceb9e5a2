// The whole page: lists, conversations, one conversation and its visitor, and what is above them.
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { t } from '../../../ui/texts.ts';
import type { Inbox } from '../inbox.ts';
import type { PeriodText } from '../state/report-period.ts';
import { isInFront, type SettingsPage, viewOf } from '../state/route.ts';
import { ConversationList } from './ConversationList.tsx';
import { focusBehind } from './focus.ts';
import { Lists } from './Lists.tsx';
import type * as open from './OpenConversation.ts';

export function App({ inbox }: { inbox: Inbox }) {
  const { list, visitors, conversationId, isVisitorShown, settings, report } = inbox.router.route.value;
  const { polite, assertive } = inbox.announcer;
  const { loaded, hasFailed } = useOpenConversation(
    conversationId !== undefined ||
      visitors !== undefined ||
      inbox.dialog.value !== undefined ||
      inbox.store.isSignedOut.value,
  );
  const pane = settings
    ? 'settings'
    : report
      ? 'reports'
      : isVisitorShown
        ? 'visitor'
        : conversationId
          ? 'conversation'
          : list || visitors !== undefined
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
      <h1 class="visually-hidden">{t('Inbox')}</h1>
      <Lists inbox={inbox} />
      {settings && <SettingsPane inbox={inbox} page={settings} />}
      {report && <ReportsPane inbox={inbox} period={report} />}
      {visitors === undefined ? (
        <ConversationList inbox={inbox} view={viewOf(inbox.router.route.value)} />
      ) : (
        loaded && <loaded.VisitorList inbox={inbox} text={visitors} />
      )}
      <section class="pane conversation" aria-label={t('Conversation')}>
        {!conversationId && loaded && <loaded.NothingOpen inbox={inbox} />}
        {conversationId && loaded && (
          <loaded.Conversation key={conversationId} inbox={inbox} id={conversationId} />
        )}
        {conversationId && hasFailed && (
          <p class="empty" role="status">
            {t('The conversation could not be loaded. Load the page again.')}
          </p>
        )}
      </section>
      {conversationId && loaded && (
        <loaded.VisitorPane key={`visitor ${conversationId}`} inbox={inbox} id={conversationId} />
      )}
      {loaded && <loaded.Dialogs inbox={inbox} />}
      <p class="visually-hidden" role="status">
        {polite}
      </p>
      <p class="visually-hidden" role="alert">
        {assertive}
      </p>
    </main>
  );
}

/** Milliseconds after the first drawing until the code of a conversation is loaded without one: the list comes first. */
const aheadMs = 500;

/** The code of an open conversation, of dialogs and of the list of visitors. `isOpen`: it is needed now. */
function useOpenConversation(isOpen: boolean) {
  const [loaded, setLoaded] = useState<typeof open>();
  const [hasFailed, setHasFailed] = useState(false);
  useEffect(() => {
    const load = () => void import('./OpenConversation.ts').then(setLoaded, () => setHasFailed(true));
    if (isOpen) return load();
    const timer = setTimeout(load, aheadMs);
    return () => clearTimeout(timer);
  }, [isOpen]);
  return { loaded, hasFailed };
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
    <section class="pane settings" aria-label={t('Settings')}>
      <p class="empty" role="status">
        {hasFailed ? t('The settings could not be loaded. Load the page again.') : t('Loading…')}
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
    <section class="pane reports" aria-label={t('Reports')}>
      <p class="empty" role="status">
        {hasFailed ? t('The reports could not be loaded. Load the page again.') : t('Loading…')}
      </p>
    </section>
  );
}
