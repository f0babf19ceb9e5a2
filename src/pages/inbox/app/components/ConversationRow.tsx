// One conversation in the list: who, since when, what was said last, and who has it.
import type { InboxList, InboxRow } from '../../../../protocol/inbox.ts';
import { Avatar } from '../../../ui/Avatar.tsx';
import { t } from '../../../ui/texts.ts';
import type { Me } from '../api/inbox-api.ts';
import type { Inbox } from '../inbox.ts';
import { type ListView, visitorName } from '../state/lists.ts';
import { focusConversation } from './focus.ts';
import { Link } from './Link.tsx';
import { ageOf, agoText, isLate, momentOf, waitingText } from './times.ts';

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

/** Whose text it is, before the text; nothing before one of the visitor. */
export function speakerOf(author: InboxRow['lastAuthor'], name?: string): string {
  if (author === 'visitor') return '';
  if (author === 'bot') return `${t('Bot:')} `;
  return `${name === undefined ? t('Team:') : t('{name}:', { name })} `;
}

/** The last words of a human, with their author: the bot answers at once, and says little about the wish of the visitor. Pure. */
export function lastWordsOf(
  row: InboxRow,
  me: Pick<Me, 'memberId' | 'name'>,
): { speaker: string; text: string } {
  const { preview, lastAuthor: author, humanMessage, assignee } = row;
  if (!humanMessage) return { speaker: speakerOf(author), text: preview };
  const { name } = humanMessage;
  // A colleague may have the same name.
  const isOwn = name === me.name && assignee?.memberId === me.memberId;
  return {
    speaker: isOwn ? `${t('You:')} ` : speakerOf(humanMessage.author, name),
    text: humanMessage.preview,
  };
}

/** Whether the state of a row says more than the name of its list. Pure. */
export const isStateShown = (list: InboxList, { state, assignee }: InboxRow, memberId: string): boolean =>
  state === 'waiting'
    ? list !== 'unassigned' && list !== 'waiting'
    : state === 'assigned'
      ? list !== 'mine' || assignee?.memberId !== memberId
      : state !== 'closed' || list !== 'closed';

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
  const words = lastWordsOf(row, inbox.me);
  const since = isWaiting ? waitingSince : row.sortAt;
  const isStated = isGone || isStateShown(list, row, inbox.me.memberId);
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
      <Avatar name={visitorName(row)} />
      <span class="words">
        <span class="line">
          <span class="name" dir="auto">
            {visitorName(row)}
          </span>
          <span class="age" data-late={isWaiting && isLate(since, now)}>
            <span class="visually-hidden">, {isWaiting ? waitingText(since, now) : agoText(since, now)}</span>
            <span aria-hidden="true">{ageOf(since, now)}</span>
          </span>
        </span>
        <span class="preview">
          <span class="visually-hidden">. </span>
          {!isGone && (
            <>
              <span class="speaker">{words.speaker}</span>
              <bdi>{words.text}</bdi>
            </>
          )}
        </span>
        <span class="facts">
          <span class="visually-hidden">. </span>
          {isStated && (
            <span class="state" data-state={isGone ? 'deleted' : state}>
              {isDeleted ? t('Deleted') : isGone ? t('Not visible') : stateText(inbox, row)}
            </span>
          )}
          {row.unseenMentions?.includes(inbox.me.memberId) && <span class="unseen">{t('Mentions you')}</span>}
          {!isGone && inbox.store.isTyping(row.conversationId) && <span class="doing">{t('Typing…')}</span>}
          {writer && <span class="doing">{t('{name} is replying', { name: writer.name })}</span>}
          {(isGone ? [] : tags).map((tag) => (
            <span key={tag} class="tag" dir="auto">
              #{tag}
            </span>
          ))}
          {state === 'waiting' && teamName && <span dir="auto">{teamName}</span>}
          {state === 'waiting' && assignee && <span>{assignee.name}</span>}
        </span>
      </span>
    </Link>
  );
}

/** The assignee of the conversation, in a few words. */
export function stateText(
  { me: { memberId }, bots }: Inbox,
  { state, assignee, snoozedUntil, botId }: InboxRow,
): string {
  switch (state) {
    case 'bot':
      return bots.nameOf(botId) ?? t('Bot');
    case 'waiting':
      return t('Waiting');
    case 'closed':
      return t('Closed');
    case 'snoozed':
      return snoozedUntil
        ? t('Snoozed until {time}', { time: momentOf(snoozedUntil) })
        : t('Snoozed until they write');
    case 'assigned':
      return assignee?.memberId === memberId ? t('You') : (assignee?.name ?? t('Another desk'));
  }
}
