// The interface between the launcher and the chat. Types only: the two bundles share no code at run time, and each has
// its own copy of signals, so they communicate by plain calls.
import type { DeferredMessage, UnsentMessage } from '../protocol/message.ts';
import type { FieldTable, LauncherConfiguration, Resolved } from '../protocol/page-api/config.ts';
import type { WindowSize } from '../protocol/page-api/configuration.ts';
import type {
  AnyPlatformEvent,
  ConfigOptions,
  Diagnosis,
  InitOptions,
  PageHooks,
  Platform,
  PlatformEvents,
  PlatformEventType,
} from '../protocol/page-api/page-api.ts';
import type { NameKind } from '../protocol/page-api/page-names.ts';
import type { WebchatUserFields } from '../protocol/user.ts';
import type { Webchat } from '../protocol/webchat.ts';
import type { Language } from './i18n/catalogue.ts';
import type { PageBlocks, PageTools } from './page-features.ts';

/** The form before a conversation, as the browser keeps it. */
export interface StoredPreChatForm {
  /** Typed values that are not sent, by the name of the field. */
  typed?: Record<string, string>;
  /** Pre-chat answers of the user, which are not asked again: the consent by its sentence. */
  known?: { userId?: string | undefined; name?: true; email?: true; consent?: string | undefined };
}

/** The record of one chat in the visitor's browser storage. */
export interface StoredSession {
  userKey?: string;
  userId?: string;
  /** The page has identified the user by a key. Only a page view with such a key resumes this record. */
  isNamed?: boolean;
  conversationId?: string;
  /** The last conversation that the server refused: tabs that replace it create one new conversation and not two. */
  lostConversationId?: string;
  /** `createdAt` of the newest message that the visitor has seen. */
  readAt?: string;
  /** The unsent text of the composer. */
  draft?: string;
  preChatForm?: StoredPreChatForm;
  /** Unsent messages in the order they were written, and those of conversations that the visitor has left. */
  unsent?: UnsentMessage[];
  parked?: DeferredMessage[];
  /** The record of the last identified user, while another user is active. */
  named?: StoredSession;
  /** The emoji that the visitor has chosen last, the newest first. */
  emoji?: string[];
  /** The visitor has switched the sound off. */
  isMuted?: boolean;
  /** The visitor has dismissed the greeting. */
  isGreeted?: boolean;
  /** The ids of the proactive messages that the visitor has seen. */
  shown?: string[];
  /** Sessions of the browser with this chat, if a rule asks for returning visitors. */
  visits?: number;
  /** The size that the visitor has given to the window. */
  window?: StoredWindow;
}

/** The size of the window on this device, in pixels. */
export interface StoredWindow {
  size?: WindowSize | undefined;
  width?: number | undefined;
  height?: number | undefined;
  dockWidth?: number | undefined;
}

/** The sizes of the window that the visitor can choose now: none on a small screen. */
export interface WindowSizing {
  /** Without the present one. */
  readonly choices: readonly WindowSize[];
  choose(size: WindowSize): void;
}

/** The owners of a style sheet: each bundle, the theme, and the site. */
export type StyleSlot =
  | 'launcher'
  | 'host-page'
  | 'density'
  | 'window-size'
  | 'chat'
  | 'markdown'
  | 'extras'
  | 'home'
  | 'parts'
  | 'app'
  | 'details'
  | 'interrupt'
  | 'rating'
  | 'conversations'
  | 'pre-chat-form'
  | 'people'
  | 'emoji'
  | 'voice'
  | 'theme'
  | 'custom';

export interface SessionStorage {
  /** Where the record is. Undefined before the first use; the host-page bundle moves the record when the page wants that. */
  place?: LauncherConfiguration['storageLocation'];
  read(): StoredSession;
  /** Merges fields into the record; undefined removes a field. */
  write(fields: { [K in keyof StoredSession]: StoredSession[K] | undefined }): void;
  /**
   * Removes the record, and logs the visitor out in other tabs. The host-page bundle, which loads where the page sets
   * `storageLocation`, extends it to records in other places.
   */
  clear(): void;
}

