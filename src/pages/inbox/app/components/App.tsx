// The whole page: lists, conversations, one conversation and its visitor, and what is above them.
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';
import { useCode } from '../../../ui/code.ts';
import { CodeState, Problem } from '../../../ui/Page.tsx';
import { t } from '../../../ui/texts.ts';
import type { Inbox } from '../inbox.ts';
import type { PeriodText } from '../state/report-period.ts';
import { isInFront, type SettingsPage, viewOf } from '../state/route.ts';
import { ConversationList } from './ConversationList.tsx';
import { focusBehind } from './focus.ts';
import { Lists } from './Lists.tsx';

export function App({ inbox }: { inbox: Inbox }) {
  const { list, visitors, conversationId, isVisitorShown, settings, report } = inbox.router.route.value;
  const { polite, assertive } = inbox.announcer;
  const { loaded, retry } = useOpenConversation(
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
      {!front && <h1 class="visually-hidden">{t('Inbox')}</h1>}
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
        {conversationId && retry && (
          <Problem text={t('The conversation could not be loaded.')} onRetry={retry} />
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
  const [isAhead, setIsAhead] = useState(false);
  useEffect(() => {
    const timer = setTimeout(setIsAhead, aheadMs, true);
    return () => clearTimeout(timer);
  }, []);
  return useCode(() => import('./OpenConversation.ts'), isOpen || isAhead);
}

/** The settings, whose code is loaded when they are first opened. */
function SettingsPane({ inbox, page }: { inbox: Inbox; page: SettingsPage }) {
  const { loaded, retry } = useCode(() => import('../settings/Settings.tsx'));
  if (loaded) return <loaded.Settings inbox={inbox} page={page} />;
  return (
    <PaneWithoutCode pane="settings" title={t('Team')}>
      <CodeState text={t('The settings could not be loaded.')} retry={retry} />
    </PaneWithoutCode>
  );
}

/** The reports, whose code is loaded when they are first opened. */
function ReportsPane({ inbox, period }: { inbox: Inbox; period: PeriodText }) {
  const { loaded, retry } = useCode(() => import('../reports/Reports.tsx'));
  if (loaded) return <loaded.Reports inbox={inbox} period={period} />;
  return (
    <PaneWithoutCode pane="reports" title={t('Reports')}>
      <CodeState text={t('The reports could not be loaded.')} retry={retry} />
    </PaneWithoutCode>
  );
}

interface PaneProps {
  pane: 'settings' | 'reports';
  title: string;
  children: ComponentChildren;
}

const PaneWithoutCode = ({ pane, title, children }: PaneProps) => (
  <section class={`pane ${pane} page page-content`} aria-label={title}>
    <h1>{title}</h1>
    {children}
  </section>
);
