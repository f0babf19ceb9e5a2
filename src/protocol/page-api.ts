// The words of `window.platform`: methods and events of the widget. Types only.
import type { Configuration } from './config.ts';
import type { PlatformError } from './error.ts';
import type { SidedMessage } from './message.ts';
import type { WebchatUser, WebchatUserFields } from './user.ts';

/** What a handler of each event type receives. */
export interface PlatformEvents {
  /** A new conversation starts: its id. */
  conversation: string;
  /** A message is sent, by either side. Plain data, JSON-serialisable. */
  message: SidedMessage;
  /** An error occurs. */
  error: PlatformError;
  /** The bot sent a custom event: its payload. */
  customEvent: Record<string, unknown>;
  /** Loading has finished; the window can be opened. A late handler is still called, once. */
  'webchat:initialized': undefined;
  /** The window was opened for the first time and messages can be received. A late handler is still called, once. */
  'webchat:ready': undefined;
  'webchat:opened': undefined;
  'webchat:closed': undefined;
}

export type PlatformEventType = keyof PlatformEvents;

/** What a handler of `*` receives. */
export type AnyPlatformEvent = {
  [T in PlatformEventType]: { type: T; payload: PlatformEvents[T] };
}[PlatformEventType];

export interface ConfigOptions {
  configuration?: Configuration;
  user?: WebchatUserFields;
}

export interface InitOptions extends ConfigOptions {
  /** The address of the chat, `https://HOST/chat/WEBHOOK`. Known already when the server served the script. */
  chatUrl?: string | undefined;
  /**
   * An element of the page, or its selector, that the chat fills, without a launcher; `body` for a page that is the chat.
   * On the script tag: `data-target`.
   */
  target?: string | Element | undefined;
}

/** One thing that `platform.doctor()` has found. */
export interface Finding {
  /** One word of the table in docs/reference/errors.md. */
  code: string;
  /** `warning`: the chat works, but not whole. `error`, or absent: because of it the chat does not show or connect. */
  severity?: 'error' | 'warning';
  /** What is wrong, with the name of the culprit: an address, a directive, an element. */
  message: string;
  /** What to do about it. */
  cure: string;
  /** What the server or the browser said. */
  detail?: string;
}

/** What `platform.doctor()` has found out. */
export interface Diagnosis {
  /** There is no finding of severity `error`. */
  ok: boolean;
  /** The gravest first; none where all is well. */
  findings: readonly Finding[];
  /**
   * What it looked at, and what it could not look at: plain data, fit for a bug report, without keys and names. Absent
   * where the doctor's own file could not be loaded.
   */
  environment?: Readonly<Record<string, unknown>>;
}

/**
 * The page's handle on the chat. Methods marked A work after `webchat:initialized`, B after `webchat:ready`; called
 * earlier they throw (or reject with) an InvalidStateError that names the event to wait for.
 */
export interface Platform {
  /** Starts the widget; needed only with `data-manual`, or after `destroy()`. */
  init(options?: InitOptions): void;
  /** Removes the widget with all it holds; the page is as before. `init()` starts it again. */
  destroy(): void;
  /** Runs functions once the widget is initialized, in order: `(window.platform ||= []).push(p => p.open())`. */
  push(...callbacks: ((platform: Platform) => void)[]): number;
  /** Subscribes to an event type, or to all with `*`. Works at any time. Returns the function that unsubscribes. */
  on<T extends PlatformEventType>(type: T, handler: (data: PlatformEvents[T]) => void): () => void;
  on(type: '*', handler: (event: AnyPlatformEvent) => void): () => void;
  /** A. Opens the window. */
  open(): void;
  /** A. Closes the window. */
  close(): void;
  /** A. Opens or closes the window. */
  toggle(): void;
  /** A. Merges into the configuration, and updates the user. Blank fields fall back to the dashboard. */
  config(options: ConfigOptions): void;
  /** A. Updates the user; before the user exists the fields wait for it. Resolves when the server has them. */
  updateUser(user: WebchatUserFields): Promise<void>;
  /**
   * A. Becomes the user of a key that your server has signed, and goes on with their conversation; the same as
   * `updateUser({ userKey })`. Resolves when the server has accepted the key.
   */
  identify(userKey: string): Promise<void>;
  /** A. Forgets the visitor in this browser, in all its tabs, and closes the window. The next one starts again. */
  logout(): Promise<void>;
  /** A. The user; created on the server if there is none yet. */
  getUser(): Promise<WebchatUser>;
  /** A. The number on the launcher; messages that come later count on from it, opening the window clears it. */
  setUnreadMessageCount(count: number): void;
  /** B. Ends the current conversation and starts a new one. */
  restartConversation(): Promise<void>;
  /** B. Sends a text message of the visitor. Resolves when the server has stored it. */
  sendMessage(message: string): Promise<void>;
  /** B. Sends a custom event to the bot. Resolves when the server has stored it. */
  sendEvent(event: Record<string, unknown>): Promise<void>;
  /**
   * Finds out why the chat does not show or does not connect, and prints it. Works at any time, also before `init`, after
   * it failed, and after `destroy`. Creates nothing on the server and stores nothing. Never rejects.
   */
  doctor(): Promise<Diagnosis>;
}
