// Admin operations on tokens under the names of the hosted product: those of the caller, and those of a bot.
import { limits } from '../../../protocol/limits.ts';
import { apiKeys } from '../../../protocol/operations/admin/tokens.ts';
import type { Principal } from '../../api/caller.ts';
import { issueToken } from '../../auth/tokens.ts';
import {
  deleteToken,
  findToken,
  listBotTokens,
  listTokens,
  type TokenRow,
} from '../../storage/admin/tokens.ts';
import type { WriteTx } from '../../storage/database.ts';
import { redactResponses } from '../../storage/idempotency.ts';
import { existingBot, missing, tokenExpiryOf } from '../find.ts';
import { serializeApiKey } from '../serializers.ts';
import { handle } from './services.ts';
import { assertTokensLeft } from './tokens.ts';

export const apiKeyHandlers = [
  handle(apiKeys.listPersonalAccessTokens, async ({ tx, caller }) => {
    const filter = { memberId: memberOf(caller), before: undefined, limit: limits.tokens };
    const pats = (await listTokens(tx, caller.workspaceId, filter)).map(serializeApiKey);
    return { body: { pats, meta: {} } };
  }),

  handle(apiKeys.createPersonalAccessToken, async ({ tx, caller, input: { note }, services }) => {
    const owner = { kind: 'personal', memberId: memberOf(caller), botId: null } as const;
    const { row, token } = await issue(tx, caller, owner, note, services.now());
    return { body: {}, resource: row.id, oneTimeFields: { pat: { ...serializeApiKey(row), value: token } } };
  }),

  handle(apiKeys.deletePersonalAccessToken, async ({ tx, caller, params: { id } }) => {
    const row = await findToken(tx, caller.workspaceId, id);
    if (row?.kind !== 'personal' || row.memberId !== memberOf(caller)) missing('token');
    await revoke(tx, row.id);
    return { body: {} };
  }),

  handle(apiKeys.listBotApiKeys, async ({ tx, caller, input: { botId } }) => {
    const bot = await existingBot(tx, caller, botId);
    return { body: { baks: (await listBotTokens(tx, bot.id)).map(serializeApiKey), meta: {} } };
  }),

  handle(apiKeys.createBotApiKey, async ({ tx, caller, input: { botId, note = 'API key' }, services }) => {
    const bot = await existingBot(tx, caller, botId);
    const owner = { kind: 'bot', memberId: null, botId: bot.id } as const;
    const { row, token } = await issue(tx, caller, owner, note, services.now());
    return { body: serializeApiKey(row), resource: row.id, oneTimeFields: { value: token } };
  }),

  handle(apiKeys.deleteBotApiKey, async ({ tx, caller, params: { id } }) => {
    const row = await findToken(tx, caller.workspaceId, id);
    if (row?.kind !== 'bot') missing('token');
    await revoke(tx, row.id);
    return { body: {} };
  }),
];

/** The id of the member behind a personal token. Throws ResourceNotFound for the token of a bot or an integration. */
const memberOf = ({ memberId }: Principal): string => memberId ?? missing('account');

async function issue(
  tx: WriteTx,
  caller: Principal,
  owner: Pick<TokenRow, 'kind' | 'memberId' | 'botId'>,
  name: string,
  now: number,
): Promise<{ row: TokenRow; token: string }> {
  await assertTokensLeft(tx, owner);
  // A stolen token must not create one with a longer lifetime.
  const expiresAt = await tokenExpiryOf(tx, caller);
  const { workspaceId } = caller;
  return issueToken(tx, { ...owner, workspaceId, integration: null, name, createdAt: now, expiresAt });
}

async function revoke(tx: WriteTx, id: string): Promise<void> {
  await deleteToken(tx, id);
  await redactResponses(tx, id);
}
