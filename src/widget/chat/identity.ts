// Who the visitor is on the server: created when needed, resumed when stored, switched by a user key.
import type { ChatCaller } from '../../client/caller.ts';
import { type PlatformError, platformError } from '../../protocol/error.ts';
import { limits } from '../../protocol/limits.ts';
import type { User, UserFields, WebchatUser, WebchatUserFields } from '../../protocol/user.ts';
import type { Shell } from '../seam.ts';

export interface Identity {
  /** The visitor's id on the server; undefined before `ensure`. */
  readonly userId: string | undefined;
  /** Makes sure the user exists on the server and the client speaks for them. Gives their id. */
  ensure(): Promise<string>;
  get(): Promise<WebchatUser>;
  /** Keeps fields for the creation; `flush` sends them when the user exists already. */
  remember(fields: WebchatUserFields): void;
  flush(): Promise<void>;
  /** Forgets who this is: the next `ensure` makes or finds another. */
  forget(): void;
}

export function createIdentity(shell: Shell, client: ChatCaller, newId: () => string): Identity {
  const { storage, signal } = shell;
  let pending: WebchatUserFields = {};
  try {
    toUserFields(shell.user);
    pending = { ...shell.user };
  } catch (error) {
    // A wrong user in `init` must not cost the visitor the chat.
    shell.emit('error', error as PlatformError);
  }
  let userId: string | undefined;
  let creationId = newId();

  const hasPending = () => Object.keys(pending).length > 0;

  /** Sends what is pending; what fails stays pending. */
  const put = async (send: (fields: UserFields) => Promise<{ user: User }>): Promise<User> => {
    const fields = pending;
    const { user } = await send(toUserFields(fields));
    if (pending === fields) pending = {};
    return user;
  };

  return {
    get userId() {
      return userId;
    },
    async ensure() {
      const { userKey: given } = pending;
      const stored = storage.read();
      if (given && given !== stored.userKey) {
        // Somebody else from here on: nothing of the visit before belongs to them.
        client.userKey = given;
        const user = await put((fields) => client.getOrCreateUser(fields, { signal }));
        storage.write({ userKey: given, userId: user.id, conversationId: undefined, readAt: undefined });
        userId = user.id;
      } else if (stored.userKey && stored.userId) {
        client.userKey = stored.userKey;
        if (hasPending()) await put((fields) => client.updateUser(fields, { signal }));
        userId = stored.userId;
      } else {
        const user = await put(async (fields) => {
          const created = await client.createUser(fields, { signal, idempotencyKey: creationId });
          client.userKey = created.key;
          storage.write({ userKey: created.key, userId: created.user.id });
          return created;
        });
        userId = user.id;
      }
      return userId;
    },
    async get() {
      const { user } = await client.getUser({}, { signal });
      return toWebchatUser(user, client.userKey);
    },
    remember(fields) {
      toUserFields(fields);
      pending = { ...pending, ...fields };
    },
    async flush() {
      if (hasPending()) await put((fields) => client.updateUser(fields, { signal }));
    },
    forget() {
      userId = undefined;
      client.userKey = undefined;
      creationId = newId();
      storage.write({ userKey: undefined, userId: undefined, conversationId: undefined, readAt: undefined });
    },
  };
}

/** The page's fields as the Chat API has them: `data` is kept as JSON in `profile`. Throws invalid_argument. */
function toUserFields({ name, pictureUrl, userKey, data }: WebchatUserFields): UserFields {
  if (![name ?? '', pictureUrl ?? '', userKey ?? ''].every((value) => typeof value === 'string')) {
    throw platformError('invalid_argument', "The user's name, pictureUrl and userKey must be strings.");
  }
  // It becomes a header: a character outside ASCII would make every request fail as if the network were down.
  if (userKey && !/^[!-~]+$/.test(userKey)) {
    throw platformError(
      'invalid_argument',
      'A userKey may have only printable ASCII characters, and no spaces.',
    );
  }
  if (data !== undefined && (typeof data !== 'object' || data === null)) {
    throw platformError('invalid_argument', "The user's data must be an object.");
  }
  const profile = data && JSON.stringify(data);
  if (profile && profile.length > limits.userProfile) {
    throw platformError(
      'invalid_argument',
      `The user's data may have ${limits.userProfile} characters as JSON.`,
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
