// All visitors: people instead of conversations, loaded page by page and searched by name and profile.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { InboxVisitor } from '../../../../protocol/inbox.ts';
import { Avatar } from '../../../ui/Avatar.tsx';
import { counted, t } from '../../../ui/texts.ts';
import type { Inbox } from '../inbox.ts';
import { visitorName } from '../state/lists.ts';
import { focusConversation } from './focus.ts';
import { Link } from './Link.tsx';
import { ListBar } from './ListBar.tsx';
import { usePages } from './pages.ts';
import { ageOf, agoText } from './times.ts';

/** Milliseconds without a key after which the text is searched. */
const idleMs = 250;
/** Visitors of a page. */
const pageSize = 50;

/** `text`: a part of the name or the profile; empty for all visitors. */
export function VisitorList({ inbox, text }: { inbox: Inbox; text: string }) {
  return (
    <section class="pane list" aria-labelledby="list-name">
      <ListBar inbox={inbox} name={t('All visitors')} />
      <Search inbox={inbox} text={text} />
      <Visitors key={text} inbox={inbox} text={text} />
    </section>
  );
}

function Search({ inbox, text }: { inbox: Inbox; text: string }) {
  const [value, setValue] = useState(text);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const search = (wanted: string) => {
    clearTimeout(timer.current);
    // The back button leads out of the list, and not through each word.
    inbox.router.go({ ...inbox.router.route.peek(), visitors: wanted.trim() }, { replace: true });
  };
  return (
    <search class="list-filter">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          search(value);
        }}
      >
        <input
          type="search"
          aria-label={t('Search in All visitors')}
          aria-keyshortcuts="/"
          placeholder={t('Name or e-mail address')}
          maxLength={200}
          value={value}
          onInput={({ currentTarget }) => {
            const typed = currentTarget.value;
            setValue(typed);
            clearTimeout(timer.current);
            timer.current = setTimeout(() => search(typed), idleMs);
          }}
        />
      </form>
    </search>
  );
}

function Visitors({ inbox, text }: { inbox: Inbox; text: string }) {
  const { items, status, nextToken, read } = usePages<InboxVisitor>(inbox, async (token, signal) => {
    const query = { pageSize, ...(text && { text }), ...(token && { nextToken: token }) };
    const { visitors, meta } = await inbox.api.inbox.listInboxVisitors(query, { signal });
    return { items: visitors, nextToken: meta.nextToken };
  });
  const { conversationId } = inbox.router.route.value;
  return (
    <div class="found">
      <div class="rows">
        <ul class="visitors" aria-label={t('Visitors')}>
          {items.map((visitor) => (
            <li key={visitor.id}>
              <VisitorLink
                inbox={inbox}
                visitor={visitor}
                isCurrent={visitor.lastConversationId === conversationId}
              />
            </li>
          ))}
        </ul>
        {status === 'loading' && (
          <p class="empty" role="status">
            {t('Loading…')}
          </p>
        )}
        {status === 'failed' && (
          <p class="empty" role="alert">
            {t('The visitors could not be loaded.')}{' '}
            <button type="button" onClick={read}>
              {t('Try again')}
            </button>
          </p>
        )}
        {status === 'ready' && nextToken && (
          <button type="button" class="more" onClick={read}>
            {t('Show more')}
          </button>
        )}
        {status === 'ready' && !nextToken && items.length === 0 && (
          <p class="empty">{text ? t('No visitor is found.') : t('No visitor has a conversation yet.')}</p>
        )}
      </div>
    </div>
  );
}

interface LinkProps {
  inbox: Inbox;
  visitor: InboxVisitor;
  isCurrent: boolean;
}

function VisitorLink({ inbox, visitor, isCurrent }: LinkProps) {
  const { lastActivityAt, lastConversationId, conversationCount: count } = visitor;
  const now = inbox.store.clock.value;
  return (
    <Link
      inbox={inbox}
      class="hit"
      to={{ ...inbox.router.route.value, entry: undefined, conversationId: lastConversationId }}
      aria-current={isCurrent ? 'true' : undefined}
      onOpen={focusConversation}
    >
      <Avatar name={visitorName({ visitor })} />
      <span class="words">
        <span class="line">
          <span class="name" dir="auto">
            {visitorName({ visitor })}
          </span>
          <span class="age">
            <span class="visually-hidden">, {agoText(lastActivityAt, now)}</span>
            <span aria-hidden="true">{ageOf(lastActivityAt, now)}</span>
          </span>
        </span>
        <span class="facts">
          <span class="visually-hidden">. </span>
          {visitor.email && <bdi>{visitor.email} · </bdi>}
          {counted(count, '{count} conversation', '{count} conversations')}
        </span>
      </span>
    </Link>
  );
}
