// The tags of a conversation.
import { useState } from 'preact/hooks';
import type { InboxRow } from '../../../../protocol/inbox.ts';
import { Dialog } from '../../../ui/Dialog.tsx';
import { Icon } from '../../../ui/Icon.tsx';
import { t } from '../../../ui/texts.ts';
import type { Inbox } from '../inbox.ts';

interface Props {
  inbox: Inbox;
  row: InboxRow;
  onClose(): void;
}

/** As the server accepts them. */
const limits = { tags: 20, tag: 50 };

export function TagsDialog({ inbox, row, onClose }: Props) {
  const [text, setText] = useState('');
  const { tags } = row;
  const otherTags = new Set([...inbox.store.rows.value.values()].flatMap((each) => each.tags));
  for (const tag of tags) otherTags.delete(tag);
  const isPending = inbox.actions.isPending(row.conversationId, 'tags');
  const add = (tag: string) => {
    const name = tag.trim().replace(/^#/, '');
    if (!name || isPending || tags.includes(name) || tags.length >= limits.tags) return;
    void inbox.actions.setTags(row, [...tags, name]).then((isDone) => isDone && setText(''));
  };
  const problem = inbox.actions.notices.value.get(row.conversationId)?.text;
  return (
    <Dialog title={t('Tags')} onClose={onClose}>
      <p>{t('Only your team sees tags.')}</p>
      <ul class="tags">
        {tags.map((tag) => (
          <li key={tag}>
            <button
              type="button"
              class="tag"
              aria-disabled={isPending}
              onClick={() =>
                void inbox.actions.setTags(
                  row,
                  tags.filter((each) => each !== tag),
                )
              }
            >
              <span dir="auto">#{tag}</span>
              <Icon name="close" />
              <span class="visually-hidden">, {t('remove')}</span>
            </button>
          </li>
        ))}
      </ul>
      <form
        class="inline"
        onSubmit={(event) => {
          event.preventDefault();
          add(text);
        }}
      >
        <label>
          {t('New tag')}
          <input
            value={text}
            maxLength={limits.tag}
            list="known-tags"
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
        </label>
        <datalist id="known-tags">
          {[...otherTags].sort().map((tag) => (
            <option key={tag} value={tag} />
          ))}
        </datalist>
        <button type="submit" aria-disabled={!text.trim() || isPending}>
          {t('Add')}
        </button>
      </form>
      <p class="hint" role="status">
        {problem ??
          (tags.length >= limits.tags &&
            t('A conversation has {count} tags at most.', { count: limits.tags }))}
      </p>
    </Dialog>
  );
}
