// The switch to the user of another key: the user, what the visitor had before, and the conversation.
import { ChatClientBase } from '../../../client/chat/caller.ts';
import type { ApiError } from '../../../client/core/errors.ts';
import type { ChatMethods } from '../../../client/operations/chat.ts';
import * as routes from '../../../client/operations/chat.ts';
import type { WebchatUserFields } from '../../../protocol/user.ts';
import type { SessionInternals } from '../../chat/session/context.ts';
import { endPushes } from './end-pushes.ts';
import { isLoggedOut, type Login, recordAfterLogin } from './login-record.ts';
import { mergeInto, wantsMerge } from './merge.ts';
import type { StagedFields } from './staged-fields.ts';
import type { TypedMessages } from './typed-messages.ts';
import { isOfSameUser, toUserFields } from './user-fields.ts';
import type { UserState } from './user-state.ts';

type UserMethods = Pick<ChatMethods, 'getUser' | 'getOrCreateUser' | 'listConversations' | 'mergeUser'>;

export interface UserSwitch {
  /** The operations of the user of another key. */
  clientOf(userKey: string): ChatClientBase & UserMethods;
  /**
   * Switches to the user of this key, with the stored fields. If the server refuses, nothing changes.
   * @param isFirst the page identified the user in `init`: messages typed since then belong to that user.
   */
  switchUser(userKey: string, isFirst?: boolean): Promise<void>;
  /**
   * The page names the user of a key, with these fields. Returns false if the key is valid and its user is created only when the
   * visitor opens the chat. If it rejects, nothing has changed. Throws invalid_argument: then another switch goes on.
   */
  identify(userKey: string, fields: WebchatUserFields): Promise<boolean>;
  /** Switches to the user of a key instead of the named one whose key the server has refused. */
  replaceUser(userKey: string): Promise<void>;
  /** Follows the record to the user of a key, with the fields that the page has set for that user meanwhile. */
  follow(userKey: string): void;
}

export interface UserSwitchOptions {
  state: UserState;
  staged: Pick<StagedFields, 'addFor' | 'settle' | 'send'>;
  typed: Pick<TypedMessages, 'includes' | 'excludeEarlier'>;
}

export function createUserSwitch(
  internals: SessionInternals,
  { state, staged, typed }: UserSwitchOptions,
): UserSwitch {
  const { widget, identity, syncFromStorage } = internals;
  const { storage, signal, chatUrl } = widget;
  const clientOf: UserSwitch['clientOf'] = (userKey) =>
    new ChatClientBase({ chatUrl, userKey, locale: internals.client.locale }).with({
      getUser: routes.getUser,
      getOrCreateUser: routes.getOrCreateUser,
      listConversations: routes.listConversations,
      mergeUser: routes.mergeUser,
    });

  /** Whether the server accepts this key and its user does not exist yet. A plain Chat API server does not report it. */
  const isUnused = (userKey: string) =>
    clientOf(userKey)
      .getUser({}, { signal })
      .then(
        () => false,
        ({ metadata }: Partial<ApiError>) => metadata?.userExists === false,
      );

  const switchUser: UserSwitch['switchUser'] = async (userKey, isFirst) => {
    const ownGeneration = ++state.generation;
    const { userId: previousId, userKey: previousKey } = storage.read();
    const other = clientOf(userKey);
    const { user } = await staged.send((fields) => other.getOrCreateUser(fields, { signal }));
    signal.throwIfAborted();
    if (ownGeneration !== state.generation) throw superseded();
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
    let latestId: string | undefined;
    if (!recordAfterLogin(storage.read(), login).conversationId) {
      // The one that the user had on another device.
      latestId = (await other.listConversations({}, { signal })).conversations?.[0]?.id;
      signal.throwIfAborted();
    }
    // Read again: another identification or a logout may have happened meanwhile, in this tab or in another one.
    const present = storage.read();
    if (ownGeneration !== state.generation || isLoggedOut(present, login)) throw superseded();
    const { conversationId = latestId, ...record } = recordAfterLogin(present, login);
    storage.write({ ...record, conversationId });
    staged.settle();
    if (previousId !== user.id && !isMerged) await endPushes(internals, previousKey);
  };

  /** One promise for the check and the switch, because `prepare` waits for both. */
  const identifyBy = async (userKey: string): Promise<boolean> => {
    const ownGeneration = ++state.generation;
    const isLater = !internals.isRequested() && !wantsMerge(internals) && (await isUnused(userKey));
    if (ownGeneration !== state.generation) {
      if (isLater) return false;
      throw superseded();
    }
    if (isLater) {
      state.initial = { userKey };
      staged.settle();
      // Whoever was here is another user, because this one does not exist yet.
      await endPushes(internals, storage.read().userKey);
    } else await switchUser(userKey);
    return !isLater;
  };

  /** Fields that the page sets wait for a switch. `onFailure` is called if no other one has begun. */
  const occupy = (running: Promise<boolean>, onFailure?: () => void) => {
    state.switching = running;
    const end = (onEnd?: () => void) => {
      if (state.switching !== running) return;
      state.switching = undefined;
      onEnd?.();
    };
    running.then(
      () => end(),
      () => end(onFailure),
    );
  };

  return {
    clientOf,
    switchUser,
    identify(userKey, fields) {
      const added = toUserFields(fields);
      const { initial: before, switching: earlier } = state;
      typed.excludeEarlier();
      const identifying = staged.addFor(userKey, added, () => {
        widget.pageKey = userKey;
        state.initial = undefined;
        return identifyBy(userKey);
      });
      occupy(identifying, () => {
        state.initial ??= before;
        // The user who was named before may still be coming.
        if (earlier !== undefined) occupy(earlier.catch(() => false));
      });
      return identifying;
    },
    replaceUser: (userKey) => staged.addFor(userKey, {}, () => switchUser(userKey)),
    follow(userKey) {
      const fields = isOfSameUser(userKey, storage.read().userKey ?? '') ? identity.fields : {};
      syncFromStorage();
      identity.fields = fields;
    },
  };
}

/** The reason why an identification has ended without an effect. */
const superseded = () => new DOMException('Another user has come.', 'AbortError');
