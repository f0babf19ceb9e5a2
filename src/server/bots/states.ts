// Reads and writes states: objects under names that bots store for a conversation, a user or themselves.
import { limits } from '../../protocol/limits.ts';
import { ApiError } from '../api/errors.ts';
import type { Tx, WriteTx } from '../storage/database.ts';
import { createId } from '../storage/ids.ts';
import { findState, putState, type StateRow, sizeOfOthers } from '../storage/runtime/states.ts';

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
