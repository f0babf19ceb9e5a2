// The list of the visitor's conversations above the present one, with a search in their messages.
import { Component } from 'preact';
import { listConversations, searchMessages } from '../../../client/operations/chat.ts';
import en from '../../../locales/en.json' with { type: 'json' };
import { mayMoveFocus, moveFocus } from '../../chat/components/focus.ts';
import { timeOf } from '../../chat/components/times.ts';
import type { Row } from '../../chat/store/store.ts';
import type { ViewProps } from '../../chat/view.ts';
import { addStrings, language, plural } from '../../i18n/current.ts';
import { Icon } from '../../icon.tsx';
import css from './conversations.css?inline';
import { type ListRow, readConversations, readFound } from './read-conversations.ts';
import { beginConversation, openConversation, reportRead } from './switching.ts';

/** Includes the strings of the chat and the extras: one object contains the strings of all bundles. */
const strings = addStrings(en.widget.conversations) as typeof en.widget.conversations &
  typeof en.widget.chat &
  typeof en.widget.extras;

/** From Lucide (ISC): "arrow-left", "plus" and "x". */
const icons = {
  back: 'M19 12H5M12 19l-7-7 7-7',
  add: 'M12 5v14M5 12h14',
  close: 'M18 6 6 18M6 6l12 12',
};

/** Milliseconds without a key after which the search begins, and without a new message after which the list is read again. */
const typingMs = 300;
/** Milliseconds after which the list is read again: other conversations send nothing to this tab. */
const refreshMs = 20_000;

interface ListState {
  rows?: ListRow[];
  nextToken?: string | undefined;
  /** The search text; '' for the list of all conversations. */
  word?: string;
  status?: 'loading' | 'ready' | 'failed';
  /** The button below the list was pressed, and stays while the request runs. */
  isPressed?: boolean;
}

export class ConversationList extends Component<ViewProps, ListState> {
  readonly back = { current: null as HTMLButtonElement | null };
  readonly more = { current: null as HTMLButtonElement | null };
  readonly content = { current: null as HTMLDivElement | null };
  /** Ends the request that a later one has replaced. */
  #request = new AbortController();
  #typing: ReturnType<typeof setTimeout> | undefined;
  #waiting: ReturnType<typeof setTimeout> | undefined;
  /** The newest message of the present conversation when the list was drawn last. */
  #newest: Row | undefined;

  override componentWillMount() {
    this.props.widget.adopt('conversations', css);
  }

  override componentDidMount() {
    const { store, session, widget } = this.props;
    // A logout has closed the window: without a visitor, loading would create one.
    if (!store.state.isOpen) return store.setView('');
    // The list of another visitor replaces the one that was open: then the focus may be in the page.
    if (mayMoveFocus(widget.frame)) this.back.current?.focus({ preventScroll: true });
    const { signal } = this.#request;
    // First, so that the list knows what was read until now.
    void reportRead(session.context).then(() => {
      // It was left or a search has begun meanwhile.
      if (!signal.aborted) void this.#load('');
    });
  }

  override componentDidUpdate() {
    const { store } = this.props;
    // The next opening of the window shows the conversation.
    if (!store.state.isOpen) store.setView('');
    const newest = store.state.outline.at(-1);
    if (newest !== this.#newest) this.#refreshIn(typingMs);
    this.#newest = newest;
  }

  override componentWillUnmount() {
    clearTimeout(this.#typing);
    clearTimeout(this.#waiting);
    this.#request.abort();
  }

  #refreshIn(ms: number) {
    clearTimeout(this.#waiting);
    this.#waiting = setTimeout(() => void this.#refresh(), ms);
  }

  /** Reads the newest conversations again, if the list is shown. The others stay where they are. */
  async #refresh() {
    this.#refreshIn(refreshMs);
    const { signal } = this.#request;
    if (this.state.word || this.state.status !== 'ready' || document.hidden) return;
    const client = this.props.session.context.client.with({ listConversations });
    const response = await client.listConversations({}, { signal }).catch(() => undefined);
    // The next time, or a search that has begun meanwhile.
    if (!response || signal.aborted) return;
    const fresh = readConversations(response.conversations);
    const freshKeys = new Set(fresh.map(({ key }) => key));
    this.setState(({ rows = [] }) => ({
      rows: [...fresh, ...rows.filter(({ key }) => !freshKeys.has(key))],
    }));
  }

  /** Loads the first page for a word, or with a token the next one. */
  async #load(word: string, nextToken?: string) {
    const { context } = this.props.session;
    this.#request.abort();
    this.#request = new AbortController();
    const { signal } = this.#request;
    const before = nextToken ? (this.state.rows ?? []) : [];
    this.setState({ word, status: 'loading', ...(!nextToken && word !== this.state.word && { rows: [] }) });
    const client = context.client.with({ listConversations, searchMessages });
    const page = nextToken ? { nextToken } : {};
    try {
      await context.start();
      signal.throwIfAborted();
      const { rows, meta } = word
        ? await client.searchMessages({ text: word, ...page }, { signal }).then((response) => ({
            rows: readFound(response.messages, word),
            meta: response.meta,
          }))
        : await client.listConversations(page, { signal }).then((response) => ({
            rows: readConversations(response.conversations),
            meta: response.meta,
          }));
      signal.throwIfAborted();
      // A conversation that began meanwhile moves the pages.
      const loadedKeys = new Set(before.map(({ key }) => key));
      const all = [...before, ...rows.filter(({ key }) => !loadedKeys.has(key))];
      this.setState({ rows: all, nextToken: meta.nextToken, status: 'ready' });
      this.#refreshIn(refreshMs);
      if (word && all.length === 0 && !meta.nextToken) context.announce(strings.nothingFound);
    } catch (error) {
      if (signal.aborted) return;
      context.report(error);
      this.setState({ status: 'failed' });
    }
  }

  /** Loads the next page, or again what has failed. The focus goes to the first new row if the button is not needed any more. */
  async #loadMore() {
    const { rows = [], word = '', nextToken, status, isPressed } = this.state;
    if (isPressed) return;
    this.setState({ isPressed: true });
    await this.#load(word, rows.length > 0 || status === 'ready' ? nextToken : undefined);
    const hasFocus = this.more.current?.matches(':focus');
    this.setState({ isPressed: false }, () => {
      if (!hasFocus || this.more.current) return;
      const row = this.content.current?.querySelectorAll<HTMLElement>('.conversation-row')[rows.length];
      (row ?? this.back.current)?.focus();
    });
  }

