// The fields that the page has set for the visitor and that the server does not have yet.
import { ApiError, isRetryable } from '../../../client/core/errors.ts';
import type { UserFields, WebchatUserFields } from '../../../protocol/user.ts';
import type { SessionInternals } from '../../chat/session/context.ts';
import { isOfSameUser, toUserFields } from './user-fields.ts';
import type { UserState } from './user-state.ts';

/** Error codes that concern the user or the conversation, and not the fields. */
export const refusals = [401, 403, 404];

export interface StagedFields {
  isEmpty(): boolean;
  /** Adds fields for the present user, or for the one that is created. Throws invalid_argument. */
  add(fields: WebchatUserFields): void;
  /**
   * Adds fields and switches to the user of a key. What could not be sent for another named user is not of this one. If the switch
   * fails, the fields of the user who was there come back, and those of the other one are of nobody. Rejects as `run` does.
   */
  addFor<T>(userKey: string, added: UserFields, run: () => Promise<T>): Promise<T>;
  /** The user of the switch has come, whatever `run` still does: the fields of the one who was there do not come back. */
  settle(): void;
  /** Sends the fields. Those that the server refuses are dropped, because it would refuse them every time. */
  send<T>(request: (fields: UserFields) => Promise<T>): Promise<T>;
  /** The visitor is another one. */
  clear(): void;
}

export function createStagedFields(
  { identity, widget: { storage } }: Pick<SessionInternals, 'identity' | 'widget'>,
  state: Pick<UserState, 'generation' | 'initial'>,
): StagedFields {
  /** The switch that is under way, and the fields that come back if it fails; undefined if the user stays the same. */
  let pending: { userKey: string; earlier: UserFields | undefined } | undefined;
  /** Returns the key of the user whom the page has named. */
  const namedKey = () => {
    const { isNamed, userKey } = storage.read();
    return pending?.userKey ?? state.initial?.userKey ?? (isNamed ? userKey : undefined);
  };
  return {
    isEmpty: () => Object.keys(identity.fields).length === 0,
    add(fields) {
      identity.fields = { ...identity.fields, ...toUserFields(fields) };
    },
    async addFor(userKey, added, run) {
      const { fields: earlier } = identity;
      const named = namedKey();
      const isSame = named !== undefined && isOfSameUser(named, userKey);
      identity.fields = { ...((isSame || !named) && earlier), ...added };
      const own = { userKey, earlier: pending?.earlier ?? (isSame ? undefined : earlier) };
      pending = own;
      try {
        return await run();
      } catch (error) {
        if (pending === own && own.earlier) identity.fields = own.earlier;
        throw error;
      } finally {
        if (pending === own) pending = undefined;
      }
    },
    settle() {
      pending = undefined;
    },
    async send(request) {
      const { fields, userId } = identity;
      const { generation } = state;
      identity.fields = {};
      try {
        return await request(fields);
      } catch (error) {
        const isWrong = error instanceof ApiError && !refusals.includes(error.code) && !isRetryable(error);
        // Another tab may have changed the user, too.
        const isOfPresent = generation === state.generation && userId === identity.userId;
        if (!isWrong && isOfPresent) identity.fields = { ...fields, ...identity.fields };
        throw error;
      }
    },
    clear() {
      pending = undefined;
      identity.fields = {};
    },
  };
}
