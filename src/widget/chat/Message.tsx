// One message: its bubble, and under the last of a group when it was sent and how far it has come.

import { preview } from '../../protocol/message.ts';
import { chatWords as words } from '../words.ts';
import { Avatar } from './Avatar.tsx';
import { Icon } from './icons.tsx';
import type { Placed } from './layout.ts';
import { memo } from './memo.ts';
import type { ViewProps } from './Panel.tsx';
import { PayloadView } from './payloads/index.tsx';
import type { Row } from './store.ts';
import { dayOf, timeOf } from './times.ts';

type Props = Pick<ViewProps, 'store' | 'session'> & Placed;

/** Drawn again only when its row, or its place among its neighbours, has changed. */
export const Message = memo(
  DrawnMessage,
  (before: Props, after: Props) =>
    (['row', 'isFirst', 'isLast'] as const).every((name) => before[name] === after[name]) &&
    before.day?.getTime() === after.day?.getTime(),
);

function DrawnMessage({ store, session, row, day, isFirst, isLast }: Props) {
  const { botName, botAvatar } = store.configuration.value;
  const isBot = row.side === 'bot';
  return (
    <li
      class="row"
      data-side={row.side}
      data-first={isFirst}
      data-last={isLast}
      data-status={row.status}
      part="message"
    >
      {day && (
        <p class="day" part="day">
          {dayOf(day)}
        </p>
      )}
      <div class="line">
        {isBot && isLast && <Avatar url={botAvatar} name={botName} />}
        <div class="bubble" part={`bubble ${row.side}`}>
          <span class="heard">{isBot ? botName : words.you}: </span>
          {row.isFailureNotice ? <p class="text">{words.noAnswer}</p> : <PayloadView payload={row.payload} />}
        </div>
      </div>
      {row.status === 'failed' ? (
        <Failed session={session} row={row} />
      ) : (
        (isLast || row.status !== 'sent') && <Meta row={row} />
      )}
    </li>
  );
}

function Meta({ row }: { row: Row }) {
  const isSending = row.status === 'sending';
  return (
    <p class="meta" part="meta">
      <time dateTime={row.createdAt}>{timeOf(row.createdAt)}</time>
      {row.status === 'aborted' && <span>{words.stopped}</span>}
      {row.side === 'visitor' && (
        <span class="status">
          <Icon name={isSending ? 'clock' : 'check'} />
          <span class="heard">{isSending ? words.sending : words.sent}</span>
        </span>
      )}
    </p>
  );
}

function Failed({ session, row }: Pick<ViewProps, 'session'> & { row: Row }) {
  const about = preview(row.payload).slice(0, 40);
  const button = (label: string, act: (key: string) => void) => (
    <button
      type="button"
      aria-label={`${label}: ${about}`}
      onClick={({ currentTarget }) => {
        // The button goes; the focus must not fall to the page.
        currentTarget.closest<HTMLElement>('.viewport')?.focus();
        act(row.key);
      }}
    >
      {label}
    </button>
  );
  return (
    <p class="meta failed" part="meta">
      <span role="alert">
        <Icon name="alert" />
        {words.failed}
      </span>
      {button(words.retry, session.retry)}
      {button(words.discard, session.discard)}
    </p>
  );
}
