// Who the visitor is on the server: created when needed, resumed when stored, switched by a user key of the page.
import { ChatCaller } from '../../client/caller.ts';
import { isRetryable } from '../../client/errors.ts';
import { type PlatformError, platformError } from '../../protocol/error.ts';
import { userLimits } from '../../protocol/limits.ts';
import type { User, UserFields, WebchatUser, WebchatUserFields } from '../../protocol/user.ts';
import type { Shell } from '../seam.ts';
import { newId } from './ids.ts';

export interface Identity {
  /** The visitor's id on the server; undefined before `ensure`. */
  readonly userId: string | undefined;
  /** Makes sure the user exists on the server and the client speaks for them. */
  ensure(): Promise<void>;
  get(): Promise<WebchatUser>;
  /** Keeps fields for the creation; `flush` sends them when the user exists already. Throws invalid_argument. */
  remember(fields: WebchatUserFields): void;
  flush(): Promise<void>;
  /** Becomes the user of this key, with the fields remembered. When the server refuses, nothing changes. */
  become(userKey: string): Promise<void>;
  /** Forgets an anonymous user, so that `ensure` makes another. False for a user the page named: they stay. */
  forget(): boolean;
}

export function createIdentity(shell: Shell, client: ChatCaller): Identity {
  const { storage, signal, chatUrl } = shell;
  /** What the server has not been told yet. */
  let fields: WebchatUserFields = {};
  /** The key the page gave: who has one never becomes anonymous again. */
  let given: string | undefined;
  let userId: string | undefined;
  let creationId = newId();
  let ensuring: Promise<void> | undefined;

  const remember = ({ userKey: _, ...more }: WebchatUserFields) => {
    fields = { ...fields, ...more };
  };
  try {
    toUserFields(shell.user);
    remember(shell.user);
    given = shell.user.userKey;
  } catch (error) {
    // A wrong user in `init` must not cost the visitor the chat.
    shell.emit('error', error as PlatformError);
  }

  /** Sends what is kept. What the server refuses is dropped: it would be refused for ever. */
  const put = async <T>(send: (fields: UserFields) => Promise<T>): Promise<T> => {
    const sent = fields;
    const drop = () => {
      if (fields === sent) fields = {};
    };
    try {
      const answer = await send(toUserFields(sent));
      drop();
      return answer;
    } catch (error) {
      if (!isRetryable(error) && !signal.aborted) drop();
      throw error;
    }
  };
  const hasFields = () => Object.keys(fields).length > 0;
  const flush = async () => {
    if (hasFields()) await put((sent) => client.updateUser(sent, { signal }));
  };

  const become = async (userKey: string) => {
    const other = new ChatCaller({ chatUrl, userKey });
    const { user } = await put((sent) => other.getOrCreateUser(sent, { signal }));
    signal.throwIfAborted();
    given = userKey;
    client.userKey = userKey;
    userId = user.id;
    // Nothing of the visit before belongs to them.
    storage.write({ userKey, userId, conversationId: undefined, readAt: undefined, draft: undefined });
  };

  const resume = async () => {
    const stored = storage.read();
    if (given && given !== stored.userKey) return become(given);
    if (stored.userKey && stored.userId) {
      client.userKey = stored.userKey;
      userId = stored.userId;
      return flush();
    }
    const options = { signal, idempotencyKey: creationId };
    const created = await put((sent) => client.createUser(sent, options));
    signal.throwIfAborted();
    // Another tab may have been first: then this visitor is the one it made.
    const { userKey = created.key, userId: id = created.user.id } = storage.read();
    client.userKey = userKey;
    userId = id;
    storage.write({ userKey, userId: id });
  };

  return {
    get userId() {
      return userId;
    },
    ensure() {
      ensuring ??= resume().finally(() => {
        ensuring = undefined;
      });
      return ensuring;
    },
    async get() {
      const { user } = await client.getUser({}, { signal });
      return toWebchatUser(user, client.userKey);
    },
    remember(more) {
      toUserFields(more);
      remember(more);
    },
    flush,
    async become(userKey) {
      await ensuring?.catch(() => {});
      await become(userKey);
    },
    forget() {
      if (given) return false;
      userId = undefined;
      client.userKey = undefined;
      creationId = newId();
      storage.write({ userKey: undefined, userId: undefined });
      return true;
    },
  };
}

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
