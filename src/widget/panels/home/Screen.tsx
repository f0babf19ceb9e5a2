// The home screen: a greeting, the last conversation or a button to begin one, suggestions, and links of the site. Nothing
// is created on the server until the visitor begins.
import { Component } from 'preact';
import { platformError } from '../../../protocol/error.ts';
import { withoutMarks } from '../../../protocol/markdown-marks.ts';
import { preview } from '../../../protocol/message.ts';
import { Avatar } from '../../chat/components/Avatar.tsx';
import { moveFocus } from '../../chat/components/focus.ts';
import { timeOf } from '../../chat/components/times.ts';
import type { Row, Store } from '../../chat/store/store.ts';
import type { ViewProps } from '../../chat/view.ts';
import { language } from '../../i18n/current.ts';
import { Icon } from '../../icon.tsx';
import type { Widget } from '../../launcher-chat-interface.ts';
import { icons } from './icons.ts';
import { readHome } from './read-home.ts';
import { strings } from './strings.ts';

/** Milliseconds since the last message in which a conversation is running: a new page view continues it at once. */
const runningMs = 30 * 60_000;
/** The most characters of the last message; the styles show two lines of it. */
const maxPreview = 200;

/** The problems of each chat's configuration that were reported. */
const reported = new WeakMap<Store, Set<string>>();

/** The visitors (by chat) for whom it was decided whether the screen comes first. */
const decided = new WeakMap<Store, number>();

export class Screen extends Component<ViewProps> {
  #wasOpen = false;
  #hasUnread = false;
  /** The visitor of the chat, which changes also when the page prefills the composer. */
  readonly #visitor = this.props.store.state.visitor;
  /** Problems of the configuration that was rendered last. */
  #problems: string[] = [];

  override componentDidMount() {
    const { store, widget } = this.props;
    const isFirst = decided.get(store) !== this.#visitor;
    decided.set(store, this.#visitor);
    this.#report();
    this.#wasOpen = store.state.isOpen;
    if (isFirst && isRunning(widget)) this.#leave();
    else this.#follow();
  }

  override componentDidUpdate() {
    const { store } = this.props;
    const hasOpened = store.state.isOpen && !this.#wasOpen;
    this.#wasOpen = store.state.isOpen;
    this.#report();
    this.#follow(hasOpened);
  }

  /** Reports each wrong part of the configuration once. */
  #report() {
    const { store, widget } = this.props;
    const reportedMessages = reported.get(store) ?? new Set();
    reported.set(store, reportedMessages);
    for (const message of this.#problems) {
      if (reportedMessages.has(message)) continue;
      reportedMessages.add(message);
      console.warn(`[platform] ${message}`);
      widget.emit('error', platformError('invalid_configuration', message));
    }
  }

  override componentWillUnmount() {
    const { session, widget } = this.props;
    // Also if the page has removed the screen from its configuration.
    if (widget.wasOpened && !widget.signal.aborted) session.start().catch(() => {});
  }

  /** Leaves for the conversation if the visitor expects it, or the page has begun it. */
  #follow(hasOpened = this.#wasOpen) {
    const { store, widget } = this.props;
    const { state } = store;
    const isSending = state.outline.some(({ status }) => status === 'sending');
    const isPrefilled = state.visitor !== this.#visitor && !!widget.storage.read().draft;
    const isExpected = hasOpened && (this.#hasUnread || widget.opensConversation);
    if (isSending || isPrefilled || isExpected) this.#leave();
    const { readAt = '' } = widget.storage.read();
    this.#hasUnread =
      !state.isOpen && state.outline.some(({ side, createdAt }) => side === 'bot' && createdAt > readAt);
  }

