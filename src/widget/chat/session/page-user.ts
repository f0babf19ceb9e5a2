// What the page says of the visitor: their fields, who they are by a key that the site's server has signed, and that they
// have left. Nobody reads or goes on with what belongs to somebody else.
import { ChatClientBase } from '../../../client/chat/caller.ts';
import { ApiError, isRetryable } from '../../../client/core/errors.ts';
import * as routes from '../../../client/operations/chat.ts';
import { type PlatformError, platformError } from '../../../protocol/error.ts';
import type { UnsentMessage } from '../../../protocol/message.ts';
import {
  type User,
  type UserFields,
  userLimits,
  type WebchatUser,
  type WebchatUserFields,
} from '../../../protocol/user.ts';
import type { StoredSession } from '../../launcher-chat-interface.ts';
import type { SessionInternals } from './context.ts';
import { retryWithBackoff } from './retry.ts';

export interface PageUser {
  /** Hears what `init` said of the user. Before that nobody is made or resumed. */
  prepare(): Promise<void>;
  getUser(): Promise<WebchatUser>;
  updateUser(fields: WebchatUserFields): Promise<void>;
  identify(userKey: string): Promise<void>;
  /** Forgets the visitor in this browser; its tabs follow. */
  logout(): Promise<void>;
}

/** What is said of the visitor or the conversation, and not of the fields. */
const refusals = [401, 403, 404];

export function createPageUser(internals: SessionInternals): PageUser {
  const { widget, store, identity, start, syncFromStorage } = internals;
  const { storage, signal, chatUrl } = widget;
  const client = internals.client.with({ getUser: routes.getUser, updateUser: routes.updateUser });
  /** Counts who has come and gone: what was asked for one of them is not for the next. */
  let turn = 0;
  /** The user of a key that is on its way. */
  let switching: Promise<void> | undefined;
  /** What `init` said, until it has been heard. */
  let initial: WebchatUserFields | undefined = widget.user;

  /** Keeps fields for the creation of the user, or for `flush`. Throws invalid_argument. */
  const stageFields = (fields: WebchatUserFields) => {
    identity.fields = { ...identity.fields, ...toUserFields(fields) };
  };
  /** Sends what is kept. What the server refuses of it is dropped: it would be refused for ever. */
  const withStagedFields = async <T>(send: (fields: UserFields) => Promise<T>): Promise<T> => {
    const { fields } = identity;
    const mine = turn;
    identity.fields = {};
    try {
      return await send(fields);
    } catch (error) {
      const isWrong = error instanceof ApiError && !refusals.includes(error.code) && !isRetryable(error);
      if (!isWrong && mine === turn) identity.fields = { ...fields, ...identity.fields };
      throw error;
    }
  };
  const sendStagedFields = async () => {
    if (!isEmpty(identity.fields)) {
      await withStagedFields((fields) => client.updateUser(fields, { signal }));
    }
  };

  /**
   * Becomes the user of this key, with the fields remembered. When the server refuses, nothing changes.
   * @param isFirst the page named them from the start: what was typed since the page is there is theirs.
   */
  const switchUser = async (userKey: string, isFirst?: boolean) => {
    const mine = ++turn;
    const { userId } = storage.read();
    const other = new ChatClientBase({ chatUrl, userKey }).with({
      getOrCreateUser: routes.getOrCreateUser,
      listConversations: routes.listConversations,
    });
    const { user } = await withStagedFields((fields) => other.getOrCreateUser(fields, { signal }));
    signal.throwIfAborted();
    const { named, ...before } = storage.read();
    // The same user with a new key goes on; to another one nothing of the visit before belongs.
    const isSame = before.userId === user.id;
    const readUnsent: StoredSession = isSame ? before : named?.userId === user.id ? named : {};
    // What they said on another device.
    const conversationId =
      readUnsent.conversationId ?? (await other.listConversations({}, { signal })).conversations?.[0]?.id;
    signal.throwIfAborted();
    // Somebody else has come in the meantime, or nobody is here any more: in this tab, or in another.
    if (mine !== turn || (userId && !storage.read().userId)) {
      throw new DOMException('Another user has come.', 'AbortError');
    }
    const isShown = (one?: UnsentMessage) => store.state.rows.some(({ key }) => key === one?.id);
    const typed = isFirst && !isSame ? [before.unsent ?? []].flat().filter(isShown) : [];
    const unsent = [...[readUnsent.unsent ?? []].flat(), ...typed];
    storage.write({
      ...(!isSame && blank(before)),
      ...readUnsent,
      named: !isSame && before.isNamed ? before : named?.userId === user.id ? undefined : named,
      userKey,
      userId: user.id,
      isNamed: true,
      conversationId,
      unsent: unsent[0] && unsent,
    });
  };

  const updateUser = async (fields: WebchatUserFields) => {
    stageFields(fields);
    const { userKey } = fields;
    if (userKey && userKey !== storage.read().userKey) {
      initial = undefined;
      switching = switchUser(userKey);
      await switching;
      syncFromStorage();
    }
    if (internals.isRequested() || storage.read().conversationId) await start();
    else await identity.ensure();
    await sendStagedFields();
  };

  return {
    async prepare() {
      await switching?.catch(() => {});
      if (!initial) return;
      const { userKey } = initial;
      try {
        stageFields(initial);
        initial = userKey ? { userKey } : {};
      } catch (error) {
        // A wrong user in `init` must not cost the visitor the chat; nor does it let them read on as a named one.
        initial = undefined;
        identity.stashNamedUser();
        syncFromStorage();
        widget.emit('error', error as PlatformError);
        return;
      }
      if (userKey && userKey !== storage.read().userKey) await switchUser(userKey, true);
      if (identity.syncFromStorage()) {
        await sendStagedFields().catch((error) => {
          // What is wrong with a name keeps nobody from talking.
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
      turn++;
      initial = undefined;
      storage.write(blank(storage.read()));
      syncFromStorage(true);
    },
  };
}
const isEmpty = (fields: object) => Object.keys(fields).length === 0;

/** Takes every field of a record away. */
const blank = (stored: StoredSession) =>
  Object.fromEntries(Object.keys(stored).map((field) => [field, undefined]));

/** The page's fields as the Chat API has them: `data` is kept as JSON in `profile`. Throws invalid_argument. */
function toUserFields({ name = '', pictureUrl = '', userKey = '', data }: WebchatUserFields): UserFields {
  const profile = data === undefined ? '' : JSON.stringify(data);
  const areTexts = [name, pictureUrl, userKey].every((value) => typeof value === 'string');
  // The key becomes a header: a character outside ASCII would fail every request as if the network were down.
  if (
    !areTexts ||
    /[^!-~]/.test(userKey) ||
    !/^({.*})?$/s.test(profile) ||
    name.length > userLimits.userName ||
    pictureUrl.length > userLimits.userPictureUrl ||
    profile.length > userLimits.userProfile
  ) {
    throw platformError(
      'invalid_argument',
      `A user has name (${userLimits.userName} characters), pictureUrl, userKey (ASCII), and data (an object, ${userLimits.userProfile} characters as JSON).`,
    );
  }
  return { ...(name && { name }), ...(pictureUrl && { pictureUrl }), ...(profile && { profile }) };
}

function toWebchatUser({ profile, ...user }: User, userKey: string | undefined): WebchatUser {
  let data: unknown;
  try {
    data = JSON.parse(profile ?? '');
  } catch {
    // Another application's profile: not ours to read.
  }
  const isObject = typeof data === 'object' && data !== null;
  return { ...user, ...(isObject && { data: data as Record<string, unknown> }), ...(userKey && { userKey }) };
}
