// Loads the other bundles of the widget when they are needed. The chat is loaded and mounted once.
import { platformError } from '../../protocol/error.ts';
import type { Bundles, Chat, Widget } from '../launcher-chat-interface.ts';
import { load } from './load.ts';
import { strings } from './strings.ts';

export interface BundleLoader {
  /** Loads a bundle and calls `use`, unless the widget was destroyed meanwhile. Never rejects. */
  use<N extends keyof Bundles>(name: N, use: (module: Bundles[N]) => unknown): Promise<unknown>;
  /** Fetches and evaluates the chat bundle, without creating or storing anything: it is called on hover. */
  prefetchChat(): Promise<Bundles['chat']>;
  /** Loads and mounts the chat. Rejects with `chunk_failed`, which is also emitted; the next call retries. */
  loadChat(widget: Widget): Promise<Chat>;
  /** The mounted chat. */
  readonly chat: Chat | undefined;
  /** Resolves when the chat was mounted, without loading it. Rejects if the widget is destroyed before. */
  chatLater: Promise<Chat>;
}

/** @param assets the folder of the widget's files, an absolute address ending in `/`. */
export function createBundleLoader(
  { signal, emit }: Pick<Widget, 'signal' | 'emit'>,
  assets: string,
): BundleLoader {
  let chat: Chat | undefined;
  let chatPromise: Promise<Chat> | undefined;
  let modulePromise: Promise<Bundles['chat']> | undefined;
  let resolveChat: (chat: Chat) => void = () => {};
  const chatLater = new Promise<Chat>((resolve, reject) => {
    resolveChat = resolve;
    signal.addEventListener('abort', () => reject(signal.reason));
  });
  chatLater.catch(() => {});

  /** Reports that a file could not be loaded, unless the widget was destroyed meanwhile. */
  function failed(cause: unknown): never {
    signal.throwIfAborted();
    const error = platformError('chunk_failed', strings.loadFailed, cause);
    emit('error', error);
    throw error;
  }

  function prefetchChat(): Promise<Bundles['chat']> {
    modulePromise ??= load('chat', assets);
    modulePromise.catch(() => {
      modulePromise = undefined;
    });
    return modulePromise;
  }

  return {
    prefetchChat,
    chatLater,
    get chat() {
      return chat;
    },
    use: (name, use) =>
      load(name, assets)
        .then((module) => signal.aborted || use(module), failed)
        .catch(() => {}),
    loadChat(widget) {
      chatPromise ??= prefetchChat()
        .then((module) => {
          signal.throwIfAborted();
          return module.mount(widget);
        })
        .then((mounted) => {
          chat = mounted;
          resolveChat(chat);
          return chat;
        })
        .catch((cause) => {
          chatPromise = undefined;
          return failed(cause);
        });
      return chatPromise;
    },
  };
}
