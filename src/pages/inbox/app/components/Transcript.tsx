// The transcript: messages of the visitor on the left, of the bot and the team on the right, notes and activities
// between them.
import { computed } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { createScroll, type Scroll } from '../../../../widget/chat/components/scroll.ts';
import { t, withParts } from '../../../ui/texts.ts';
import type { Inbox } from '../inbox.ts';
import { visitorName } from '../state/lists.ts';
import {
  emptyTimeline,
  newestRead,
  type OpenConversation,
  type TimelineItem,
  timelineItems,
} from '../state/timeline.ts';
import { Entry } from './Entry.tsx';
import { dayOf } from './times.ts';

/** Pixels from the beginning at which older messages are loaded. */
const nearTop = 400;

interface Props {
  inbox: Inbox;
  id: string;
  /** The id of the message or note that is shown first. */
  entry?: string | undefined;
}

export function Transcript({ inbox, id, entry }: Props) {
  const { store, sync } = inbox;
  // Not drawn again for other conversations.
  const open = useMemo(() => computed(() => store.conversations.value.get(id)), [store, id]).value;
  const row = useMemo(() => computed(() => store.rows.value.get(id)), [store, id]).value;
  const timeline = open?.timeline ?? emptyTimeline;
  const items = useMemo(() => timelineItems(timeline), [timeline]);
  const read = newestRead(timeline);
  const viewport = useRef<HTMLElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const scroll = useRef<Scroll | undefined>(undefined);
  const [isAtBottom, setAtBottom] = useState(true);
  useEffect(() => {
    if (!viewport.current || !content.current) return;
    scroll.current = createScroll(viewport.current, content.current, setAtBottom);
    return scroll.current.dispose;
  }, []);
  useEntry(inbox, { id, entry, open, viewport, scroll });
  const name = row ? visitorName(row) : t('Visitor');
  return (
    <div class="transcript-box">
      <section
        class="transcript"
        ref={viewport}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard (WCAG 2.1.1)
        tabIndex={0}
        aria-label={t('Messages with {name}', { name })}
        onScroll={({ currentTarget }) => {
          if (currentTarget.scrollTop < nearTop && open?.olderToken) void sync.loadOlder(id);
        }}
      >
        <div ref={content}>
          {open?.status === 'loading' && (
            <div class="loading" role="status">
              <span class="visually-hidden">{t('Loading')}</span>
              <i />
              <i />
            </div>
          )}
          {open?.olderToken && (
            <p class="older">
              <button type="button" onClick={() => void sync.loadOlder(id)}>
                {open.isLoadingOlder ? t('Loading…') : t('Older messages')}
              </button>
            </p>
          )}
          <ol>
            {items.map((item, index) => (
              <Entry
                key={`${item.kind} ${item.key}`}
                inbox={inbox}
                item={item}
                visitor={name}
                day={isNewDay(item, items[index - 1]) ? dayOf(item.at) : undefined}
                isSeen={item.key === read}
                isFirst={!isSameAuthor(item, items[index - 1])}
              />
            ))}
          </ol>
          {store.isTyping(id) && (
            <p class="typing">{withParts(t('{name} is typing…'), { name: <bdi>{name}</bdi> })}</p>
          )}
        </div>
      </section>
      {!isAtBottom && (
        <button
          type="button"
          class="to-bottom"
          onClick={() => {
            scroll.current?.toBottom();
            viewport.current?.focus();
          }}
        >
          {t('To the newest')}
        </button>
      )}
    </div>
  );
}

/** Pages of older messages that are read to find an entry. */
const mostPages = 40;

interface ShownEntry extends Pick<Props, 'id' | 'entry'> {
  open: OpenConversation | undefined;
  viewport: RefObject<HTMLElement | null>;
  scroll: RefObject<Scroll | undefined>;
}

/** Shows an entry, once, and reads older messages until it is there. */
function useEntry(inbox: Inbox, { id, entry, open, viewport: transcript, scroll }: ShownEntry) {
  const shown = useRef<string | undefined>(undefined);
  const pages = useRef(0);
  useEffect(() => {
    const viewport = transcript.current;
    if (!viewport || !entry || open?.status !== 'ready') return;
    if (shown.current === entry || open.isLoadingOlder) return;
    const found = viewport.querySelector<HTMLElement>(`[data-entry="${CSS.escape(entry)}"]`);
    if (found) {
      shown.current = entry;
      pages.current = 0;
      for (const other of viewport.querySelectorAll('[data-found]')) other.removeAttribute('data-found');
      found.setAttribute('data-found', '');
      // After the messages that were added have moved the transcript to its end.
      requestAnimationFrame(() =>
        requestAnimationFrame(() => {
          scroll.current?.restore();
          found.scrollIntoView({ block: 'center' });
          // Before the event of the browser: Markdown that is drawn until then would lead to the end.
          viewport.dispatchEvent(new Event('scroll'));
        }),
      );
    } else if (open.olderToken && pages.current < mostPages) {
      pages.current += 1;
      void inbox.sync.loadOlder(id);
    } else {
      shown.current = entry;
      inbox.announcer.announce(t('The message is not there any more.'));
    }
  });
}

const isNewDay = (item: TimelineItem, before: TimelineItem | undefined): boolean =>
  new Date(item.at).toDateString() !== (before && new Date(before.at).toDateString());

/** Milliseconds between two messages of one author after which the name is shown again. */
const groupMs = 5 * 60_000;

function isSameAuthor(item: TimelineItem, before: TimelineItem | undefined): boolean {
  return (
    item.kind === 'message' &&
    before?.kind === 'message' &&
    item.message.userId === before.message.userId &&
    Date.parse(item.at) - Date.parse(before.at) < groupMs &&
    !isNewDay(item, before)
  );
}
