// The messages: stays at the newest while the reader is there, loads older ones as they scroll up.
import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon } from '../icon.tsx';
import { fill } from '../words/current.ts';
import { Avatar } from './Avatar.tsx';
import { chosenValues } from './answers.ts';
import { tools } from './chunks.ts';
import { icons } from './icons.ts';
import { type Placed, place } from './layout.ts';
import { keptRows, Page, pageRows } from './Page.tsx';
import type { ViewProps } from './Panel.tsx';
import { createScroll, type Scroll } from './scroll.ts';
import type { Row } from './store.ts';
import { words } from './words.ts';

export function Transcript(props: ViewProps) {
  const { store, session } = props;
  const viewport = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const top = useRef<HTMLDivElement>(null);
  const scroll = useRef<Scroll>(null);
  const [isAtBottom, setIsAtBottom] = useState(true);
  /** The newest row of the bot that the reader had in view at the bottom. */
  const seen = useRef<string>(undefined);

  useEffect(() => {
    if (!viewport.current || !content.current || !top.current) return;
    const created = createScroll(viewport.current, content.current, setIsAtBottom);
    scroll.current = created;
    return created.dispose;
  }, []);

  const rows = store.state.rows;
  const history = store.state.history;
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
  const isOpen = store.state.isOpen;
  useEffect(() => {
    // What the visitor writes they want to see; the rest waits for them.
    if (newest?.status === 'sending') scroll.current?.toBottom();
  }, [newest?.key]);
  useEffect(() => {
    if (isOpen) scroll.current?.restore();
  }, [isOpen]);

  const pages = usePages(rows);
  const chosen = chosenValues(rows);
  const { botName, botAvatar } = store.state.configuration;
  const botKeys = rows.filter(({ side }) => side === 'bot').map(({ key }) => key);
  if (isAtBottom) seen.current = botKeys.at(-1);
  const unseen = botKeys.length - 1 - botKeys.lastIndexOf(seen.current ?? '');
  const news = fill(words.newMessages, { count: unseen });
  return (
    <div class="transcript" part="transcript">
      <section
        class="viewport"
        ref={viewport}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard (WCAG 2.1.1)
        tabIndex={0}
        aria-label={words.messages}
        // Whoever comes near may want to copy or rate a message.
        onPointerEnter={tools.ask}
        onFocusIn={tools.ask}
        onKeyDown={tools.module?.walk}
      >
        <div ref={top} class="top">
          {history === 'unknown' && <p class="day">{words.connecting}</p>}
          {history === 'loading' && <p class="day">{words.older}</p>}
          {history === 'complete' && rows.length > 0 && <p class="day">{words.beginning}</p>}
        </div>
        <div ref={content}>
          {pages.map(([key, page]) => (
            <Page key={key} {...props} placed={page} chosen={chosen} isLong={rows.length > keptRows} />
          ))}
          {store.state.isTyping && (
            <div class="row typing" data-side="bot" data-first="true" data-last="true">
              <div class="line">
                <Avatar url={botAvatar} name={botName} />
                <div class="bubble" role="img" aria-label={fill(words.typing, { name: botName })}>
                  <i />
                  <i />
                  <i />
                </div>
              </div>
            </div>
          )}
        </div>
      </section>
      {!isAtBottom && (
        <button
          type="button"
          class="pill"
          part="pill"
          aria-label={unseen > 0 ? news : words.toBottom}
          onClick={() => {
            scroll.current?.toBottom();
            // The button goes; the focus must not fall to the page.
            viewport.current?.focus();
          }}
        >
          <Icon path={icons.down} />
          {unseen > 0 && <span>{news}</span>}
        </button>
      )}
    </div>
  );
}

/**
 * Rows as pages of a fixed size, counted from the first row there was: older ones come above it and newer ones below
 * it without moving a row to another page.
 */
function usePages(rows: readonly Row[]): [key: number, page: Placed[]][] {
  const origin = useRef<string>(undefined);
  let start = rows.findIndex(({ key }) => key === origin.current);
  if (start < 0) {
    origin.current = rows[0]?.key;
    start = 0;
  }
  const pages = new Map<number, Placed[]>();
  for (const [index, placed] of place(rows).entries()) {
    const key = Math.floor((index - start) / pageRows);
    const page = pages.get(key);
    if (page) page.push(placed);
    else pages.set(key, [placed]);
  }
  return [...pages];
}
