// Admin operations on tokens. A token is returned once and stored as a hash. Members manage their own tokens; tokens of
// other members and of bots require a permission.
import type * as v from 'valibot';
import { limits } from '../../../protocol/limits.ts';
import { type newToken, tokens } from '../../../protocol/operations/admin/tokens.ts';
import { isPermitted, permissionsOf } from '../../../protocol/permissions.ts';
import type { Principal } from '../../api/caller.ts';
import { ApiError, invalidField } from '../../api/errors.ts';
import { cutPage, decodeCursor, isText } from '../../api/pages.ts';
import { issueToken } from '../../auth/tokens.ts';
import {
  countTokens,
  deleteToken,
  findToken,
  listTokens,
  type TokenRow,
} from '../../storage/admin/tokens.ts';
import { findMember } from '../../storage/admin/workspaces.ts';
import type { Tx } from '../../storage/database.ts';
import { redactResponses } from '../../storage/idempotency.ts';
import { existingBot, existingMember, missing, tokenExpiryOf } from '../find.ts';
import { serializeToken } from '../serializers.ts';
import { assertPermitted, assertRank } from './members.ts';
import { handle } from './services.ts';

/** The fields that name the owner of each kind of token; the other owner fields are rejected. */
const ownerFields = {
  personal: ['memberId'],
  bot: ['botId'],
  integration: ['botId', 'integration'],
} as const;
type NewToken = v.InferOutput<typeof newToken>;

export const tokenHandlers = [
  handle(tokens.listTokens, async ({ tx, caller, input: { nextToken, pageSize = limits.pageSize } }) => {
    const before = decodeCursor('tokens', nextToken, isText);
    // A caller without a member, such as a bot, gets an empty list: no token belongs to the member ''.
    const memberId = isPermitted(caller.kind, 'tokens.read') ? undefined : (caller.memberId ?? '');
    const found = await listTokens(tx, caller.workspaceId, { memberId, before, limit: pageSize + 1 });
    const { rows, meta } = cutPage('tokens', found, pageSize, (row) => row.id);
    return { body: { tokens: rows.map(serializeToken), meta } };
  }),

  handle(tokens.createToken, async ({ tx, caller, input, services }) => {
    const now = services.now();
    const owner = await ownerOf(tx, caller, input);
    const expiresAt = input.expiresAt === undefined ? null : Date.parse(input.expiresAt);
    if (expiresAt !== null && expiresAt <= now)
      throw invalidField('expiresAt', 'Expected a time in the future.');
    await assertNotLonger(tx, caller, expiresAt);
    await assertTokensLeft(tx, owner);
    const { row, token } = await issueToken(tx, {
      workspaceId: caller.workspaceId,
      kind: input.kind,
      name: input.name,
      ...owner,
      createdAt: now,
      expiresAt,
    });
    return { body: { token: serializeToken(row) }, resource: row.id, oneTimeFields: { value: token } };
  }),

  handle(tokens.getCurrentToken, async ({ tx, caller: { kind, workspaceId, tokenId }, services }) => {
    const row = (await findToken(tx, workspaceId, tokenId ?? '')) ?? missing('token');
    const permissions = [...permissionsOf(kind, services.settings.WORKSPACES)];
    const opens = { workspaceId, principal: kind, permissions };
    return { body: { token: { ...serializeToken(row), ...opens } } };
  }),

  handle(tokens.deleteToken, async ({ tx, caller, params: { id } }) => {
    const { workspaceId, homeWorkspaceId, tokenId, memberId, kind } = caller;
    const row =
      (id === 'current'
        ? await findToken(tx, homeWorkspaceId, tokenId ?? '')
        : await findToken(tx, workspaceId, id)) ?? missing('token');
    const isOwn = row.id === tokenId || (memberId !== undefined && row.memberId === memberId);
    if (!isOwn) {
      // A caller that cannot list tokens gets the same 404 as for a token that does not exist.
      if (!isPermitted(kind, 'tokens.read')) missing('token');
      assertPermitted(caller, 'tokens.write');
      const member = row.memberId === null ? undefined : await findMember(tx, workspaceId, row.memberId);
      if (member) assertRank(kind, member.role);
    }
    await deleteToken(tx, row.id);
    await redactResponses(tx, row.id);
    return { body: {} };
  }),
];

/** Throws QuotaExceeded when the member or the bot has the maximum number of tokens. */
export async function assertTokensLeft(tx: Tx, owner: Pick<TokenRow, 'memberId' | 'botId'>): Promise<void> {
  if ((await countTokens(tx, owner)) < limits.tokens) return;
  throw new ApiError(
    'QuotaExceeded',
    `The limit of ${limits.tokens} tokens is reached. Delete a token first.`,
  );
}

/** Returns the owner fields of a new token. Throws Forbidden when the caller cannot create it. */
async function ownerOf(
  tx: Tx,
  caller: Principal,
  body: NewToken,
): Promise<Pick<TokenRow, 'memberId' | 'botId' | 'integration'>> {
  const allowed: readonly string[] = ownerFields[body.kind];
  for (const field of ['memberId', 'botId', 'integration'] as const) {
    if (body[field] !== undefined && !allowed.includes(field))
      throw invalidField(field, `A token of kind ${body.kind} must not have this field.`);
  }
  if (body.kind === 'personal') {
    const { memberId = caller.memberId } = body;
    if (memberId === undefined || (memberId !== caller.memberId && memberId !== 'me')) {
      assertPermitted(caller, 'tokens.write');
    }
    const member = await existingMember(tx, caller, memberId);
    assertRank(caller.kind, member.role);
    return { memberId: member.id, botId: null, integration: null };
  }
  assertPermitted(caller, 'tokens.write');
  if (body.botId === undefined)
    throw invalidField('botId', 'Expected the id of the bot that the token belongs to.');
  if (body.kind === 'integration' && body.integration === undefined) {
    throw invalidField('integration', 'Expected the name of the integration.');
  }
  const bot = await existingBot(tx, caller, body.botId);
  return { memberId: null, botId: bot.id, integration: body.integration ?? null };
}

/**
 * Throws Forbidden when the new token would expire after the caller's: a stolen token must not create one with a longer
 * lifetime.
 */
async function assertNotLonger(tx: Tx, caller: Principal, expiresAt: number | null): Promise<void> {
  const end = await tokenExpiryOf(tx, caller);
  if (end === null || (expiresAt !== null && expiresAt <= end)) return;
  throw new ApiError(
    'Forbidden',
    `The token or the session of this request ends at ${new Date(end).toISOString()}. expiresAt is required and cannot be later.`,
  );
}
