// The parts of a chat that components of any framework use: its options, its events, its state and its methods. Types only.
import type { CreateOptions, Hooks, Platform, PlatformError, PlatformEvents } from '../../widget/global.ts';
import type { LoadOptions } from './load.ts';

export interface WebchatOptions
  extends Omit<CreateOptions, 'target' | 'chatUrl'>,
    Partial<Omit<LoadOptions, 'timeoutMs'>> {
  /** The address of the chat, `https://HOST/chat/WEBHOOK`. */
  chatUrl: string;
}

/** The events of the chat by type, and of all types with `*`. */
export type WebchatEvents = PlatformEvents & { '*': { type: string; payload: unknown } };

/** The state of a chat. It is replaced, and never changed in place. */
export interface WebchatState {
  /** `idle`: no component holds the chat. `initialized`: it can be opened. `ready`: it was opened and is connected. */
  readonly status: 'idle' | 'loading' | 'initialized' | 'ready' | 'failed';
  readonly isOpen: boolean;
  /** The number of unread messages. */
  readonly unreadCount: number;
  /** Why the chat could not start. */
  readonly error?: PlatformError;
}

export interface WebchatStore {
  /**
   * Starts the chat if it is not there, in `target` or over the page. Returns the function that releases it: the chat
   * ends when nobody has held it for one second, so that a component can be mounted again at once.
   */
  acquire(target?: Element | null): () => void;
  /** Applies changed options. The address and the instance cannot change. */
  update(options: WebchatOptions): void;
  /** Opens the window; before the chat is initialized, as soon as it is. */
  open(): void;
  close(): void;
  toggle(): void;
  /** Subscribes to an event of the chat, also before it is loaded, and of all its lives. */
  on<T extends keyof WebchatEvents>(type: T, handler: (data: WebchatEvents[T]) => void): () => void;
  /** Adds functions that change messages (docs/guides/hooks.md), also before the chat is loaded, and for all its lives. */
  use(hooks: Hooks): () => void;
  /** Calls `changed` after each change of the state. */
  subscribe(changed: () => void): () => void;
  getSnapshot(): WebchatState;
  /** The state that is rendered on a server. */
  getServerSnapshot(): WebchatState;
  /** The methods of the chat. Waits until it is initialized; rejects if it cannot start. */
  readonly platform: Promise<Platform>;
}
