// The methods of `window.platform` that the chat implements. Their code is in bundles that load with the first call.
import type { WebchatUserFields } from '../../../protocol/user.ts';
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
  /** Sends a request that the server has refused (401) again, with a new key of the page. */
  sendAgain: PageUser['sendAgain'];
}

export function createPageCalls(internals: SessionInternals, send: Outbox['send']): PageCalls {
  const { widget, report } = internals;
  /** The page has set fields or a key that are not applied yet. */
  let hasPendingUser = false;
  let loadedPageUser: PageUser | undefined;
  let loadedPageMethods: PageMethods | undefined;

  const getPageUser = async (isPending = false): Promise<PageUser> => {
    hasPendingUser ||= isPending;
    const { createPageUser } = await pageUser.get();
    loadedPageUser ??= createPageUser(internals);
    return loadedPageUser;
  };
  const getPageMethods = async (): Promise<PageMethods> => {
    const { createPageMethods } = await background.get();
    loadedPageMethods ??= createPageMethods(internals);
    return loadedPageMethods;
  };
  const methods: { [Method in ChatMethod]: (input: never) => Promise<unknown> } = {
    getUser: async () => (await getPageUser()).getUser(),
    updateUser: async (fields: WebchatUserFields) => (await getPageUser(true)).updateUser(fields),
    identify: async (userKey: string) => (await getPageUser(true)).identify(userKey),
    logout: async () => (await getPageUser()).logout(),
    sendEvent: async (event: Record<string, unknown>) => (await getPageMethods()).sendEvent(event),
    restartConversation: async () => (await getPageMethods()).restartConversation(),
    prefill: async (text: string) => (await getPageMethods()).prefill(text),
    sendMessage: (text: string) => send({ type: 'text', text }),
  };

  return {
    ask: (async (method: ChatMethod, input?: unknown) => {
      try {
        return await methods[method](input as never);
      } catch (error) {
        throw report(error);
      }
    }) as Chat['ask'],
    async prepareUser() {
      if (hasPendingUser || widget.getUserKey || Object.keys(widget.user).length > 0)
        await (await getPageUser()).prepare();
    },
    sendAgain: async (...request) => (await getPageUser()).sendAgain(...request),
  };
}
