// Shows above the composer why an action has failed. The draft stays in the composer.

import type { InboxRow } from '../../../../protocol/handling/inbox.ts';
import { preview } from '../../../../protocol/message.ts';
import type { Inbox } from '../inbox.ts';
import { type Timeline, timelineItems } from '../state/timeline.ts';

export function Notice({ inbox, row }: { inbox: Inbox; row: InboxRow }) {
  const { actions, store, me } = inbox;
  const id = row.conversationId;
  const notice = actions.notices.value.get(id);
  const timeline = store.conversations.value.get(id)?.timeline;
  const written = notice?.kind === 'newer' && timeline && lastOfColleagues(timeline, me.memberId, me.name);
  return (
    <div class="notice" role="alert" hidden={!notice}>
      {notice && (
        <>
          <p>{notice.text}</p>
          {written && (
            <blockquote>
              <bdi>{written.by}</bdi>: <bdi>{written.text}</bdi>
            </blockquote>
          )}
          <button type="button" onClick={() => actions.dismiss(id)}>
            Dismiss
          </button>
        </>
      )}
    </div>
  );
}

/** The newest message or note that a colleague wrote. */
function lastOfColleagues(timeline: Timeline, memberId: string, name: string) {
  for (const item of timelineItems(timeline).reverse()) {
    if (item.kind === 'note' && item.note.author.memberId !== memberId)
      return { by: item.note.author.name, text: item.note.body };
    if (
      item.kind === 'message' &&
      item.message.author?.kind === 'person' &&
      item.message.author.name !== name
    )
      return { by: item.message.author.name ?? 'A colleague', text: preview(item.message.payload) };
  }
  return undefined;
}