  #leave(change?: () => Promise<unknown>) {
    const { store, widget } = this.props;
    store.setView('');
    // Errors were reported, and the window shows them.
    change?.().catch(() => {});
    // After the conversation was rendered: it is inert now.
    void Promise.resolve().then(() => moveFocus(widget.frame));
  }

  override render({ store, session, widget }: ViewProps, state: ListState) {
    const { rows = [], nextToken, word = '', status = 'loading', isPressed = false } = state;
    const { context } = session;
    const current = widget.storage.read().conversationId;
    // Subscribes to the opening of the window, and to messages.
    void [store.state.isOpen, store.state.outline];
    return (
      <div
        class="conversations"
        part="conversations"
        role="dialog"
        aria-modal="true"
        aria-label={strings.conversationList}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || event.isComposing) return;
          // Escape closes the list, and not the window behind it.
          event.preventDefault();
          event.stopPropagation();
          this.#leave();
        }}
      >
        <div class="conversations-bar">
          <button
            ref={this.back}
            type="button"
            class="tool"
            aria-label={strings.backToConversation}
            title={strings.backToConversation}
            onClick={() => this.#leave()}
          >
            <Icon path={icons.back} />
          </button>
          <h2>{strings.conversationList}</h2>
          <button
            type="button"
            class="tool"
            part="new-conversation"
            aria-label={strings.restart}
            title={strings.restart}
            onClick={() =>
              this.#leave(() => beginConversation(context, () => session.methods.restartConversation()))
            }
          >
            <Icon path={icons.add} />
          </button>
          <button
            type="button"
            class="tool"
            part="close"
            aria-label={strings.close}
            title={strings.close}
            onClick={() => widget.close()}
          >
            <Icon path={icons.close} />
          </button>
        </div>
        <search class="conversations-search">
          <input
            type="search"
            dir="auto"
            maxLength={200}
            aria-label={strings.searchMessages}
            placeholder={strings.searchMessages}
            onInput={({ currentTarget }) => {
              clearTimeout(this.#typing);
              this.#typing = setTimeout(() => void this.#load(currentTarget.value.trim()), typingMs);
            }}
          />
        </search>
        <div ref={this.content} class="conversations-content" aria-busy={status === 'loading'}>
          {rows.length > 0 && (
            // biome-ignore lint/a11y/noRedundantRoles: Safari drops the role of a list without markers.
            <ul role="list">
              {rows.map((row) => (
                <li key={row.key}>
                  <ConversationRow
                    row={row}
                    isCurrent={row.conversationId === current}
                    onOpen={() => this.#leave(() => openConversation(context, row.conversationId))}
                  />
                </li>
              ))}
            </ul>
          )}
          {status === 'loading' && <p class="conversations-note">{strings.connecting}</p>}
          {status === 'ready' && rows.length === 0 && !nextToken && (
            <p class="conversations-note">{word ? strings.nothingFound : strings.noMessages}</p>
          )}
          {status === 'failed' && (
            <p class="conversations-note" role="alert">
              {strings.listFailed}
            </p>
          )}
          {(isPressed || status === 'failed' || (status === 'ready' && nextToken)) && (
            <button
              ref={this.more}
              type="button"
              class="option"
              aria-disabled={isPressed}
              onClick={() => void this.#loadMore()}
            >
              {status === 'failed' ? strings.retry : strings.showMore}
            </button>
          )}
        </div>
      </div>
    );
  }
}

interface RowProps {
  row: ListRow;
  isCurrent: boolean;
  onOpen(): void;
}

/**
 * A row: a conversation, or a message in one, with title, last text, time and the number of unread messages, which is part of its
 * name.
 */
function ConversationRow({ row: { title, text, at, unread }, isCurrent, onOpen }: RowProps) {
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
          <span class="visually-hidden">{plural('newMessages', unread)}</span>
        </span>
      )}
    </button>
  );
}