/** The interface of the widget for the chat. */
export interface Widget {
  /** Aborts when the widget is destroyed and ends every listener, timer and request. */
  signal: AbortSignal;
  chatUrl: string;
  /** The key of the record in the browser's storage, and the name that its tabs share. */
  storageKey: string;
  /** The element of the window; the chat renders into it and sets its label. */
  frame: HTMLElement;
  /** The parent of the frame and the launcher. Live regions are added here, so that they work while the window is closed. */
  box: HTMLElement;
  storage: SessionStorage;
  configuration: LauncherConfiguration;
  /** The last value of `platform.consent()`. */
  consent?: boolean | undefined;
  /** The last argument of `platform.consent()`. */
  hasConsent?: boolean;
  /** The present language; `onConfiguration` is called when it changes. */
  language: Language;
  /** The values of one part of the configuration. */
  resolve<T extends FieldTable>(table: T): Resolved<T>;
  /** The features of the server, if the served script contains them; else the chat requests `GET {chat}/webchat`. */
  webchat: Webchat | undefined;
  /** The user fields that the page passed before the chat was loaded. */
  user: WebchatUserFields;
  /** The page's hooks, tools, context and blocks, in their order. */
  hooks: ReadonlySet<PageHooks>;
  /** The tools of the page, as soon as their code has loaded. */
  pageTools?: PageTools;
  /** The blocks of the page, as soon as its hooks have loaded. */
  blocks?: PageBlocks;
  /** The page's function that returns user keys. */
  getUserKey?: ConfigOptions['getUserKey'];
  /** The last user key that the page has set. */
  pageKey?: string | undefined;
  /** Set by the host-page bundle if the site allows other sizes of the window. */
  sizing?: WindowSizing;
  /** The mode of the page, for the theme `page`, as soon as the host-page bundle has read it. */
  pageMode?: 'light' | 'dark';
  /** Set when the visitor opens the window to answer a message: then no home screen comes first. */
  opensConversation?: boolean;
  isOpen: boolean;
  wasOpened: boolean;
  /** Adds the CSS of a bundle to the shadow root. */
  adopt(slot: StyleSlot, css: string): void;
  emit<T extends PlatformEventType>(type: T, payload: PlatformEvents[T]): void;
  on(type: string, handler: (data: never) => void): () => void;
  /** Called when the server configuration was received. */
  onServerConfiguration(configuration: unknown): void;
  /** Called when the page can send messages: once they can be received, or wait for the connection. Can be called repeatedly. */
  onStarted(): void;
  /** Called when the bot has sent `count` messages that the visitor has not seen. */
  onUnread(count: number): void;
  /** @param from the element of the page that opened it, to which the focus returns. null: opened by the bot. */
  open(from?: Element | null): void;
  close(): void;
  /** Changes the configuration for the bot, as the page does. */
  config(options: ConfigOptions): void;
}

/** The interface of the chat for the widget. */
export interface Chat {
  /** Creates or resumes user and conversation, loads history, opens the stream. Calls `onStarted` when done. */
  start(): void;
  /** Called when the configuration has changed. */
  onConfiguration(): void;
  setOpen(isOpen: boolean): void;
  /** Moves the focus to the composer, or on touch devices to the window, so that no keyboard opens. */
  focus(): void;
  readonly methods: ChatMethods;
}

/** The methods of `window.platform` that the chat implements. They reject with a PlatformError, which is also emitted as `error`. */
export type ChatMethods = Pick<
  Platform,
  | 'updateUser'
  | 'identify'
  | 'logout'
  | 'getUser'
  | 'restartConversation'
  | 'sendMessage'
  | 'sendEvent'
  | 'prefill'
>;

/** The state of the widget that diagnostics read. */
export interface DiagnosticContext {
  /** The running instance; undefined before `init`, after `init` failed, and after `destroy`. */
  widget: Widget | undefined;
  /** The last options of `init`. */
  initOptions?: InitOptions;
  /** The folder of the widget's files. */
  assets: string;
  webchat: Webchat | undefined;
  /** The `dataset` of the script tag. */
  attributes: Record<string, string | undefined>;
  /** The default of the option `chatUrl` of `init`. */
  chatUrl: string | undefined;
}

/** The files that the widget loads, and their exports. */
export interface Bundles {
  chat: { mount(widget: Widget): Promise<Chat> };
  /**
   * Applies the configured language: replaces the strings of the launcher in place and sets `widget.language`. Returns
   * whether something has changed. Without a catalogue it uses English and reports an error to the page.
   */
  i18n: { applyLanguage(widget: Widget, strings: object): Promise<boolean> };
  /** Applies the site's additions of the present configuration, around the window or in `target`. */
  'host-page': {
    apply(widget: Widget, target: Element | null): void;
    /** Brings the chat above a popover of the page that covers it; three times between two actions of the visitor. */
    raise(widget: Widget): void;
    /** Calls a handler of `analytics` for an event of the page, without its texts. Never throws. */
    count(handler: (data: never) => void, event: AnyPlatformEvent): void;
  };
  /** Diagnoses why the chat does not show or does not connect, and logs the result. Never rejects. */
  diagnostics: {
    diagnose(context: DiagnosticContext): Promise<Diagnosis>;
  };
  'unknown-names': {
    /**
     * Prints once for each name that is unknown, of an object or the one given, the nearest right one, and emits an error.
     * `value`: explains the field of this name, whose value is invalid.
     */
    checkNames(emit: Widget['emit'], kind: NameKind, input: unknown): void;
  };
}
