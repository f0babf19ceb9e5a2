// The methods of `window.platform` that the chat implements. Their code is in bundles that load with the first call.
import type { PageUser } from '../../page/user/page-user.ts';
import { background, pageUser } from '../bundles.ts';
import type { SessionInternals } from './context.ts';
import type { Outbox } from './conversation/outbox.ts';
import type { PageMethods } from './page-methods.ts';
import type { Session } from './session-interface.ts';

export interface PageCalls {
  readonly methods: Session['methods'];
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
  /** The same method, which also emits its error. */
  const reported =
    <A extends unknown[], R>(method: (...input: A) => Promise<R>) =>
    (...input: A): Promise<R> =>
      method(...input).catch((error) => {
        throw report(error);
      });

  return {
    methods: {
      sendMessage: reported(async (text) => send({ type: 'text', text })),
      sendEvent: reported(async (payload) => (await getPageMethods()).sendEvent(payload)),
      restartConversation: reported(async () => (await getPageMethods()).restartConversation()),
      prefill: reported(async (text) => (await getPageMethods()).prefill(text)),
      getUser: reported(async () => (await getPageUser()).getUser()),
      forget: reported(async () => (await getPageUser()).forget()),
      updateUser: reported(async (fields) => {
        hasPendingUser = true;
        if (fields.userKey) initialKey = undefined;
        return (await getPageUser()).updateUser(fields);
      }),
      identify: reported(async (userKey) => {
        hasPendingUser = true;
        initialKey = undefined;
        return (await getPageUser()).identify(userKey);
      }),
      logout: reported(async () => {
        initialKey = undefined;
        return (await getPageUser()).logout();
      }),
    },
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
