// Types of `window.platform`: the methods and events of the widget. Types only.
import type { PlatformError, PlatformErrorCode } from '../error.ts';
import type { ClientTool } from '../interrupts.ts';
import type { Feedback, Payload, PayloadType, SidedMessage } from '../message.ts';
import type { WebchatUser, WebchatUserFields } from '../user.ts';
import type { Configuration } from './config.ts';

/** The data that a handler of each event type receives. */
export interface PlatformEvents {
  /** A new conversation starts. The data is its id. */
  conversation: string;
  /** Either side sends a message. The data is plain and JSON-serialisable. */
  message: SidedMessage;
  /** An error occurs. */
  error: PlatformError;
  /** The bot sends a custom event. The data is its payload. */
  customEvent: Record<string, unknown>;
  /** Loading has finished; the window can be opened. A later handler is still called, once. */
  'webchat:initialized': undefined;
  /**
   * The window was opened for the first time and messages can be sent; without a connection they wait for it. A later handler is
   * still called, once.
   */
  'webchat:ready': undefined;
  'webchat:opened': undefined;
  'webchat:closed': undefined;
  /** The number of unread messages has changed. The data is the new number. */
  unread: number;
  /** The visitor rates a message of the bot; without a `value` the visitor takes it back. */
  feedback: { messageId: string; value?: Feedback['value'] };
  /**
   * Something worth counting happens. The data has neither texts nor ids (docs/guides/analytics.md). Made of the other
   * events for its handlers only: `*` does not receive it.
   */
  analytics: AnalyticsEvent;
}

/** A message as the hooks of the page receive it: a copy. */
export interface ShownMessage {
  id: string;
  /** False for a message of the visitor. */
  isBot: boolean;
  payload: Payload;
  createdAt: string;
}

/** Functions of the page that change messages (docs/guides/hooks.md). */
export interface Hooks {
  /**
   * Called before a message of the visitor is sent. Returns the message that is sent instead, null to refuse it, or nothing.
   * If it throws, or does not answer within ten seconds, the message is not sent, and the visitor can send it again.
   */
  beforeSend?(message: Pick<ShownMessage, 'payload'>): BeforeSendResult | Promise<BeforeSendResult>;
  /**
   * Called before a complete message is shown, also with those of the visitor and of the history. Returns what is shown
   * instead, null to hide a message of the bot, or nothing. The server keeps the message as it is.
   */
  // biome-ignore lint/suspicious/noConfusingVoidType: a function of the page that returns nothing
  afterReceive?(message: ShownMessage): Pick<ShownMessage, 'payload'> | null | undefined | void;
  /** Returns a node that is shown in the place of the message, or nothing. Called again when the message changes. */
  // biome-ignore lint/suspicious/noConfusingVoidType: a function of the page that returns nothing
  renderMessage?(message: ShownMessage): Node | null | undefined | void;
}

/** Everything that the page adds to the chat. */
export interface PageHooks extends Hooks, PageOffer {}

// biome-ignore lint/suspicious/noConfusingVoidType: a function of the page that returns nothing
type BeforeSendResult = Pick<ShownMessage, 'payload'> | null | undefined | void;

/** Description of the event, in names and numbers only. */
export interface AnalyticsEvent {
  name:
    | 'loaded'
    | 'opened'
    | 'closed'
    | 'conversation_started'
    | 'message_sent'
    | 'message_received'
    | 'button_clicked'
    | 'file_sent'
    | 'feedback_given'
    | 'error';
  /** Of a message: the type of its payload; `other` for types that are not part of the chat. */
  type?: PayloadType | 'other';
  /** Of the first message after one of the visitor: milliseconds between the two. */
  replyMs?: number;
  /** Of feedback. */
  value?: Feedback['value'];
  /** Of an error. */
  code?: PlatformErrorCode;
}

export type PlatformEventType = keyof PlatformEvents;

/** The data that a handler of `*` receives. */
export type AnyPlatformEvent = {
  [T in Exclude<PlatformEventType, 'analytics'>]: { type: T; payload: PlatformEvents[T] };
}[Exclude<PlatformEventType, 'analytics'>];

/** The argument of `getUserKey`. */
export interface UserKeyRequest {
  /** `start`: the chat is used for the first time on this page. `refused`: the server no longer accepts the last key. */
  reason: 'start' | 'refused';
}

/**
 * Returns a user key that your server has signed (docs/guides/identify.md), or null for an anonymous visitor. Called when
 * a key is needed, and never twice at the same time.
 */
export type GetUserKey = (
  request: UserKeyRequest,
) => string | null | undefined | Promise<string | null | undefined>;

export interface ConfigOptions {
  configuration?: Configuration;
  /** Fields of the configuration as texts, instead of the attributes of the script tag: `{ botName: 'Support' }`. */
  attributes?: Record<string, string | undefined>;
  user?: WebchatUserFields;
  /** Returns the user key when it is needed: before the chat is used, and after the server has refused the last one. */
  getUserKey?: GetUserKey | undefined;
  /** The same as `platform.consent()`, also from the start. */
  consent?: boolean | undefined;
}

