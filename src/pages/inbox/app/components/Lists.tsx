// The lists of the inbox with their counts, the state of the connection, and the buttons of the page.
import { useState } from 'preact/hooks';
import { inboxLists } from '../../../../protocol/inbox.ts';
import { describeError } from '../api/describe-error.ts';
import type { Inbox } from '../inbox.ts';
import { listNames } from '../state/lists.ts';
import { usualPeriod } from '../state/report-period.ts';
import { isInFront } from '../state/route.ts';
import { Icon } from './Icon.tsx';
import { Link } from './Link.tsx';

export function Lists({ inbox }: { inbox: Inbox }) {
  const { route } = inbox.router;
  const current = route.value.list ?? 'mine';
  const counts = inbox.store.counts.value;
  const { settings, report } = route.value;
  const isBehind = isInFront(route.value);
  return (
    <div class="pane lists">
      <div class="bar">
        <p class="brand" aria-hidden="true">
          Inbox
        </p>
        <span class="grow" />
        <button type="button" class="plain" onClick={() => open(inbox, 'preferences')}>
          <Icon name="gear" />
          <span class="visually-hidden">Preferences</span>
        </button>
        <button type="button" class="plain" onClick={() => open(inbox, 'keys')}>
          <span aria-hidden="true">?</span>
          <span class="visually-hidden">Keyboard</span>
        </button>
      </div>
      <nav aria-label="Lists">
        <ul>
          {inboxLists.map((list) => (
            <li key={list}>
              <Link
                inbox={inbox}
                to={{ list, conversationId: undefined, isVisitorShown: false }}
                aria-current={list === current && !isBehind ? 'page' : undefined}
              >
                {listNames[list]}
                {counts && (
                  <span class="count" data-some={counts[list] > 0}>
                    <span class="visually-hidden">: </span>
                    {counts[list] >= 999 ? '999+' : counts[list]}
                  </span>
                )}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      {inbox.me.permissions.includes('reports.read') && (
        <Link
          inbox={inbox}
          class="to-settings"
          to={{ ...route.value, isVisitorShown: false, settings: undefined, report: report ?? usualPeriod }}
          aria-current={report ? 'page' : undefined}
        >
          Reports
        </Link>
      )}
      <Link
        inbox={inbox}
        class="to-settings"
        to={{ ...route.value, isVisitorShown: false, report: undefined, settings: 'answers' }}
        aria-current={settings ? 'page' : undefined}
      >
        Settings
      </Link>
      <Connection inbox={inbox} />
      <OwnAvailability inbox={inbox} />
      <p class="who">{inbox.me.name}</p>
    </div>
  );
}

const open = (inbox: Inbox, name: 'preferences' | 'keys') => inbox.openDialog(name);

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
        <p role="status">You are away, because you did not answer a conversation that you were assigned.</p>
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
        {isAway ? 'Away' : 'Available'}
        <span class="visually-hidden">
          {isAway ? ': you are assigned no conversations' : ': you are assigned conversations'}
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
        `Not connected${refusal ? `: ${refusal}` : '.'} What you see may be old; drafts are kept. Trying again…`}
    </p>
  );
}
