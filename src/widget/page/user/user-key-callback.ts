// Asks the page for the visitor's user key with its function `getUserKey`: before the chat is used, and when the server
// has refused the key. One call at a time answers all requests that wait for it.
import { ApiError, isRetryable, NetworkError } from '../../../client/core/errors.ts';
import type { Fetch } from '../../../client/core/http.ts';
import { type PlatformErrorCode, platformError } from '../../../protocol/error.ts';
import type { UserKeyRequest } from '../../../protocol/page-api/page-api.ts';
import type { SessionInternals } from '../../chat/session/context.ts';
import { callPage } from '../hooks/page-callback.ts';
import type { StagedFields } from './staged-fields.ts';
import type { TypedMessages } from './typed-messages.ts';
import { isKey, isOfSameUser } from './user-fields.ts';
import type { UserState } from './user-state.ts';
import type { UserSwitch } from './user-switch.ts';

export interface UserKeyCallback {
  /** Whether the page must be asked before a user is created or resumed. `userKey`: the key of `init`. */
  isNeeded(userKey: string | undefined): boolean;
  /**
   * Asks the page and switches to the user of its key. Without a key the visitor is anonymous. Rejects with a
   * NetworkError, so that it is tried again, if the function fails; with `unauthorized` if the server refuses the key.
   */
  identify(): Promise<void>;
  /** Sends a refused request again with another key of the same user. Returns the first response if there is none. */
  sendAgain(response: Response, fetch: Fetch, url: string, init: RequestInit): Promise<Response>;
  /** The visitor has logged out: the page is asked again before the next use. */
  reset(): void;
}

export interface UserKeyCallbackOptions {
  state: Pick<UserState, 'generation'>;
  staged: Pick<StagedFields, 'clear'>;
  typed: Pick<TypedMessages, 'excludeEarlier' | 'stashNamedUser'>;
  users: Pick<UserSwitch, 'clientOf' | 'switchUser' | 'replaceUser' | 'follow'>;
}

export function createUserKeyCallback(
  { widget, syncFromStorage, report }: SessionInternals,
  { state, staged, typed, users }: UserKeyCallbackOptions,
): UserKeyCallback {
  const { storage, signal } = widget;
  let isAsked = false;
  let renewing: Promise<string | undefined> | undefined;

  /** Returns the key of the page; undefined if it knows no user. Throws `user_key_failed`. */
  const ask = async (request: UserKeyRequest): Promise<string | undefined> => {
    const { generation } = state;
    // An error of the page is never taken for one of ours, also if it is a DOMException, as of a cancelled fetch.
    const asking = async () => {
      try {
        return await widget.getUserKey?.(request);
      } catch (error) {
        throw failed('has failed', error);
      }
    };
    try {
      const key = (await callPage(asking, signal, timedOut)) || undefined;
      if (key !== undefined && !isKey(key)) throw failed('must return a text of ASCII characters, or null');
      if (generation !== state.generation) throw new DOMException('Another user has come.', 'AbortError');
      if (key) widget.pageKey = key;
      return key;
    } catch (error) {
      signal.throwIfAborted();
      throw report(error);
    }
  };

  /** Returns another key of the same user. */
  const renew = async (refused: string): Promise<string | undefined> => {
    const before = storage.read();
    const { generation } = state;
    // Another request, or another tab, has got it already.
    if (before.userKey !== refused) return before.userKey;
    // The key of an anonymous visitor: the server issues another one.
    if (!before.isNamed) return undefined;
    const key = await ask({ reason: 'refused' });
    if (!key || key === refused) return undefined;
    try {
      const { user } = await users.clientOf(key).getOrCreateUser({}, { signal });
      // A logout or another user, in this tab or in another one, has come first.
      if (generation !== state.generation || storage.read().userId !== before.userId) return undefined;
      if (user.id === before.userId) storage.write({ userKey: key });
      else await users.replaceUser(key);
      users.follow(key);
      return key;
    } catch (error) {
      if (isRetryable(error)) throw error;
      return undefined;
    }
  };

  return {
    isNeeded(userKey) {
      const isSet = userKey ?? (widget.pageKey && widget.pageKey === storage.read().userKey);
      return !!widget.getUserKey && !isAsked && !isSet;
    },
    async identify() {
      const named = widget.pageKey;
      const key = await ask({ reason: 'start' }).catch((cause) => {
        throw cause.code === userKeyFailed ? new NetworkError(cause.message, { cause }) : cause;
      });
      if (!key) {
        typed.stashNamedUser();
        syncFromStorage();
      } else if (key !== storage.read().userKey) {
        if (named && !isOfSameUser(named, key)) {
          // Nothing typed or set before is of this one.
          typed.excludeEarlier();
          staged.clear();
        }
        await users.switchUser(key, true).catch((error) => {
          // Not as the server's refusal, which would start an anonymous conversation.
          const isRefused = error instanceof ApiError && error.code === 401;
          throw isRefused ? platformError('unauthorized', error.message, error) : error;
        });
      }
      isAsked = true;
    },
    async sendAgain(response, fetch, url, init) {
      const headers = init.headers as Record<string, string>;
      const refused = headers['x-user-key'];
      if (!refused) return response;
      renewing ??= renew(refused).finally(() => {
        renewing = undefined;
      });
      const key = await renewing;
      // A request that was made for one visitor is never sent as the next one.
      if (!key || !isOfSameUser(refused, key)) return response;
      const again = { __proto__: null, ...init, headers: { ...headers, 'x-user-key': key } };
      return fetch(url, again as RequestInit);
    },
    reset() {
      isAsked = false;
      widget.pageKey = undefined;
    },
  };
}

const userKeyFailed: PlatformErrorCode = 'user_key_failed';
const failed = (what: string, cause?: unknown) =>
  Object.assign(platformError(userKeyFailed, `getUserKey() ${what}.`, cause), { retryable: true });
const timedOut = () => failed('has not answered within ten seconds');
