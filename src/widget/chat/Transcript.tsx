// The messages: stays at the newest while the reader is there, loads older ones as they scroll up.
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { chatWords as words } from '../words.ts';
import { Avatar } from './Avatar.tsx';
import { Icon } from './icons.tsx';
import { place } from './layout.ts';
import { Message } from './Message.tsx';
import type { ViewProps } from './Panel.tsx';
import { createScroll, type Scroll } from './scroll.ts';

export function Transcript({ store, session }: ViewProps) {
  const viewport = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLOListElement>(null);
  const top = useRef<HTMLDivElement>(null);
  const scroll = useRef<Scroll>(null);
  const isAtBottom = useSignal(true);
  /** The newest row of the bot that the reader had in view at the bottom. */
  const seen = useRef<string>(undefined);

  useEffect(() => {
    if (!viewport.current || !content.current || !top.current) return;
    const created = createScroll(viewport.current, content.current, (isThere) => {
      isAtBottom.value = isThere;
    });
    scroll.current = created;
    return created.dispose;
  }, [isAtBottom]);

  const rows = store.rows.value;
  const history = store.history.value;
  useEffect(() => {
    if (!viewport.current || !top.current || history !== 'more') return;
    // Asked for a screenful before the top is reached, so that reading rarely waits.
    const observer = new IntersectionObserver(
      ([entry]) => entry?.isIntersecting && void session.loadOlder(),
      { root: viewport.current, rootMargin: '400px 0px 0px' },
    );
    observer.observe(top.current);
    return () => observer.disconnect();
    // Observed anew after each page: when the top is still near, nothing would intersect that did not before.
  }, [session, history]);

  const newest = rows.at(-1);
  const isOpen = store.isOpen.value;
  useEffect(() => {
    // What the visitor writes they want to see; the rest waits for them.
    if (newest?.status === 'sending') scroll.current?.toBottom();
  }, [newest?.key]);
  useEffect(() => {
    if (isOpen) scroll.current?.restore();
  }, [isOpen]);

  const { botName, botAvatar } = store.configuration.value;
  const botKeys = rows.filter(({ side }) => side === 'bot').map(({ key }) => key);
  if (isAtBottom.value) seen.current = botKeys.at(-1);
  const unseen = botKeys.length - 1 - botKeys.lastIndexOf(seen.current ?? '');
  return (
    <div class="transcript" part="transcript">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard (WCAG 2.1.1) */}
      <section class="viewport" ref={viewport} tabIndex={0} aria-label={words.messages}>
        <div ref={top} class="top">
          {history === 'unknown' && <p class="day">{words.connecting}</p>}
          {history === 'loading' && <p class="day">{words.older}</p>}
          {history === 'complete' && rows.length > 0 && <p class="day">{words.beginning}</p>}
        </div>
        {/* biome-ignore lint/a11y/noRedundantRoles: Safari drops the role of a list without markers */}
        <ol ref={content} class="rows" role="list">
          {place(rows).map((placed) => (
            <Message key={placed.row.key} store={store} session={session} {...placed} />
          ))}
          {store.isTyping.value && (
            <li key="typing" class="row typing" data-side="bot" data-first="true" data-last="true">
              <div class="line">
                <Avatar url={botAvatar} name={botName} />
                <div class="bubble" role="img" aria-label={words.typing(botName)}>
                  <i />
                  <i />
                  <i />
                </div>
              </div>
            </li>
          )}
        </ol>
      </section>
      {!isAtBottom.value && (
        <button
          type="button"
          class="pill"
          part="pill"
          aria-label={unseen > 0 ? words.newMessages(unseen) : words.toBottom}
          onClick={() => {
            scroll.current?.toBottom();
            // The button goes; the focus must not fall to the page.
            viewport.current?.focus();
          }}
        >
          <Icon name="down" />
          {unseen > 0 && <span>{words.newMessages(unseen)}</span>}
        </button>
      )}
    </div>
  );
}
