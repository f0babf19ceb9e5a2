// The messages: scrolls with new ones while the reader is at the bottom, and loads older ones on scrolling up.
import { Component } from 'preact';
import { interpolate } from '../../i18n/current.ts';
import { extras } from '../bundles.ts';
import { chosenValues } from '../payloads/answers.ts';
import type { HistoryStatus, Row } from '../store/store.ts';
import { strings } from '../strings.ts';
import type { ViewProps } from '../view.ts';
import { Avatar } from './Avatar.tsx';
import { typistOf } from './answerer.ts';
import { keptRows, Page, pageRows } from './Page.tsx';
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
  #history: HistoryStatus | undefined;
  #newest: string | undefined;
  /** The key of the newest row when the history was loaded: it and those before it do not move in. */
  #loaded: string | undefined;
  #isOpen = false;
  /** The rows of the bot when the reader was last at the bottom. The newest of them may have been removed since. */
  #seen: readonly string[] = [];
  /** The key of the first loaded row; pages are counted from it. */
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
    const { outline: rows, history, isOpen } = this.props.store.state;
    const newest = rows.at(-1);
    // Scrolls to the visitor's own new message. Other new messages do not move the text that is being read.
    if (newest?.status === 'sending' && newest.key !== this.#newest) this.#scroll?.toBottom();
    if (isOpen && !this.#isOpen) this.#scroll?.restore();
    // Observed again after each page: while the top stays near, the observer reports no change.
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
    if (history !== 'more' || !this.top.current || !window.IntersectionObserver) return;
    // One screen before the top is reached, so that the reader rarely waits.
    this.#observer = new IntersectionObserver(
      ([entry]) => entry?.isIntersecting && void this.props.session.loadOlder(),
      { root: this.viewport.current, rootMargin: '400px 0px 0px' },
    );
    this.#observer.observe(this.top.current);
  }

  /**
   * Returns the keys of pages of a fixed size and the positions of their first rows. They are counted from the first loaded row:
   * older rows are added above it and newer ones below it without moving a row to another page.
   */
  #pagesOf(rows: readonly Row[]): [key: number, from: number][] {
    let start = rows.findIndex(({ key }) => key === this.#origin);
    if (start < 0) {
      this.#origin = rows[0]?.key;
      start = 0;
    }
    const pages: [number, number][] = [];
    let key = Math.floor(-start / pageRows);
    for (let from = start + key * pageRows; from < rows.length; from += pageRows) pages.push([key++, from]);
    return pages;
  }

  /** Returns how many rows of the bot are after the last one that was seen. */
  #countUnseen(botKeys: readonly string[]): number {
    const seen = new Set(this.#seen);
    return botKeys.length - 1 - botKeys.findLastIndex((key) => seen.has(key));
  }

  override render(props: ViewProps, { isAtBottom = true }: TranscriptState) {
    const { store } = props;
    const { viewport, content, top } = this;
    const { outline: rows, history, isOpen, connection } = store.state;
    // Subscribes to the state, so that opening the window runs `componentDidUpdate`.
    void isOpen;
    const pages = this.#pagesOf(rows);
    const chosen = chosenValues(rows);
    const newest = rows.at(-1)?.key;
    if (history === 'unknown') this.#loaded = undefined;
    else this.#loaded ??= newest ?? '';
    const hasPeople = rows.some((row) => row.side === 'bot' && store.personOf(row));
    const botKeys = rows.filter(({ side }) => side === 'bot').map(({ key }) => key);
    if (isAtBottom) this.#seen = botKeys;
    else extras.request();
    const { ToBottom, navigateMessages } = extras.module ?? {};
    return (
      <div class="transcript" part="transcript">
        <section
          class="viewport"
          ref={viewport}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard (WCAG 2.1.1)
          tabIndex={0}
          aria-label={strings.messages}
          // The pointer or the focus indicates that the visitor may copy or rate a message.
          onPointerEnter={() => extras.load()}
          onFocusIn={() => extras.load()}
          onKeyDown={navigateMessages}
        >
          <div ref={top} class="top">
            {history === 'unknown' && connection !== 'refused' && <p class="day">{strings.connecting}</p>}
            {history === 'loading' && <p class="day">{strings.older}</p>}
            {history === 'complete' && rows.length > 0 && <p class="day">{strings.beginning}</p>}
          </div>
          <div ref={content} data-live={this.#loaded !== undefined && newest !== this.#loaded}>
            {pages.map(([key, from]) => (
              <Page
                key={key}
                {...props}
                rows={rows}
                from={from}
                chosen={chosen}
                newest={newest}
                hasPeople={hasPeople}
                isLong={rows.length > keptRows}
              />
            ))}
            <TypingRow store={store} />
          </div>
        </section>
        {!isAtBottom && ToBottom && (
          <ToBottom
            unseen={this.#countUnseen(botKeys)}
            onClick={() => {
              this.#scroll?.toBottom();
              // The button is removed; the focus must not move to the page.
              viewport.current?.focus();
            }}
          />
        )}
      </div>
    );
  }
}

/**
 * Shows that the bot, the person who answers, or another participant is typing. A component of its own: the transcript does not
 * render with it.
 */
function TypingRow({ store }: Pick<ViewProps, 'store'>) {
  const typist = typistOf(store.state);
  if (!typist) return null;
  const [name, pictureUrl, isPerson] = typist;
  return (
    <div class="row typing" data-side="bot" data-first="true" data-last="true">
      <div class="line">
        <Avatar url={pictureUrl} name={name} isPerson={isPerson} />
        <div class="bubble" role="img" aria-label={interpolate(strings.typing, { name })}>
          <i />
          <i />
          <i />
        </div>
      </div>
    </div>
  );
}