  #leave(text?: string) {
    const { store, session, widget } = this.props;
    const { frame } = widget;
    delete widget.opensConversation;
    // A focus in the composer, which is that of the conversation, stays there.
    const hasFocus = frame.matches(':focus') || frame.querySelector('.home :focus');
    store.setView('');
    // A failed message stays in the transcript with its text.
    if (text) session.send({ type: 'text', text }).catch(() => {});
    // After the conversation was rendered: it is inert now.
    void Promise.resolve().then(() => {
      if (!hasFocus) return;
      if (text) frame.querySelector<HTMLElement>('.viewport')?.focus({ preventScroll: true });
      else moveFocus(frame);
    });
  }

  override render({ store, widget }: ViewProps) {
    const { state } = store;
    const { home, botName, botAvatar, ...configuration } = state.configuration;
    const {
      title,
      text = configuration.botDescription,
      hasStarters,
      links,
      problems,
    } = readHome(home, location.href);
    this.#problems = problems;
    const starters = (hasStarters && configuration.starters?.filter((starter) => starter.trim())) || [];
    // Subscribes to the opening of the window, and to the prefilled composer.
    void [state.isOpen, state.visitor];
    const last = state.outline.findLast(({ side }) => side !== 'activity');
    const hasConversation = !!(last || widget.storage.read().conversationId);
    return (
      <div class="home" part="home">
        <div class="greeting-area">
          <div class="greeting-bar">
            <Avatar url={botAvatar} name={botName} isPerson={false} />
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
          <h2 class="greeting-title" part="home-title" tabIndex={-1}>
            <bdi>{title ?? botName}</bdi>
          </h2>
          {text && (
            <p class="greeting-words">
              <bdi>{text}</bdi>
            </p>
          )}
        </div>
        <div class="home-content">
          <button type="button" class="home-main" part="home-action" onClick={() => this.#leave()}>
            <span class="home-words">
              <b>{hasConversation ? strings.continueConversation : strings.restart}</b>
              {last && <Last row={last} />}
            </span>
            <Icon path={icons.forward} />
          </button>
          {configuration.conversationList && store.has('conversations') && hasConversation && (
            <button
              type="button"
              class="home-main home-conversations"
              part="home-conversations"
              onClick={() => store.setView('list')}
            >
              <span class="home-words">{strings.allConversations}</span>
              <Icon path={icons.forward} />
            </button>
          )}
          {starters.length > 0 && (
            // biome-ignore lint/a11y/noRedundantRoles: Safari drops the role of a list without markers.
            <ul class="home-list" role="list" part="starters">
              {starters.map((starter) => (
                <li key={starter}>
                  <button type="button" part="starter" onClick={() => this.#leave(starter)}>
                    <span class="home-words">
                      <bdi>{starter}</bdi>
                    </span>
                    <Icon path={icons.forward} />
                  </button>
                </li>
              ))}
            </ul>
          )}
          {links.length > 0 && (
            // biome-ignore lint/a11y/noRedundantRoles: Safari drops the role of a list without markers.
            <ul class="home-list" role="list" part="home-links">
              {links.map((link) => (
                <li key={link.href}>
                  <a href={link.href} target="_blank" rel="noopener noreferrer">
                    <span class="home-words">
                      <bdi>{link.title}</bdi>
                      <span class="visually-hidden"> ({strings.newTab})</span>
                    </span>
                    <Icon path={icons.link} />
                  </a>
                </li>
              ))}
            </ul>
          )}
        </div>
      </div>
    );
  }
}

/** Whether the visitor has something to continue: a text, or a conversation of the last half hour. */
function isRunning({ storage, opensConversation }: Widget): boolean {
  const { draft, unsent, readAt } = storage.read();
  return !!(opensConversation || draft || unsent || Date.now() - Date.parse(readAt ?? '') < runningMs);
}

/** The beginning of the last message, and its time. */
function Last({ row: { payload, side, createdAt } }: { row: Row }) {
  const time = new Date(createdAt);
  const isToday = time.toDateString() === new Date().toDateString();
  const text = preview(payload) || strings.unsupported;
  const words = payload.type === 'markdown' ? withoutMarks(text.slice(0, maxPreview * 5)) : text;
  return (
    <>
      <span class="home-last">
        {side === 'visitor' && `${strings.you}: `}
        <bdi>{words.slice(0, maxPreview)}</bdi>
      </span>
      <time class="home-time" dateTime={createdAt}>
        {isToday
          ? timeOf(createdAt)
          : time.toLocaleDateString(language.locale, { day: 'numeric', month: 'short' })}
      </time>
    </>
  );
}
