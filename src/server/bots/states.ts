// Reads and writes states: objects under names that bots store for a conversation, a user or themselves.
import type { Bot, StateScope } from '../../protocol/bot.ts';
import { limits } from '../../protocol/limits.ts';
import { ApiError } from '../api/errors.ts';
import type { Database, Tx, WriteTx } from '../storage/database.ts';
import { createId } from '../storage/ids.ts';
import { deleteState, findState, putState, type StateRow, sizeOfOthers } from '../storage/runtime/states.ts';
import type { EventContext } from './event-context.ts';

/** The conversation, the user or the bot that a state belongs to. The bot owns its own states. */
export interface StateOwner {
  id: string;
  botId: string;
}

/** Returns a state that has not expired. */
export const readState = (
  tx: Tx,
  owner: StateOwner,
  name: string,
  now: number,
): Promise<StateRow | undefined> => findState(tx, owner.id, name, now);

/**
 * Stores a state instead of an earlier one with the same name. `expiry`: milliseconds, null for never. Throws
 * PayloadTooLarge, InvalidPayload for a name that is too long, and QuotaExceeded for too many states.
 */
export async function storeState(
  tx: WriteTx,
  owner: StateOwner,
  name: string,
  payload: Record<string, unknown>,
  expiry: number | null,
  now: number,
): Promise<StateRow> {
  if (name.length > limits.runtimeName) {
    throw new ApiError('InvalidPayload', `name: Expected at most ${limits.runtimeName} characters.`);
  }
  const text = JSON.stringify(payload);
  const bytes = Buffer.byteLength(text);
  if (bytes > limits.stateBytes) {
    throw new ApiError(
      'PayloadTooLarge',
      `payload has ${bytes} bytes; a state has at most ${limits.stateBytes}.`,
    );
  }
  await tx.lock(`owner:${owner.id}`);
  const others = await sizeOfOthers(tx, owner.id, name, now);
  const most = owner.id === owner.botId ? limits.botStates : limits.states;
  if (others.states >= most) throw new ApiError('QuotaExceeded', `At most ${most} states are stored here.`);
  if (owner.id !== owner.botId && others.bytes + bytes > limits.statesBytes) {
    throw new ApiError('QuotaExceeded', `States of at most ${limits.statesBytes} bytes are stored here.`);
  }
  const earlier = await readState(tx, owner, name, now);
  const row: StateRow = {
    id: earlier?.id ?? createId('state'),
    ownerId: owner.id,
    botId: owner.botId,
    name,
    payload: text,
    expiry,
    expiresAt: expiry === null ? null : now + expiry,
    createdAt: earlier?.createdAt ?? now,
    updatedAt: now,
  };
  await putState(tx, row);
  return row;
}

/**
 * Overwrites the given fields of a state, which is created if there is none. An `expiry` of undefined is unchanged, and
 * its time begins again. Throws as `storeState`.
 */
export async function mergeState(
  tx: WriteTx,
  owner: StateOwner,
  name: string,
  fields: Record<string, unknown>,
  expiry: number | null | undefined,
  now: number,
): Promise<StateRow> {
  await tx.lock(`owner:${owner.id}`);
  const earlier = await readState(tx, owner, name, now);
  const payload = { ...(JSON.parse(earlier?.payload ?? '{}') as Record<string, unknown>), ...fields };
  return storeState(tx, owner, name, payload, expiry === undefined ? (earlier?.expiry ?? null) : expiry, now);
}

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

/**
 * The functions of the bot object that read and write states. Repeated after a second delivery, a write stores the same state
 * again.
 */
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
