// The functions of the bot object that read and write states.
import type { Bot, StateScope } from '../../protocol/bot.ts';
import type { Database, WriteTx } from '../storage/database.ts';
import { deleteState } from '../storage/runtime/states.ts';
import type { EventContext } from './event-context.ts';
import { mergeState, readState, type StateOwner, storeState } from './states.ts';

interface StateApiOptions {
  db: Database;
  context: EventContext;
  now(): number;
  /** Throws once the event is over. */
  assertOpen(): void;
  /** Runs a write of the handler, which is not counted as a reply; `check` runs at once. */
  write<C extends { owner: StateOwner }, T>(
    check: () => C,
    work: (tx: WriteTx, checked: C) => Promise<T>,
  ): Promise<T>;
  /** Returns an object that can be stored. Throws a TypeError for any other value. */
  parseObject(value: unknown): Record<string, unknown>;
  /** Creates the error of a wrong call. */
  callError(message: string): Error;
}

/** Repeated after a second delivery, a write stores the same state again. */
export function createStateApi(options: StateApiOptions): Pick<Bot, 'getState' | 'setState' | 'patchState'> {
  const { db, context, now, assertOpen, write, parseObject, callError } = options;
  const { bot, conversation, user } = context;
  const ids: Record<StateScope, string> = { conversation: conversation.id, user: user.id, bot: bot.id };

  function ownerOf(scope: StateScope, name: string): StateOwner {
    const id = Object.hasOwn(ids, scope) ? ids[scope] : undefined;
    if (id === undefined) throw callError(`The scope must be one of ${Object.keys(ids).join(', ')}.`);
    if (typeof name !== 'string' || name === '') throw callError('The name must be a text.');
    return { id, botId: bot.id };
  }

  return {
    async getState(scope, name) {
      assertOpen();
      const owner = ownerOf(scope, name);
      const row = await db.read((tx) => readState(tx, owner, name, now()));
      return row && (JSON.parse(row.payload) as Record<string, unknown>);
    },
    setState(scope, name, payload, { expiry = null } = {}) {
      const check = () => ({
        owner: ownerOf(scope, name),
        stored: payload === null ? null : parseObject(payload),
        expiry: parseExpiry(expiry, callError),
      });
      return write(check, async (tx, { owner, stored, expiry }) => {
        if (stored === null) await deleteState(tx, owner.id, name);
        else await storeState(tx, owner, name, stored, expiry, now());
      });
    },
    patchState(scope, name, fields) {
      const check = () => ({ owner: ownerOf(scope, name), stored: parseObject(fields) });
      return write(check, async (tx, { owner, stored }) => {
        const row = await mergeState(tx, owner, name, stored, undefined, now());
        return JSON.parse(row.payload) as Record<string, unknown>;
      });
    },
  };
}

function parseExpiry(expiry: number | null, callError: (message: string) => Error): number | null {
  if (expiry === null || (Number.isSafeInteger(expiry) && expiry > 0)) return expiry;
  throw callError('The expiry must be a positive number of milliseconds.');
}
