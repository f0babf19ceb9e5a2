// Who the visitor is on the server: resumed from what the browser keeps, or created. What the page says of them is the
// visit chunk's matter (visit/account.ts).
import type { ChatClientBase } from '../../../client/caller.ts';
import { isRetryable } from '../../../client/errors.ts';
import type { UserFields } from '../../../protocol/user.ts';
import type { Widget } from '../../launcher-chat-interface.ts';
import { proofOfWork } from '../bundles.ts';
import { newId } from './ids.ts';

export interface Identity {
  /** The visitor's id on the server; undefined before `ensure`. */
  readonly userId: string | undefined;
  /** What the server has not been told of the user yet. */
  fields: UserFields;
  /** Makes sure the user exists on the server and the client speaks for them. */
  ensure(): Promise<void>;
  /** Is whom the browser's record names; false for nobody. */
  syncFromStorage(): boolean;
  /** Another one is here: what was under way for the one before is not for them. */
  reset(): void;
  /** Puts away what is kept of a named user: nobody reads on in their place before the page names them again. */
  stashNamedUser(): void;
  /** Forgets an anonymous user, so that `ensure` makes another. False for a user the page named: they stay. */
  forget(): boolean;
}

/** @param prepare has the page's word on the user heard, before anybody is made or resumed. */
export function createIdentity(
  { storage, signal, user }: Widget,
  client: ChatClientBase,
  prepare: () => Promise<void>,
): Identity {
  let userId: string | undefined;
  let creationKey = newId();
  let ensuring: Promise<void> | undefined;

  const syncFromStorage = () => {
    ({ userKey: client.userKey, userId } = storage.read());
    return !!client.userKey && !!userId;
  };

  const resume = async () => {
    await prepare();
    if (syncFromStorage()) return;
    let mine = creationKey;
    const { fields } = identity;
    identity.fields = {};
    const create = () => {
      const options = { signal, idempotencyKey: mine };
      return client.createUser(fields, options).catch(async (error) => {
        if (error.type !== 'ChallengeRequired') throw error;
        const isRequested = () => mine === creationKey;
        return (await proofOfWork.get()).createUser(client, fields, options, error, isRequested);
      });
    };
    const again = (error: { code?: number }) => {
      if (error.code !== 409 || mine !== creationKey) throw error;
      // The first answer was lost, and the server does not repeat a user key for long.
      mine = creationKey = newId();
      return create();
    };
    const { user: created, key } = await create()
      .catch(again)
      .catch((error) => {
        // What the server refuses of them it would refuse for ever.
        if (isRetryable(error) && mine === creationKey) identity.fields = { ...fields, ...identity.fields };
        throw error;
      });
    signal.throwIfAborted();
    if (mine !== creationKey) throw new DOMException('The conversation was left.', 'AbortError');
    creationKey = newId();
    // Another tab may have been first: then this visitor is the one it made.
    if (!syncFromStorage()) storage.write({ userKey: key, userId: created.id });
    syncFromStorage();
  };

  const identity: Identity = {
    get userId() {
      return userId;
    },
    fields: {},
    ensure() {
      ensuring ??= resume().finally(() => {
        ensuring = undefined;
      });
      return ensuring;
    },
    syncFromStorage,
    reset() {
      creationKey = newId();
      ensuring = undefined;
      identity.fields = {};
    },
    stashNamedUser() {
      const { named, ...stored } = storage.read();
      if (!stored.isNamed) return;
      const none = Object.fromEntries(Object.keys(stored).map((field) => [field, undefined]));
      storage.write({ ...none, named: stored });
    },
    forget() {
      const { isNamed, userKey } = storage.read();
      if (isNamed || user.userKey) return false;
      // Another tab may have made another one already.
      if (userKey === client.userKey) storage.write({ userKey: undefined, userId: undefined });
      syncFromStorage();
      return true;
    },
  };
  if (!user.userKey) identity.stashNamedUser();
  return identity;
}
