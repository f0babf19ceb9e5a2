// One entry of the transcript: a message, a note for the team, a rating, or a line about who joined and left.
import type { Activity } from '../../../../protocol/handling.ts';
import type { Message } from '../../../../protocol/message.ts';
import { highestRating } from '../../../../protocol/rating-limits.ts';
import type { Rating } from '../../../../protocol/types/handling.ts';
import { Avatar } from '../../../ui/Avatar.tsx';
import { t, withParts } from '../../../ui/texts.ts';
import type { Inbox } from '../inbox.ts';
import type { TimelineItem } from '../state/timeline.ts';
import { NoteEntry } from './NoteEntry.tsx';
import { PayloadContent } from './PayloadContent.tsx';
import { Text } from './Text.tsx';
import { timeOf } from './times.ts';

interface Props {
  inbox: Inbox;
  item: TimelineItem;
  /** The name of the visitor. */
  visitor: string;
  /** The heading of a day, above its first entry. */
  day: string | undefined;
  /** The first of the messages that one author wrote one after the other. */
  isFirst: boolean;
  /** The last of these in a minute. */
  isTimed: boolean;
  /** The newest message of the team that the visitor has read. */
  isSeen: boolean;
}

export function Entry({ inbox, item, visitor, day, ...place }: Props) {
  return (
    <>
      {day && (
        <li class="day">
          <h3>{day}</h3>
        </li>
      )}
      {item.kind === 'message' ? (
        <MessageEntry message={item.message} visitor={visitor} {...place} />
      ) : item.kind === 'note' ? (
        <NoteEntry inbox={inbox} note={item.note} />
      ) : item.kind === 'rating' ? (
        <RatingEntry rating={item.rating} visitor={visitor} />
      ) : (
        <li class="activity line">
          {activityText(item.activity)} · <time dateTime={item.at}>{timeOf(item.at)}</time>
        </li>
      )}
    </>
  );
}

function MessageEntry({
  message,
  visitor,
  isFirst,
  isTimed,
  isSeen,
}: Pick<Props, 'visitor' | 'isFirst' | 'isTimed' | 'isSeen'> & { message: Message }) {
  const kind = message.author?.kind ?? 'bot';
  // Participants other than the visitor have a name of their own.
  const name = message.author?.name ?? { visitor, bot: t('Bot'), person: t('Team') }[kind];
  const shown = <span dir="auto">{name}</span>;
  return (
    <li class="message" data-entry={message.id} data-author={kind} data-first={isFirst}>
      {isFirst && <Avatar name={name} kind={kind === 'bot' ? 'bot' : 'person'} size="message" />}
      <div class="line">
        <p class={isFirst ? 'author' : 'visually-hidden'}>
          {kind === 'bot'
            ? withParts(t('{name} (assistant)'), { name: shown })
            : kind === 'person'
              ? withParts(t('{name} (team)'), { name: shown })
              : shown}
        </p>
        <div class="bubble">
          <PayloadContent payload={message.payload} isFromVisitor={kind === 'visitor'} />
        </div>
        <time dateTime={message.createdAt} class={isTimed || isSeen ? undefined : 'visually-hidden'}>
          {isSeen ? t('{time}, seen', { time: timeOf(message.createdAt) }) : timeOf(message.createdAt)}
        </time>
      </div>
    </li>
  );
}

function RatingEntry({
  rating: { rating, comment, ratedAt = '' },
  visitor,
}: {
  rating: Rating;
  visitor: string;
}) {
  return (
    <li class="activity line">
      {withParts(
        t('{name} rated the conversation {rating} of {highest}', {
          rating: rating ?? '',
          highest: highestRating,
        }),
        { name: <span dir="auto">{visitor}</span> },
      )}
      {' · '}
      <time dateTime={ratedAt}>{timeOf(ratedAt)}</time>
      {comment && (
        <blockquote class="rating-comment">
          <Text text={comment} />
        </blockquote>
      )}
    </li>
  );
}

/** The event, in one sentence without a full stop. */
function activityText({ type, actor }: Activity): string {
  const name =
    actor.name ??
    { visitor: t('The visitor'), bot: t('The bot'), person: t('A person'), system: t('The server') }[
      actor.kind
    ];
  switch (type) {
    case 'handoff_requested':
      return t('{name} asked for a person', { name });
    case 'person_joined':
      return t('{name} joined', { name });
    case 'person_left':
      return t('{name} left', { name });
    case 'returned_to_bot':
      return t('The bot answers again');
    case 'conversation_closed':
      return t('{name} closed the conversation', { name });
    default:
      return '';
  }
}
