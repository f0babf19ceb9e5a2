// The place of a conversation while none is open: how many visitors wait, the one who waits longest, and the keys.
import { useEffect, useState } from 'preact/hooks';
import type { InboxRow } from '../../../../protocol/inbox.ts';
import { Avatar } from '../../../ui/Avatar.tsx';
import { counted, t } from '../../../ui/texts.ts';
import type { Inbox } from '../inbox.ts';
import { visitorName } from '../state/lists.ts';
import { lastWordsOf } from './ConversationRow.tsx';
import { focusConversation } from './focus.ts';
import { Link } from './Link.tsx';
import { isLate, waitingText, waitOf } from './times.ts';

/** The keys that are named here; all of them are in the list of keys. */
const keys = (): [key: string, what: string][] => [
  ['j', t('Next conversation')],
  ['k', t('Previous conversation')],
  ['/', t('Search')],
  ['?', t('All keys')],
];

export function NothingOpen({ inbox }: { inbox: Inbox }) {
  const { counts, clock } = inbox.store;
  const waiting = counts.value?.waiting;
  const row = useLongest(inbox, waiting);
  const { singleKeys } = inbox.preferences.current.value;
  if (waiting === undefined) return null;
  const now = clock.value;
  const { list = 'waiting', filter } = inbox.router.route.value;
  return (
    <div class="nothing-open">
      <h2>
        {waiting === 0
          ? t('Nobody waits for an answer.')
          : waiting >= 999
            ? t('More than 998 visitors wait for an answer.')
            : counted(
                waiting,
                '{count} visitor waits for an answer.',
                '{count} visitors wait for an answer.',
              )}
      </h2>
      {waiting === 0 && <p class="hint">{t('New requests appear in the list by themselves.')}</p>}
      {row?.waitingSince && (
        <div class="longest">
          <Avatar name={visitorName(row)} size="header" />
          <div class="words">
            <p class="line">
              <b dir="auto">{visitorName(row)}</b>
              <span class="age" data-late={isLate(row.waitingSince, now)}>
                <span class="visually-hidden">, {waitingText(row.waitingSince, now)}</span>
                <span aria-hidden="true">{waitOf(row.waitingSince, now)}</span>
              </span>
            </p>
            <p class="hint" dir="auto">
              {lastWordsOf(row, inbox.me).text}
            </p>
          </div>
          <Link
            inbox={inbox}
            class="button main"
            to={{ list, filter, conversationId: row.conversationId, isVisitorShown: false }}
            onOpen={focusConversation}
          >
            {t('Open')}
          </Link>
        </div>
      )}
      {singleKeys && (
        <dl class="some-keys">
          {keys().map(([key, what]) => (
            <div key={key}>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{what}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}

/** The conversation that waits longest; undefined if there is none, and until it is known. `waiting`: their number. */
function useLongest({ api, store }: Inbox, waiting: number | undefined): InboxRow | undefined {
  const [found, setFound] = useState<InboxRow>();
  useEffect(() => {
    if (!waiting) return setFound(undefined);
    const controller = new AbortController();
    api.inbox.listInboxConversations({ list: 'waiting', pageSize: 1 }, { signal: controller.signal }).then(
      ({ conversations: [first] }) => setFound(first),
      // The list is beside it.
      () => {},
    );
    return () => controller.abort();
  }, [api, waiting]);
  if (!found || store.isDeleted(found.conversationId) || store.hidden.value.has(found.conversationId))
    return undefined;
  // The row of the list has later changes.
  return store.rows.value.get(found.conversationId) ?? found;
}
