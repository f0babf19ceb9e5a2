// The methods of `window.platform` that the chat implements. Their code is in bundles that load with the first call.
import type { Chat, ChatMethod } from '../../launcher-chat-interface.ts';
import { background, pageUser } from '../bundles.ts';
import type { SessionInternals } from './context.ts';
import type { Outbox } from './conversation/outbox.ts';
import type { PageMethods } from './page-methods.ts';
import type { PageUser } from './user/page-user.ts';

export interface PageCalls {
  /** Runs a method. Rejects with a PlatformError, which is also emitted. */
  ask: Chat['ask'];
  /** Applies the user fields and key of the page, before a user is created or resumed. */
  prepareUser(): Promise<void>;
  /** The key of the user of `init`, until the server is reached as that user or the page names another one. */
  readonly initialKey: string | undefined;
  /** The visitor has logged out, here or in another tab: the user of the page is forgotten. */
  left(): void;
  /** Sends a request that the server has refused (401) again, with a new key of the page. */
  sendAgain: PageUser['sendAgain'];
}

export function createPageCalls(internals: SessionInternals, send: Outbox['send']): PageCalls {
  const { widget, report } = internals;
  /** The page has set fields or a key that are not applied yet. */
  let hasPendingUser = false;
  let initialKey = widget.user.userKey;
  let loadedPageUser: PageUser | undefined;
  let loadedPageMethods: PageMethods | undefined;

  const getPageUser = async (): Promise<PageUser> => {
    const { createPageUser } = await pageUser.get();
    loadedPageUser ??= createPageUser(internals);
    return loadedPageUser;
  };
  const getPageMethods = async (): Promise<PageMethods> => {
    const { createPageMethods } = await background.get();
    loadedPageMethods ??= createPageMethods(internals);
    return loadedPageMethods;
  };
  const run = async (method: ChatMethod, input: never): Promise<unknown> => {
    if (method === 'sendMessage') return send({ type: 'text', text: input });
    if (method === 'sendEvent' || method === 'restartConversation' || method === 'prefill')
      return (await getPageMethods())[method](input);
    if (method === 'logout' || method === 'identify' || Object(input).userKey) initialKey = undefined;
    hasPendingUser ||= method === 'updateUser' || method === 'identify';
    return (await getPageUser())[method](input);
  };

  return {
    ask: (async (method: ChatMethod, input?: unknown) => {
      try {
        // TypeScript does not relate a method of a union to its argument. The page API has validated it.
        return await run(method, input as never);
      } catch (error) {
        throw report(error);
      }
    }) as Chat['ask'],
    async prepareUser() {
      if (hasPendingUser || widget.getUserKey || Object.keys(widget.user).length > 0)
        await (await getPageUser()).prepare();
      initialKey = undefined;
    },
    get initialKey() {
      return loadedPageUser ? loadedPageUser.initialKey : initialKey;
    },
    left() {
      initialKey = undefined;
      widget.user = {};
      loadedPageUser?.left();
    },
    sendAgain: async (...request) => (await getPageUser()).sendAgain(...request),
  };
}