export interface InitOptions extends ConfigOptions {
  /** The address of the chat, `https://HOST/chat/WEBHOOK`. Not needed if the server of the chat served the script. */
  chatUrl?: string | undefined;
  /**
   * An element of the page, or its selector, that the chat fills, without a launcher; `body` for a page of its own.
   * On the script tag: `data-target`.
   */
  target?: string | Element | undefined;
}

export interface CreateOptions extends InitOptions {
  /**
   * Tells chats of the same address on one page apart. The visitor has a user, a conversation and a record of their
   * own in each.
   */
  instance?: string | undefined;
}

export interface DestroyOptions {
  /**
   * Also removes the visitor's record from this browser, and logs the visitor out in its other tabs. The chat must have run
   * on this page; it may have been destroyed before. Without `webchat:initialized`, nothing is removed.
   */
  forget?: boolean;
}

/**
 * The API of the chat for the page. Methods marked A work after `webchat:initialized`, B after `webchat:ready`; if they
 * are called earlier, they throw (or reject with) an InvalidStateError that names the event to wait for.
 */
export interface Platform extends PageMethods, BlockMethods {
  /** The version of the widget, such as `0.3.0`. Its files are at `/webchat/VERSION/` of the server. */
  readonly version: string;
  /** Starts the widget; needed only with `data-manual`, or after `destroy()`. */
  init(options?: InitOptions): void;
  /**
   * Starts another chat on this page, with its own events, configuration, user and conversation, and returns its API.
   * `window.platform` stays the first. Throws `instance_taken` for the address and `instance` of a chat on the page.
   */
  create(options: CreateOptions): Platform;
  /** The chats on this page that were started and not destroyed, in the order of their starts. */
  readonly instances: readonly Platform[];
  /** Removes the widget with everything it has added to the page. `init()` starts it again. */
  destroy(options?: DestroyOptions): void;
  /** True after `destroy()`, until `init()`. */
  readonly destroyed: boolean;
  /** Runs functions once the widget is initialized, in order: `(window.platform ||= []).push(p => p.open())`. */
  push(...callbacks: ((platform: Platform) => void)[]): number;
  /** Subscribes to an event type, or to all with `*`. Works at any time. Returns the function that unsubscribes. */
  on<T extends PlatformEventType>(type: T, handler: (data: PlatformEvents[T]) => void): () => void;
  on(type: '*', handler: (event: AnyPlatformEvent) => void): () => void;
  /**
   * Adds hooks, which change messages before they are sent or shown. Works at any time. Those of several calls run in
   * their order. Returns the function that removes them.
   */
  use(hooks: Hooks): () => void;
  /** Whether the window is open; false before `init`. */
  readonly isOpen: boolean;
  /** The number of unread messages, as on the launcher; 0 before `init`. */
  readonly unreadCount: number;
  /** A. Opens the window. */
  open(): void;
  /** A. Closes the window. */
  close(): void;
  /** A. Opens or closes the window. */
  toggle(): void;
  /** A. Shows the launcher, also with `launcher: false`. */
  show(): void;
  /** A. Hides the launcher and the proactive message until `show()` or the next page. The window can still be opened. */
  hide(): void;
  /**
   * A. Puts a text into the composer as soon as the chat has loaded. Neither opens the window nor sends the text. Resolves
   * with false, without an effect, if the visitor has written something already.
   */
  prefill(text: string): Promise<boolean>;
  /** A. Merges into the configuration, and updates the user. Blank fields fall back to the dashboard. */
  config(options: ConfigOptions): void;
  /**
   * A. Says whether the visitor allows the chat to store data in the browser. False: what is stored is removed, and the
   * conversation goes on in memory until the page is left. True: it is stored where `storageLocation` says; with
   * `memory`, in `localStorage`. Holds until `destroy()`; the option `consent` of `init()` does the same from the start.
   */
  consent(isGiven: boolean): void;
  /** A. Updates the user; the fields are kept until the user exists. Resolves when the server has stored them. */
  updateUser(user: WebchatUserFields): Promise<void>;
  /**
   * A. Switches to the user of a key that your server has signed, and resumes their conversation; the same as
   * `updateUser({ userKey })`. Resolves when the server has accepted
   * the key. Before the visitor opens the chat it creates nobody: a new user is created when the chat is opened.
   */
  identify(userKey: string): Promise<void>;
  /** A. Removes the visitor's data from this browser, in all tabs, and closes the window. The next visitor is new. */
  logout(): Promise<void>;
  /** A. Returns the user, and creates it on the server if there is none yet. */
  getUser(): Promise<WebchatUser>;
  /** A. Sets the number on the launcher. Later messages increase it; opening the window clears it. */
  setUnreadMessageCount(count: number): void;
  /** B. Ends the current conversation and starts a new one. */
  restartConversation(): Promise<void>;
  /** B. Sends a text message of the visitor. Resolves when the server has stored it. */
  sendMessage(message: string): Promise<void>;
  /** B. Sends a custom event to the bot. Resolves when the server has stored it. */
  sendEvent(event: Record<string, unknown>): Promise<void>;
  /**
   * Diagnoses why the chat does not show or connect, and prints the result. Works at any time, also before `init`,
   * after it failed, and after `destroy`. Creates nothing on the server and stores nothing. Never rejects.
   */
  doctor(): Promise<Diagnosis>;
}

