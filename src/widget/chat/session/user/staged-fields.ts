// The fields that the page has set for the visitor and that the server does not have yet.
import { ApiError, isRetryable } from '../../../../client/core/errors.ts';
import type { UserFields, WebchatUserFields } from '../../../../protocol/user.ts';
import type { SessionInternals } from '../context.ts';
import { isOfSameUser } from './same-user.ts';
import { toUserFields } from './user-fields.ts';

/** Error codes that concern the user or the conversation, and not the fields. */
export const refusals = [401, 403, 404];

export interface StagedFields {
  isEmpty(): boolean;
  /** Adds fields for the present user, or for the one that is created. Throws invalid_argument. */
  add(fields: WebchatUserFields): void;
  /**
   * Adds fields and switches to the user of a key. What could not be sent for another named user is not of this one, and comes back
   * if the switch fails. Rejects with invalid_argument, and as `run` does.
   */
  addFor<T>(userKey: string, fields: WebchatUserFields, run: () => Promise<T>): Promise<T>;
  /** Sends the fields. Those that the server refuses are dropped, because it would refuse them every time. */
  send<T>(request: (fields: UserFields) => Promise<T>): Promise<T>;
  /** The visitor is another one. */
  clear(): void;
}

export interface StagedFieldsOptions {
  /** Returns a number that changes with each switch to a user: what was sent before does not come back. */
  getGeneration(): number;
  /** Returns the key of the user whom the page has named. */
  namedKey(): string | undefined;
}

export function createStagedFields(
  { identity }: Pick<SessionInternals, 'identity'>,
  { getGeneration, namedKey }: StagedFieldsOptions,
): StagedFields {
  /** A new object for each named user who replaces another one. */
  let owner = {};
  return {
    isEmpty: () => Object.keys(identity.fields).length === 0,
    add(fields) {
      identity.fields = { ...identity.fields, ...toUserFields(fields) };
    },
    async addFor(userKey, fields, run) {
      const { fields: earlier } = identity;
      const added = toUserFields(fields);
      const named = namedKey();
      const isSame = named === undefined || isOfSameUser(named, userKey);
      identity.fields = { ...(isSame && earlier), ...added };
      if (isSame) return run();
      const own = {};
      owner = own;
      try {
        return await run();
      } catch (error) {
        if (owner === own) identity.fields = earlier;
        throw error;
      }
    },
    async send(request) {
      const { fields } = identity;
      const own = getGeneration();
      identity.fields = {};
      try {
        return await request(fields);
      } catch (error) {
        const isWrong = error instanceof ApiError && !refusals.includes(error.code) && !isRetryable(error);
        if (!isWrong && own === getGeneration()) identity.fields = { ...fields, ...identity.fields };
        throw error;
      }
    },
    clear() {
      owner = {};
      identity.fields = {};
    },
  };
}
