// One conversation in the list: who, since when, what was said last, and who has it.
import type { InboxRow } from '../../../../protocol/inbox.ts';
import type { Inbox } from '../inbox.ts';
import { type ListView, visitorName } from '../state/lists.ts';
import { focusConversation } from './focus.ts';
import { Link } from './Link.tsx';
import { ageOf, momentOf, spokenAge } from './times.ts';

interface Props {
  inbox: Inbox;
  row: InboxRow;
  view: ListView;
  isCurrent: boolean;
  /** The one row that Tab reaches. */
  isActive: boolean;
  /** It has the focus now. */
  onActive(id: string): void;
}

const speakers = { visitor: '', bot: 'Bot: ', person: 'Team: ' } as const;

/** Drawn again only if its properties change: each of them is the same value as long as nothing does. */
export function ConversationRow({ inbox, row, view, isCurrent, isActive, onActive }: Props) {
  const { list, filter } = view;
  const now = inbox.store.clock.value;
  const { waitingSince, assignee, state, tags } = row;
  const teamName = row.teamId && inbox.team.nameOf(row.teamId);
  const colleagues = inbox.store.presence.value.get(row.conversationId) ?? [];
  const writer = colleagues.find((colleague) => colleague.state === 'replying');
  const isDeleted = inbox.store.isDeleted(row.conversationId);
  const isGone = isDeleted || inbox.store.hidden.value.has(row.conversationId);
  const isWaiting = waitingSince !== undefined && state !== 'closed' && !isGone;
  return (
    <Link
      inbox={inbox}
      to={{ list, filter, conversationId: row.conversationId, isVisitorShown: false }}
      class="row"
      data-id={row.conversationId}
      data-waiting={isWaiting}
      tabIndex={isActive ? 0 : -1}
      aria-current={isCurrent ? 'true' : undefined}
      onOpen={focusConversation}
      onFocus={() => onActive(row.conversationId)}
    >
      <span class="line">
        <span class="name" dir="auto">
          {visitorName(row)}
        </span>
        <span class="age">
          {isWaiting ? (
            <>
              <span class="visually-hidden">, waiting for {spokenAge(waitingSince, now)}</span>
              <span aria-hidden="true">{ageOf(waitingSince, now)}</span>
            </>
          ) : (
            <>
              <span class="visually-hidden">, {spokenAge(row.sortAt, now)} ago</span>
              <span aria-hidden="true">{ageOf(row.sortAt, now)}</span>
            </>
          )}
        </span>
      </span>
      <span class="preview">
        <span class="visually-hidden">. </span>
        {!isGone && (
          <>
            <span class="speaker">{speakers[row.lastAuthor]}</span>
            <bdi>{row.preview}</bdi>
          </>
        )}
      </span>
      <span class="facts">
        <span class="visually-hidden">. </span>
        <span class="state" data-state={isGone ? 'deleted' : state}>
          {isDeleted ? 'Deleted' : isGone ? 'Not visible' : stateText(row, inbox.me.memberId)}
        </span>
        {row.unseenMentions?.includes(inbox.me.memberId) && <span class="unseen">Mentions you</span>}
        {!isGone && inbox.store.isTyping(row.conversationId) && <span>Typing…</span>}
        {writer && <span>{writer.name} is replying</span>}
        {(isGone ? [] : tags).map((tag) => (
          <span key={tag} class="tag" dir="auto">
            #{tag}
          </span>
        ))}
        {state === 'waiting' && teamName && <span dir="auto">{teamName}</span>}
        {state === 'waiting' && assignee && <span>{assignee.name}</span>}
      </span>
    </Link>
  );
}

/** The assignee of the conversation, in a few words. */
export function stateText({ state, assignee, snoozedUntil }: InboxRow, memberId: string): string {
  switch (state) {
    case 'bot':
      return 'Bot';
    case 'waiting':
      return 'Waiting';
    case 'closed':
      return 'Closed';
    case 'snoozed':
      return snoozedUntil ? `Snoozed until ${momentOf(snoozedUntil)}` : 'Snoozed until they write';
    case 'assigned':
      return assignee?.memberId === memberId ? 'You' : (assignee?.name ?? 'Another desk');
  }
}
