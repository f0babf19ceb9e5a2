// One row of the list of conversations: its title and last words, when they were said, and what is unread.
import { timeOf } from '../../chat/components/times.ts';
import { interpolate, language } from '../../i18n/current.ts';
import type { ListRow } from './read-conversations.ts';
import { strings } from './strings.ts';

interface RowProps {
  row: ListRow;
  isCurrent: boolean;
  onOpen(): void;
}

/** A conversation, or a message in one. The number of unread messages is part of its name. */
export function ConversationRow({ row: { title, text, at, unread }, isCurrent, onOpen }: RowProps) {
  const time = new Date(at);
  const isToday = time.toDateString() === new Date().toDateString();
  const hasUnread = unread > 0 && !isCurrent;
  return (
    <button
      type="button"
      class="conversation-row"
      part="conversation-row"
      aria-current={isCurrent ? 'true' : undefined}
      data-unread={hasUnread}
      onClick={onOpen}
    >
      <span class="conversation-title" dir="auto">
        {title || strings.noMessages}
      </span>
      <time dateTime={at}>
        {isToday ? timeOf(at) : time.toLocaleDateString(language.locale, { day: 'numeric', month: 'short' })}
      </time>
      {text && (
        <span class="conversation-text" dir="auto">
          {text}
        </span>
      )}
      {hasUnread && (
        <span class="conversation-unread">
          <span aria-hidden="true">{unread}</span>
          <span class="visually-hidden">{interpolate(strings.newMessages, { count: unread })}</span>
        </span>
      )}
    </button>
  );
}
