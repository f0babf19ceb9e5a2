// The lists of the inbox with their counts, the state of the connection, and the buttons of the page.
import { useState } from 'preact/hooks';
import { inboxLists, isHandledList } from '../../../../protocol/inbox.ts';
import { Avatar } from '../../../ui/Avatar.tsx';
import { t } from '../../../ui/texts.ts';
import { describeError } from '../api/describe-error.ts';
import type { Inbox } from '../inbox.ts';
import { listNameOf } from '../state/lists.ts';
import { isInFront } from '../state/route.ts';
import { Link } from './Link.tsx';

export function Lists({ inbox }: { inbox: Inbox }) {
  const { route } = inbox.router;
  const current = route.value.list ?? 'mine';
  const counts = inbox.store.counts.value;
  const { visitors } = route.value;
  const isBehind = isInFront(route.value);
  return (
    <div class="pane lists">
      <div class="bar">
        <p class="brand" aria-hidden="true">
          {t('Inbox')}
        </p>
      </div>
      <nav aria-label={t('Lists')}>
        <ul>
          {inboxLists.map((list) => (
            <li key={list} data-begins={list === 'all'}>
              <Link
                inbox={inbox}
                to={{ list, conversationId: undefined, isVisitorShown: false }}
                aria-current={list === current && !isBehind && visitors === undefined ? 'page' : undefined}
              >
                {listNameOf(list)}
                {counts && isHandledList(list) && (
                  <span class="count" data-some={counts[list] > 0}>
                    <span class="visually-hidden">: </span>
                    {counts[list] >= 999 ? '999+' : counts[list]}
                  </span>
                )}
              </Link>
            </li>
          ))}
          <li data-begins="true">
            <Link
              inbox={inbox}
              to={{ list: undefined, visitors: '', conversationId: undefined, isVisitorShown: false }}
              aria-current={visitors !== undefined && !isBehind ? 'page' : undefined}
            >
              {t('All visitors')}
            </Link>
          </li>
        </ul>
      </nav>
      <Connection inbox={inbox} />
      <OwnAvailability inbox={inbox} />
      <div class="own">
        <button type="button" class="quiet" title={t('Preferences')} onClick={() => inbox.leave.account()}>
          <Avatar name={inbox.me.name} size="message" />
          <span class="who" dir="auto">
            {inbox.me.name}
          </span>
          <span class="visually-hidden">, {t('Preferences')}</span>
        </button>
        <button type="button" class="plain" title={t('Keyboard')} onClick={() => open(inbox, 'keys')}>
          <span aria-hidden="true">?</span>
          <span class="visually-hidden">{t('Keyboard')}</span>
        </button>
      </div>
    </div>
  );
}

const open = (inbox: Inbox, name: 'keys') => inbox.openDialog(name);

/** Whether the member is assigned conversations, with the button that changes it. */
function OwnAvailability({ inbox: { team, announcer } }: { inbox: Inbox }) {
  const own = team.own.value;
  const [isBusy, setIsBusy] = useState(false);
  // Without a team that assigns conversations, it means nothing.
  const isAssigned = team.teams.value?.some(
    ({ mode, memberIds }) => mode !== 'manual' && memberIds.includes(own?.memberId ?? ''),
  );
  if (!own || !isAssigned) return null;
  const isAway = own.availability === 'away';
  return (
    <div class="availability">
      {own.awayCause && (
        <p role="status">
          {t('You are away, because you did not answer a conversation that you were assigned.')}
        </p>
      )}
      <button
        type="button"
        aria-pressed={!isAway}
        aria-disabled={isBusy}
        onClick={() => {
          if (isBusy) return;
          setIsBusy(true);
          team
            .setAvailability(isAway ? 'available' : 'away')
            .catch((error) => announcer.announceNow(describeError(error)))
            .finally(() => setIsBusy(false));
        }}
      >
        {isAway ? t('Away') : t('Available')}
        <span class="visually-hidden">
          {': '}
          {isAway ? t('you are assigned no conversations') : t('you are assigned conversations')}
        </span>
      </button>
    </div>
  );
}

/** Says when what is shown may be old. */
function Connection({ inbox }: { inbox: Inbox }) {
  const { connection, isSignedOut } = inbox.store;
  const { state, refusal } = connection.value ?? {};
  const isOffline = state === 'waiting' || state === 'closed';
  return (
    <p class="connection" role="status" hidden={!isOffline || isSignedOut.value}>
      {isOffline &&
        (refusal
          ? t('Not connected: {reason} What you see may be old; drafts are kept. Trying again…', {
              reason: refusal,
            })
          : t('Not connected. What you see may be old; drafts are kept. Trying again…'))}
    </p>
  );
}
