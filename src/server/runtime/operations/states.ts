// Operations of a bot on states of its conversations, its users and itself.
import { states } from '../../../protocol/operations/runtime/users.ts';
import type { StateType } from '../../../protocol/types/runtime.ts';
import type { BotPrincipal } from '../../api/caller.ts';
import { ApiError } from '../../api/errors.ts';
import { mergeState, readState, type StateOwner, storeState } from '../../bots/index.ts';
import type { Tx } from '../../storage/database.ts';
import { deleteState, putState } from '../../storage/runtime/states.ts';
import { serializeState } from '../serializers.ts';
import { ownConversation, ownUser } from './find.ts';
import { handle } from './services.ts';

const meta = { cached: false };

export const stateHandlers = [
  handle(states.getState, async ({ tx, caller, params, services: { now } }) => {
    const { type, owner } = await ownerOf(tx, caller, params);
    const row = await readState(tx, owner, params.name, now());
    if (!row) throw missing();
    return { body: { state: serializeState(type, row), meta } };
  }),

  handle(states.setState, async ({ tx, caller, params, input, services: { now } }) => {
    const { type, owner } = await ownerOf(tx, caller, params);
    const at = now();
    const row = await storeState(tx, owner, params.name, input.payload ?? {}, input.expiry ?? null, at);
    // Removed after it was replaced, so that the response has the fields of a state.
    if (input.payload === null) await deleteState(tx, owner.id, params.name);
    return { body: { state: serializeState(type, row) }, resource: row.id };
  }),

  handle(states.getOrSetState, async ({ tx, caller, params, input, services: { now } }) => {
    const { type, owner } = await ownerOf(tx, caller, params);
    await tx.lock(`owner:${owner.id}`);
    const at = now();
    const row =
      (await readState(tx, owner, params.name, at)) ??
      (await storeState(tx, owner, params.name, input.payload, input.expiry ?? null, at));
    return { body: { state: serializeState(type, row), meta }, resource: row.id };
  }),

  handle(states.patchState, async ({ tx, caller, params, input, services: { now } }) => {
    const { type, owner } = await ownerOf(tx, caller, params);
    const row = await mergeState(tx, owner, params.name, input.payload, input.expiry, now());
    return { body: { state: serializeState(type, row) } };
  }),

  handle(states.setStateExpiry, async ({ tx, caller, params, input: { expiry }, services: { now } }) => {
    const { type, owner } = await ownerOf(tx, caller, params);
    await tx.lock(`owner:${owner.id}`);
    const at = now();
    const row = await readState(tx, owner, params.name, at);
    if (!row) throw missing();
    const changed = { ...row, expiry, expiresAt: expiry === null ? null : at + expiry };
    await putState(tx, changed);
    return { body: { state: serializeState(type, changed) }, resource: row.id };
  }),
];

const missing = () => new ApiError('ResourceNotFound', 'The state does not exist, or has expired.');

/** Types of existing clients whose owners this server does not have, and what to use instead. */
const unsupported: Record<string, string> = {
  integration: 'This server has no integrations. Use a state of the type bot.',
  workflow: 'This server has no workflows. Use a state of the type conversation.',
};

/** Returns the resource to which a state belongs. Throws the same error as for the resource itself. */
async function ownerOf(
  tx: Tx,
  caller: BotPrincipal,
  { type, id }: { type: string; id: string },
): Promise<{ type: StateType; owner: StateOwner }> {
  const botId = caller.botId;
  if (type === 'conversation') {
    return { type, owner: { id: (await ownConversation(tx, caller, id)).id, botId } };
  }
  if (type === 'user') return { type, owner: { id: (await ownUser(tx, caller, id)).id, botId } };
  if (type === 'bot') {
    if (id !== botId) throw new ApiError('ResourceNotFound', 'The bot does not exist.');
    return { type, owner: { id, botId } };
  }
  const alternative = Object.hasOwn(unsupported, type) ? unsupported[type] : undefined;
  if (alternative) throw new ApiError('NotImplemented', alternative);
  throw new ApiError('ResourceNotFound', 'The type of a state is conversation, user or bot.');
}
