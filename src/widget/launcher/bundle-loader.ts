// Loads the other bundles of the widget when they are needed. The chat is loaded and mounted once.
import { platformError } from '../../protocol/error.ts';
import type { Bundles, Chat, Widget } from '../launcher-chat-interface.ts';
import { load, prefetch } from './load.ts';
import { strings } from './strings.ts';

export interface BundleLoader {
  /** Loads a bundle and calls `use`, unless the widget was destroyed meanwhile. Never rejects. */
  use<N extends keyof Bundles>(name: N, use: (module: Bundles[N]) => unknown): Promise<unknown>;
  /** Fetches the chat bundle without evaluating it. A failure is ignored: `loadChat` tries again. */
  prefetchChat(chatUrl: string): void;
  /** Loads and mounts the chat. Rejects with `chunk_failed`, which is also emitted; the next call retries. */
  loadChat(widget: Widget): Promise<Chat>;
  /** The mounted chat. */
  readonly chat: Chat | undefined;
  /** Resolves when the chat was mounted, without loading it. Rejects if the widget is destroyed before. */
  chatLater: Promise<Chat>;
  /** Resolves when the code of the chat was fetched or the chat was mounted. */
  readonly codeLater: Promise<unknown>;
}

/** @param assets the folder of the widget's files, an absolute address ending in `/`. */
export function createBundleLoader(
  { signal, emit }: Pick<Widget, 'signal' | 'emit'>,
  assets: string,
): BundleLoader {
  let chat: Chat | undefined;
  let chatPromise: Promise<Chat> | undefined;
  let resolveChat: (chat: Chat) => void = () => {};
  let resolveCode!: (done?: unknown) => void;
  const codeLater = new Promise((resolve) => {
    resolveCode = resolve;
  });
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

  return {
    prefetchChat(chatUrl) {
      prefetch('chat', assets, chatUrl)?.then(resolveCode, () => {});
    },
    chatLater,
    codeLater,
    get chat() {
      return chat;
    },
    use: (name, use) =>
      load(name, assets)
        .then((module) => signal.aborted || use(module), failed)
        .catch(() => {}),
    loadChat(widget) {
      chatPromise ??= load('chat', assets)
        .then((module) => {
          signal.throwIfAborted();
          return module.mount(widget);
        })
        .then((mounted) => {
          chat = mounted;
          resolveChat(chat);
          resolveCode();
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