/** One problem that `platform.doctor()` has found. */
export interface Finding {
  /** A code of the table in docs/reference/errors.md. */
  code: string;
  /** `warning`: the chat works, but not fully. `error`, or absent: it keeps the chat from showing or connecting. */
  severity?: 'error' | 'warning';
  /** The problem, with the name of its cause: an address, a directive, an element. */
  message: string;
  /** The remedy. */
  cure: string;
  /** The text of the server or the browser. */
  detail?: string;
}

/** The result of `platform.doctor()`. */
export interface Diagnosis {
  /** There is no finding of severity `error`. */
  ok: boolean;
  /** Sorted by severity; empty if there are no problems. */
  findings: readonly Finding[];
  /**
   * Checks that were made, and checks that were not possible: plain data for a bug report, without keys and names. Absent
   * if the diagnostics bundle could not be loaded.
   */
  environment?: Readonly<Record<string, unknown>>;
}

/**
 * A tool of the page, which the bot can call. The same object is a tool of WebMCP
 * (https://webmachinelearning.github.io/webmcp/).
 */
export interface PageTool extends Omit<ClientTool, 'inputSchema'> {
  /** JSON Schema of the input, an object. The input is checked before `execute` is called. */
  inputSchema?: object;
  /**
   * Runs the tool. Returns a JSON value, of which the bot gets at most 16,000 bytes, or a promise of one within 30 seconds. If it
   * throws, the bot gets the message of the error. `signal`: aborted when nobody waits for the result any more.
   */
  // biome-ignore lint/suspicious/noExplicitAny: the page knows what its schema allows
  execute(input: any, options: { signal: AbortSignal }): unknown;
}

/** Something that the page says of itself. `value`: any JSON value; everything but a text is sent as JSON. */
export interface PageContextEntry {
  description: string;
  value: unknown;
}

export type PageContext =
  | readonly PageContextEntry[]
  | (() => readonly PageContextEntry[] | Promise<readonly PageContextEntry[]>);

/** Offer of the page to the bot. */
export interface PageOffer {
  /** The arguments of `registerTool`. */
  tool?: Parameters<PageMethods['registerTool']>;
  context?: PageContext;
  /** Tools that other code has registered with the browser: the visitor is asked before each call. */
  foreign?(): Promise<readonly PageTool[]>;
  /** The argument of `registerBlock`. */
  block?: PageBlock;
}

/** The methods of `window.platform` for what the page offers. */
export interface PageMethods {
  /**
   * Offers a tool of the page to the bot, with the dictionary of WebMCP. Works at any time. The visitor is asked before it runs,
   * unless `annotations.readOnlyHint` is true. `signal`: removes it when it is aborted, as does the returned function.
   */
  registerTool(tool: PageTool, options?: { signal?: AbortSignal | undefined }): () => void;
  /**
   * Tells the bot about the page with each message. Works at any time; the last call counts, and an empty list removes what an
   * earlier one gave. A function is asked each time a message is sent. Returns
   * a function that removes it.
   */
  setContext(context: PageContext): () => void;
}

/**
 * Draws the blocks of one name in answers (docs/guides/blocks.md). `Data` is what the bot gives: check it, because an agent may
 * have written it.
 */
export interface PageBlock<Data = unknown> {
  /** The name that the bot gives: 1 to 64 letters, digits, `_` and `-`. */
  name: string;
  /**
   * Fills an empty element, which is in the page and has the page's styles. Called again, with a new element, when the data has
   * changed. If it throws, or its promise rejects, the text that the bot gave is shown; also while its promise is not settled and
   * the element is empty.
   * @param options.signal aborts when the element goes away: stop timers and requests.
   */
  render(data: Data, element: HTMLElement, options: { signal: AbortSignal }): void | Promise<void>;
  /** Returns what the block says: to screen readers, and in the downloaded conversation. By default the text that the bot gave. */
  describe?(data: Data): string;
}

/** The method of `window.platform` for blocks. */
export interface BlockMethods {
  /** Draws the blocks of a name in answers. Works at any time, also for answers that are shown. Returns the function that removes it. */
  // biome-ignore lint/suspicious/noExplicitAny: without a type, the page may read any field of its data
  registerBlock<Data = any>(block: PageBlock<Data>): () => void;
}
