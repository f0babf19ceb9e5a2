// The page's control of the user: fields, identification by a signed key, and logout. The record and the conversation of
// one user are never visible to another.
import { ChatClientBase } from '../../../../client/chat/caller.ts';
import { type ApiError, isRetryable } from '../../../../client/core/errors.ts';
import * as routes from '../../../../client/operations/chat.ts';
import type { PlatformError } from '../../../../protocol/error.ts';
import type { WebchatUser, WebchatUserFields } from '../../../../protocol/user.ts';
import type { SessionInternals } from '../context.ts';
import { retryWithBackoff } from '../retry.ts';
import { endPushes } from './end-pushes.ts';
import { blank, isLoggedOut, type Login, recordAfterLogin } from './login-record.ts';
import { mergeInto, wantsMerge } from './merge.ts';
import { isOfSameUser } from './same-user.ts';
import { createStagedFields, refusals } from './staged-fields.ts';
import { createTypedMessages } from './typed-messages.ts';
import { toWebchatUser } from './user-fields.ts';
import { createUserKeyCallback, type UserKeyCallback } from './user-key-callback.ts';

export { renderMessage } from '../../hooks/main.tsx';
export { installHooks } from '../install-hooks.ts';

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
  const { storage, signal, chatUrl } = widget;
  const client = internals.client.with({ getUser: routes.getUser, updateUser: routes.updateUser });
  /** Incremented with each user, so that a response for a previous user is discarded. */
  let generation = 0;
  /** The pending identification. */
  let switching: Promise<unknown> | undefined;
  /** The user of `init`, until it was applied. */
  let initial: WebchatUserFields | undefined = widget.user;
  const typed = createTypedMessages(internals);

  /** The operations of the user of another key. */
  const clientOf = (userKey: string) =>
    new ChatClientBase({ chatUrl, userKey, locale: internals.client.locale }).with({
      getUser: routes.getUser,
      getOrCreateUser: routes.getOrCreateUser,
      listConversations: routes.listConversations,
      mergeUser: routes.mergeUser,
    });

  let onPrepared = () => {};
  /** Resolves when the user is about to be created or resumed. */
  const prepared = new Promise<void>((resolve, reject) => {
    onPrepared = resolve;
    signal.addEventListener('abort', () => reject(signal.reason));
  });
  prepared.catch(() => {});

  const staged = createStagedFields(internals, {
    getGeneration: () => generation,
    namedKey() {
      const { isNamed, userKey } = storage.read();
      return initial?.userKey ?? (isNamed ? userKey : undefined);
    },
  });
  const sendStagedFields = async () => {
    if (!staged.isEmpty()) await staged.send((fields) => client.updateUser(fields, { signal }));
  };

  /**
   * Switches to the user of this key, with the stored fields. If the server refuses, nothing changes.
   * @param isFirst the page identified the user in `init`: messages typed since then belong to that user.
   */
  const switchUser = async (userKey: string, isFirst?: boolean) => {
    const ownGeneration = ++generation;
    const { userId: previousId, userKey: previousKey } = storage.read();
    const other = clientOf(userKey);
    const { user } = await staged.send((fields) => other.getOrCreateUser(fields, { signal }));
    signal.throwIfAborted();
    if (ownGeneration !== generation) throw superseded();
    const isMerged = await mergeInto(internals, other, previousId);
    signal.throwIfAborted();
    const login: Login = {
      userId: user.id,
      userKey,
      previousId,
      isMerged,
      isTyped: (message) =>
        message.userKey ? isOfSameUser(message.userKey, userKey) : !!isFirst && typed.includes(message),
    };
    let known: string | undefined;
    if (!recordAfterLogin(storage.read(), login).conversationId) {
      // The one that the user had on another device.
      known = (await other.listConversations({}, { signal })).conversations?.[0]?.id;
      signal.throwIfAborted();
    }
    // Read again: another identification or a logout may have happened meanwhile, in this tab or in another one.
    const present = storage.read();
    if (ownGeneration !== generation || isLoggedOut(present, login)) throw superseded();
    const { conversationId = known, ...record } = recordAfterLogin(present, login);
    storage.write({ ...record, conversationId });
    if (previousId !== user.id && !isMerged) await endPushes(internals, previousKey);
  };

  /** Whether the server accepts this key and its user does not exist yet. A plain Chat API server does not report it. */
  const isUnused = (userKey: string) =>
    clientOf(userKey)
      .getUser({}, { signal })
      .then(
        () => false,
        ({ metadata }: Partial<ApiError>) => metadata?.userExists === false,
      );

  /**
   * Identifies the user by a key. Returns false if the key is valid and its user is created only when the visitor opens
   * the chat. One promise for the check and the switch, because `prepare` waits for both.
   */
  const identifyBy = async (userKey: string): Promise<boolean> => {
    const ownGeneration = ++generation;
    const isLater = !internals.isRequested() && !wantsMerge(internals) && (await isUnused(userKey));
    if (ownGeneration !== generation) {
      if (isLater) return false;
      throw superseded();
    }
    if (isLater) {
      initial = { userKey };
      // Whoever was here is another user, because this one does not exist yet.
      await endPushes(internals, storage.read().userKey);
    } else await switchUser(userKey);
    return !isLater;
  };

  const callback = createUserKeyCallback(internals, {
    clientOf,
    switchUser,
    endNamedUser() {
      typed.excludeEarlier();
      staged.clear();
    },
    stashNamedUser: typed.stashNamedUser,
    replaceUser: (userKey) => staged.addFor(userKey, {}, () => switchUser(userKey)),
    getGeneration: () => generation,
  });

  const updateUser = async (fields: WebchatUserFields) => {
    const { userKey } = fields;
    if (!userKey || userKey === storage.read().userKey) {
      staged.add(fields);
      if (userKey) widget.pageKey = userKey;
    } else {
      const before = initial;
      typed.excludeEarlier();
      const identifying = staged.addFor(userKey, fields, () => {
        widget.pageKey = userKey;
        initial = undefined;
        return identifyBy(userKey);
      });
      switching = identifying;
      // Nothing has changed then.
      identifying.catch(() => {
        if (switching === identifying) initial ??= before;
      });
      if (!(await identifying)) return;
      syncFromStorage();
    }
    // Before the visitor opens the chat, fields create nobody.
    if (!storage.read().userKey) await prepared;
    if (internals.isRequested() || storage.read().conversationId) await start();
    else await identity.ensure();
    await sendStagedFields();
  };

  const left = () => {
    generation++;
    staged.clear();
    initial = switching = undefined;
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
      await switching?.catch(() => {});
      const isAsking = callback.isNeeded(initial?.userKey);
      if (!initial && !isAsking) return;
      const { userKey } = initial ?? {};
      try {
        staged.add(initial ?? {});
        initial = userKey ? { userKey } : {};
      } catch (error) {
        // An invalid user in `init` must not prevent the chat, and must not resume the session of an identified user.
        initial = undefined;
        typed.stashNamedUser();
        syncFromStorage();
        widget.emit('error', error as PlatformError);
        return;
      }
      if (isAsking) await callback.identify();
      else if (userKey && userKey !== storage.read().userKey) await switchUser(userKey, true);
      typed.removeOthers();
      if (identity.syncFromStorage()) {
        await sendStagedFields().catch((error) => {
          // Invalid fields do not prevent the chat.
          if (isRetryable(error) || refusals.includes(error.code)) throw error;
        });
      }
      initial = undefined;
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
      return initial?.userKey;
    },
    sendAgain: callback.sendAgain,
  };
}

/** The reason why an identification has ended without an effect. */
const superseded = () => new DOMException('Another user has come.', 'AbortError');
