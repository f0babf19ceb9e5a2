// The page's control of the user: fields, identification by a signed key, and logout. The record and the conversation of
// one user are never visible to another.
import { isRetryable } from '../../../client/core/errors.ts';
import * as routes from '../../../client/operations/chat.ts';
import type { PlatformError } from '../../../protocol/error.ts';
import type { WebchatUser, WebchatUserFields } from '../../../protocol/user.ts';
import type { SessionInternals } from '../../chat/session/context.ts';
import { retryWithBackoff } from '../../chat/session/retry.ts';
import { endPushes } from './end-pushes.ts';
import { blank } from './login-record.ts';
import { createStagedFields, refusals } from './staged-fields.ts';
import { createTypedMessages } from './typed-messages.ts';
import { toWebchatUser } from './user-fields.ts';
import { createUserKeyCallback, type UserKeyCallback } from './user-key-callback.ts';
import type { UserState } from './user-state.ts';
import { createUserSwitch } from './user-switch.ts';

export interface PageUser {
  /** Applies the user of `init`. No user is created or resumed before that. */
  prepare(): Promise<void>;
  getUser(): Promise<WebchatUser>;
  updateUser(fields: WebchatUserFields): Promise<void>;
  identify(userKey: string): Promise<void>;
  /** Removes the visitor's record from this browser; other tabs follow. */
  logout(): Promise<void>;
  /** Forgets the user of the page and the visitor's record, as `logout` does. The window and its conversation stay. */
  forget(): Promise<void>;
  /** The visitor has logged out: the user of the page is forgotten, and a key that is being asked for is discarded. */
  left(): void;
  /** The key of the user of `init`, until it was applied. */
  readonly initialKey: string | undefined;
  /** Sends a request that the server has refused (401) again, with a new key of the page if there is one. */
  sendAgain: UserKeyCallback['sendAgain'];
}

export function createPageUser(internals: SessionInternals): PageUser {
  const { widget, identity, start, syncFromStorage } = internals;
  const { storage, signal } = widget;
  const client = internals.client.with({ getUser: routes.getUser, updateUser: routes.updateUser });
  const state: UserState = { generation: 0, switching: undefined, initial: widget.user };
  const typed = createTypedMessages(internals);
  const staged = createStagedFields(internals, state);
  const users = createUserSwitch(internals, { state, staged, typed });
  const callback = createUserKeyCallback(internals, { state, staged, typed, users });

  let onPrepared = () => {};
  /** Resolves when the user is about to be created or resumed. */
  const prepared = new Promise<void>((resolve, reject) => {
    onPrepared = resolve;
    signal.addEventListener('abort', () => reject(signal.reason));
  });
  prepared.catch(() => {});

  /** Fields that were set during a switch are of the next user. */
  const sendStagedFields = async () => {
    while (state.switching !== undefined) await state.switching.catch(() => {});
    if (!staged.isEmpty()) await staged.send((fields) => client.updateUser(fields, { signal }));
  };

  const updateUser = async (fields: WebchatUserFields) => {
    const { userKey } = fields;
    if (!userKey || (!state.switching && userKey === storage.read().userKey)) {
      staged.add(fields);
      if (userKey) widget.pageKey = userKey;
      while (state.switching !== undefined) await state.switching;
    } else {
      if (!(await users.identify(userKey, fields))) return;
      users.follow(userKey);
    }
    // Before the visitor opens the chat, fields create nobody.
    if (!storage.read().userKey) await prepared;
    if (internals.isRequested() || storage.read().conversationId) await start();
    else await identity.ensure();
    await sendStagedFields();
  };

  const left = () => {
    state.generation++;
    staged.clear();
    state.initial = state.switching = undefined;
    callback.reset();
  };
  /** In one step with what follows: the page may identify the next user at once. */
  const forget = () => {
    left();
    storage.write(blank(storage.read()));
  };

  return {
    forget: async () => forget(),
    left,
    async prepare() {
      onPrepared();
      await state.switching?.catch(() => {});
      const isAsking = callback.isNeeded(state.initial?.userKey);
      if (!state.initial && !isAsking) return;
      const { userKey } = state.initial ?? {};
      try {
        staged.add(state.initial ?? {});
        state.initial = userKey ? { userKey } : {};
      } catch (error) {
        // An invalid user in `init` must not prevent the chat, and must not resume the session of an identified user.
        state.initial = undefined;
        typed.stashNamedUser();
        syncFromStorage();
        widget.emit('error', error as PlatformError);
        return;
      }
      if (isAsking) await callback.identify();
      else if (userKey && userKey !== storage.read().userKey) await users.switchUser(userKey, true);
      typed.removeOthers();
      if (identity.syncFromStorage()) {
        await sendStagedFields().catch((error) => {
          // Invalid fields do not prevent the chat.
          if (isRetryable(error) || refusals.includes(error.code)) throw error;
        });
      }
      state.initial = undefined;
    },
    async getUser() {
      await retryWithBackoff(identity.ensure, { signal, attempts: 3 });
      const { user } = await client.getUser({}, { signal });
      return toWebchatUser(user, client.userKey);
    },
    updateUser,
    identify: (userKey) => updateUser({ userKey }),
    async logout() {
      const { userKey } = storage.read();
      forget();
      syncFromStorage(true);
      await endPushes(internals, userKey);
    },
    get initialKey() {
      return state.initial?.userKey;
    },
    sendAgain: callback.sendAgain,
  };
}
