// What the widget hands to the chat, and what the chat hands back. Types only: the two bundles share nothing else,
// because two copies of signals do not see each other; so all that crosses here are plain calls.
import type { FieldTable, Resolved, ShellConfiguration } from '../protocol/config.ts';
import type { UnsentMessage } from '../protocol/message.ts';
import type {
  ConfigOptions,
  Diagnosis,
  InitOptions,
  Platform,
  PlatformEvents,
  PlatformEventType,
} from '../protocol/platform.ts';
import type { WebchatUserFields } from '../protocol/user.ts';
import type { Webchat } from '../protocol/webchat.ts';
import type { Language } from './i18n/catalogue.ts';

/** What is kept in the visitor's browser about one chat, between visits. */
export interface StoredSession {
  userKey?: string;
  userId?: string;
  /** The page has named the user by a key: only who has such a key goes on with what is kept. */
  isNamed?: boolean;
  conversationId?: string;
  /** The last conversation that the server did not let the visitor in: tabs that replace it make one and not two. */
  lostConversationId?: string;
  /** `createdAt` of the newest message the visitor has had before their eyes. */
  readAt?: string;
  /** What stands unsent in the composer. */
  draft?: string;
  /** In the order they were written. */
  unsent?: UnsentMessage[];
  /** What is kept of the last named user while another one is here. */
  named?: StoredSession;
  /** The visitor has switched the sound off. */
  isMuted?: boolean;
  /** The visitor has waved the greeting away. */
  isGreeted?: boolean;
}

/** What has a style sheet of its own: each bundle, the theme, and the site. */
export type StyleSlot =
  | 'launcher'
  | 'host-page'
  | 'chat'
  | 'markdown'
  | 'media'
  | 'extras'
  | 'unsent'
  | 'theme'
  | 'custom';

export interface SessionStorage {
  read(): StoredSession;
  /** Merges fields in; undefined removes one. */
  write(fields: { [K in keyof StoredSession]: StoredSession[K] | undefined }): void;
}

/** The widget, as the chat sees it. */
export interface Widget {
  /** Ends when the widget is destroyed; it owns every listener, timer and request. */
  signal: AbortSignal;
  chatUrl: string;
  /** The element of the window; the chat renders into it and sets its label. */
  frame: HTMLElement;
  /** What holds the frame and the launcher; live regions stand here, so that they speak while the window is closed. */
  box: HTMLElement;
  storage: SessionStorage;
  configuration: ShellConfiguration;
  /** What to speak; when it changes, `onConfiguration` is called. */
  language: Language;
  /** The values of the chat's part of the configuration; other names are then known to be wrong. */
  resolve<T extends FieldTable>(table: T, isLast: boolean): Resolved<T>;
  /** What the server can do, when it served the script and said so; else the chat asks `GET {chat}/webchat`. */
  webchat: Webchat | undefined;
  /** What the page said about the user before the chat was there. */
  user: WebchatUserFields;
  isOpen: boolean;
  wasOpened: boolean;
  /** Puts a chunk's CSS into the shadow root. */
  adopt(slot: StyleSlot, css: string): void;
  emit<T extends PlatformEventType>(type: T, payload: PlatformEvents[T]): void;
  on(type: string, handler: (data: never) => void): () => void;
  /** The dashboard configuration has come from the server. */
  onServerConfiguration(configuration: unknown): void;
  /** Messages can be received from now on. */
  onStarted(): void;
  /** The bot sent `count` messages that the visitor has not seen. */
  onUnread(count: number): void;
  /** @param from the element of the page that asked for it: the focus goes back there. null: the bot did. */
  open(from?: Element | null): void;
  close(): void;
  /** The bot changes the configuration, as the page does. */
  config(options: ConfigOptions): void;
}

/** The chat, as the widget sees it. */
export interface Chat {
  /** Creates or resumes user and conversation, loads history, opens the stream. Calls `onStarted` when done. */
  start(): void;
  /** The configuration has changed. */
  onConfiguration(): void;
  setOpen(isOpen: boolean): void;
  /** Moves the focus to where the visitor goes on: the composer, or on touch the window (no keyboard unasked). */
  focus(): void;
  /** Does what a method of the page asks for. Rejects with a PlatformError, of which the page is told too. */
  ask<M extends ChatMethod>(method: M, ...input: Parameters<Platform[M]>): ReturnType<Platform[M]>;
}

/** The methods of the page that the chat answers. */
export type ChatMethod =
  | 'updateUser'
  | 'identify'
  | 'logout'
  | 'getUser'
  | 'restartConversation'
  | 'sendMessage'
  | 'sendEvent';

/** All that the widget knows of itself, for the doctor. */
export interface DiagnosticContext {
  /** The running life; none before `init`, when it failed, and after `destroy`. */
  widget: Widget | undefined;
  /** What `init` was last called with. */
  initOptions?: InitOptions;
  /** The folder of the widget's files. */
  assets: string;
  webchat: Webchat | undefined;
  /** The `dataset` of the script tag. */
  attributes: Record<string, string | undefined>;
  /** What `init` need not say. */
  chatUrl: string | undefined;
}

/** The files that the widget loads, and what they export. */
export interface Bundles {
  chat: { mount(widget: Widget): Chat };
  /**
   * Speaks what the configuration asks for: sets the strings of the launcher, in place, and `shell.language`. True when
   * something has changed. Without a catalogue it speaks English, and tells the page.
   */
  i18n: { applyLanguage(widget: Widget, strings: object): Promise<boolean> };
  /** Makes what the site has added, in the window's place or in `target`, as the configuration says now. */
  'host-page': { apply(widget: Widget, target: Element | null): void };
  /** Finds out why the chat does not show or does not connect. Never rejects, and tells the console. */
  diagnostics: { diagnose(patient: DiagnosticContext): Promise<Diagnosis> };
}
