// The messages: stays at the newest while the reader is there, loads older ones as they scroll up.
import { Component } from 'preact';
import { fill } from '../../i18n/current.ts';
import { Icon } from '../../icon.tsx';
import { tools } from '../bundles.ts';
import { chosenValues } from '../store/answers.ts';
import type { HistoryStatus, Row } from '../store/store.ts';
import { words } from '../strings.ts';
import { Avatar } from './Avatar.tsx';
import { icons } from './icons.ts';
import { type Placed, place } from './message-groups.ts';
import { keptRows, Page, pageRows } from './Page.tsx';
import type { ViewProps } from './Panel.tsx';
import { createScroll, type Scroll } from './scroll.ts';

interface TranscriptState {
  isAtBottom?: boolean;
}

export class Transcript extends Component<ViewProps, TranscriptState> {
  readonly viewport = { current: null as HTMLElement | null };
  readonly content = { current: null as HTMLDivElement | null };
  readonly top = { current: null as HTMLDivElement | null };
  #scroll: Scroll | undefined;
  #observer: IntersectionObserver | undefined;
  /** What was drawn last. */
  #history: HistoryStatus | undefined;
  #newest: string | undefined;
  #isOpen = false;
  /** The newest row of the bot that the reader had in view at the bottom. */
  #seen: string | undefined;
  /** The first row there was; pages are counted from it. */
  #origin: string | undefined;

  override componentDidMount() {
    const { viewport, content } = this;
    if (viewport.current && content.current) {
      this.#scroll = createScroll(viewport.current, content.current, (isAtBottom) =>
        this.setState({ isAtBottom }),
      );
    }
    this.componentDidUpdate();
  }

  override componentDidUpdate() {
    const { rows, history, isOpen } = this.props.store.state;
    const newest = rows.at(-1);
    // What the visitor writes they want to see; the rest waits for them.
    if (newest?.status === 'sending' && newest.key !== this.#newest) this.#scroll?.toBottom();
    if (isOpen && !this.#isOpen) this.#scroll?.restore();
    // Observed anew after each page: when the top is still near, nothing would intersect that did not before.
    if (history !== this.#history) this.#watchTop(history);
    this.#newest = newest?.key;
    this.#isOpen = isOpen;
    this.#history = history;
  }

  override componentWillUnmount() {
    this.#scroll?.dispose();
    this.#observer?.disconnect();
  }

  #watchTop(history: HistoryStatus) {
    this.#observer?.disconnect();
    if (history !== 'more' || !this.top.current) return;
    // Asked for a screenful before the top is reached, so that reading rarely waits.
    this.#observer = new IntersectionObserver(
      ([entry]) => entry?.isIntersecting && void this.props.session.loadOlder(),
      { root: this.viewport.current, rootMargin: '400px 0px 0px' },
    );
    this.#observer.observe(this.top.current);
  }

  /**
   * Rows as pages of a fixed size, counted from the first row there was: older ones come above it and newer ones below
   * it without moving a row to another page.
   */
  #pagesOf(rows: readonly Row[]): [key: number, page: Placed[]][] {
    let start = rows.findIndex(({ key }) => key === this.#origin);
    if (start < 0) {
      this.#origin = rows[0]?.key;
      start = 0;
    }
    const pages = new Map<number, Placed[]>();
    // Not `entries()`: Prototype.js has an own one, which gives no indices.
    place(rows).forEach((placed, index) => {
      const key = Math.floor((index - start) / pageRows);
      const page = pages.get(key);
      if (page) page.push(placed);
      else pages.set(key, [placed]);
    });
    return [...pages];
  }

  override render(props: ViewProps, { isAtBottom = true }: TranscriptState) {
    const { store } = props;
    const { viewport, content, top } = this;
    const { rows, history } = store.state;
    const pages = this.#pagesOf(rows);
    const chosen = chosenValues(rows);
    const { botName, botAvatar } = store.state.configuration;
    const botKeys = rows.filter(({ side }) => side === 'bot').map(({ key }) => key);
    if (isAtBottom) this.#seen = botKeys.at(-1);
    const unseen = botKeys.length - 1 - botKeys.lastIndexOf(this.#seen ?? '');
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
              this.#scroll?.toBottom();
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
}
