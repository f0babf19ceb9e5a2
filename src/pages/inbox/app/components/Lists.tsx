// The lists of the inbox with their counts, the state of the connection, and the buttons of the page.
import { inboxLists } from '../../../../protocol/handling/inbox.ts';
import type { Inbox } from '../inbox.ts';
import { listNames } from '../state/lists.ts';
import { Icon } from './Icon.tsx';
import { Link } from './Link.tsx';

export function Lists({ inbox }: { inbox: Inbox }) {
  const { route } = inbox.router;
  const current = route.value.list ?? 'mine';
  const counts = inbox.store.counts.value;
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
                aria-current={list === current ? 'page' : undefined}
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
      <Connection inbox={inbox} />
      <p class="who">{inbox.me.name}</p>
    </div>
  );
}

const open = (inbox: Inbox, name: 'preferences' | 'keys') => inbox.openDialog(name);

/** Says when what is shown may be old. */
function Connection({ inbox }: { inbox: Inbox }) {
  const { connection, isSignedOut } = inbox.store;
  const isOffline = connection.value === 'waiting' || connection.value === 'closed';
  return (
    <p class="connection" role="status" hidden={!isOffline || isSignedOut.value}>
      {isOffline && 'Not connected. What you see may be old; drafts are kept. Trying again…'}
    </p>
  );
}
