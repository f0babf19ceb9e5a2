// The conversations with messages and notes that a search finds, below the rows of the list: they can be in any list.
import { Fragment } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { FoundConversation, InboxMatch } from '../../../../protocol/inbox.ts';
import { Avatar } from '../../../ui/Avatar.tsx';
import { counted, t } from '../../../ui/texts.ts';
import { typeOf } from '../api/describe-error.ts';
import type { Inbox } from '../inbox.ts';
import { type ListView, visitorName } from '../state/lists.ts';
import { speakerOf, stateText } from './ConversationRow.tsx';
import { focusConversation, focusListName } from './focus.ts';
import { Link } from './Link.tsx';
import { ageOf, agoText } from './times.ts';

/** Milliseconds after which the first page is read again: the server adds new messages while somebody searches. */
const againMs = 2_000;

interface Found {
  status: 'loading' | 'ready' | 'failed';
  conversations: readonly FoundConversation[];
  nextToken?: string | undefined;
}

const nothing: Found = { status: 'loading', conversations: [] };

/** `q`: the words of the search. */
export function FoundTexts({ inbox, view, q }: { inbox: Inbox; view: ListView; q: string }) {
  const { conversations, nextToken, status, readMore, readFirst } = useFound(inbox, q);
  const shown = conversations.filter(
    ({ conversation: { conversationId: id } }) =>
      !inbox.store.isDeleted(id) && !inbox.store.hidden.value.has(id),
  );
  return (
    <section class="found-texts" aria-labelledby="found-texts">
      <h3 id="found-texts">{t('In messages and notes')}</h3>
      <p class="visually-hidden" role="status">
        {status === 'ready' &&
          (nextToken
            ? counted(shown.length, 'More than {count} conversations', 'More than {count} conversations')
            : counted(shown.length, '{count} conversation', '{count} conversations'))}
      </p>
      <ul>
        {shown.map((found) => (
          <li key={found.conversation.conversationId}>
            <FoundText inbox={inbox} view={view} found={found} />
          </li>
        ))}
      </ul>
      {status === 'failed' ? (
        <p class="empty" role="alert">
          {t('The messages could not be searched.')}{' '}
          <button
            type="button"
            onClick={() => {
              focusListName();
              void (nextToken ? readMore() : readFirst());
            }}
          >
            {t('Try again')}
          </button>
        </p>
      ) : nextToken ? (
        <button type="button" aria-disabled={status === 'loading'} onClick={() => void readMore()}>
          {status === 'loading' ? t('Loading…') : t('Show more')}
        </button>
      ) : (
        status === 'ready' && shown.length === 0 && <p class="empty">{t('No message or note is found.')}</p>
      )}
    </section>
  );
}

/** Reads the pages of the search. */
function useFound({ api, store }: Inbox, q: string) {
  const [found, setFound] = useState<Found>(nothing);
  const [requests] = useState(() => ({ current: new AbortController() }));
  const read = async (nextToken: string | undefined) => {
    const { signal } = requests.current;
    setFound((before) => ({ ...before, status: 'loading' }));
    try {
      const { found, meta } = await api.inbox.searchInbox(
        { text: q, ...(nextToken && { nextToken }) },
        { signal },
      );
      if (signal.aborted) return;
      setFound((before) => ({
        status: 'ready',
        conversations: merged(nextToken ? before.conversations : [], found),
        nextToken: meta.nextToken,
      }));
    } catch (error) {
      if (signal.aborted) return;
      if (typeOf(error) === 'Unauthorized') store.signOut();
      setFound((before) => ({ ...before, status: 'failed' }));
    }
  };
  const readFirst = () => read(undefined);
  useEffect(() => {
    const controller = new AbortController();
    requests.current = controller;
    setFound(nothing);
    void readFirst();
    const timer = setTimeout(() => {
      // Not if the member has read on: the pages after the first one would be gone.
      setFound((before) => {
        if (before.status === 'ready' && before.conversations.length <= 20) void readAgain(controller);
        return before;
      });
    }, againMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [q]);
  /** A failure keeps what is shown. */
  const readAgain = async ({ signal }: AbortController) => {
    const response = await api.inbox.searchInbox({ text: q }, { signal }).catch(() => undefined);
    if (!response || signal.aborted) return;
    const { found: conversations, meta } = response;
    setFound({ status: 'ready', conversations, nextToken: meta.nextToken });
  };
  return { ...found, readFirst, readMore: () => read(found.nextToken) };
}

/** Of a conversation, the newest text is shown, which comes first. */
function merged(before: readonly FoundConversation[], next: readonly FoundConversation[]) {
  const known = new Set(before.map(({ conversation }) => conversation.conversationId));
  return [...before, ...next.filter(({ conversation }) => !known.has(conversation.conversationId))];
}

interface Props {
  inbox: Inbox;
  view: ListView;
  found: FoundConversation;
}

function FoundText({ inbox, view: { list, filter }, found: { conversation, match } }: Props) {
  const { conversationId } = conversation;
  const now = inbox.store.clock.value;
  return (
    <Link
      inbox={inbox}
      class="hit"
      to={{ list, filter, conversationId, isVisitorShown: false, entry: match.id }}
      onOpen={focusConversation}
    >
      <Avatar name={visitorName(conversation)} />
      <span class="words">
        <span class="line">
          <span class="name" dir="auto">
            {visitorName(conversation)}
          </span>
          <span class="age">
            <span class="visually-hidden">, {agoText(match.createdAt, now)}</span>
            <span aria-hidden="true">{ageOf(match.createdAt, now)}</span>
          </span>
        </span>
        <span class="snippet" data-kind={match.kind}>
          <span class="visually-hidden">. </span>
          {match.kind === 'note' ? `${t('Note:')} ` : speakerOf(match.author)}
          <bdi>
            <Marked match={match} />
          </bdi>
        </span>
        <span class="facts">
          <span class="visually-hidden">. </span>
          <span class="state" data-state={conversation.state}>
            {stateText(inbox, conversation)}
          </span>
        </span>
      </span>
    </Link>
  );
}

/** The text with its found words marked. */
function Marked({ match: { text, marks } }: { match: Pick<InboxMatch, 'text' | 'marks'> }) {
  const ends = [0, ...marks.map(([, to]) => to)];
  return (
    <>
      {marks.map(([from, to], index) => (
        <Fragment key={from}>
          {text.slice(ends[index], from)}
          <mark>{text.slice(from, to)}</mark>
        </Fragment>
      ))}
      {text.slice(ends.at(-1))}
    </>
  );
}
