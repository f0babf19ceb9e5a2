// Tokens: shown once, kept as a hash. Members handle their own; those of others and of bots need the permission.

import type * as v from 'valibot';
import { limits } from '../../../protocol/limits.ts';
import { type newToken, tokens } from '../../../protocol/operations/admin/tokens.ts';
import { isPermitted, type Permission, permissionsOf } from '../../../protocol/permissions.ts';
import { cutPage, decodeCursor, isText } from '../../api/cursor.ts';
import { ApiError } from '../../api/errors.ts';
import type { Principal } from '../../auth/principal.ts';
import { issueToken } from '../../auth/tokens.ts';
import { findMember } from '../../storage/admin/workspaces.ts';
import { countTokens, deleteToken, findToken, listTokens, type TokenRow } from '../../storage/auth/tokens.ts';
import type { Tx } from '../../storage/database.ts';
import { redactResponses } from '../../storage/idempotency.ts';
import { endOf, existingBot, existingMember, missing } from '../find.ts';
import { assertRank } from '../ranks.ts';
import { serializeToken } from '../serializers.ts';
import { handle } from './services.ts';

/** What each kind of token is of; nothing else may be given. */
const belongings = {
  personal: ['memberId'],
  bot: ['botId'],
  integration: ['botId', 'integration'],
} as const;
type NewToken = v.InferOutput<typeof newToken>;

export const tokenHandlers = [
  handle(tokens.listTokens, async ({ tx, caller, input: { nextToken, pageSize = limits.pageSize } }) => {
    const before = decodeCursor('tokens', nextToken, isText);
    // A bot has no tokens of its own, and nobody has those of the member ''.
    const memberId = isPermitted(caller.kind, 'tokens.read') ? undefined : (caller.memberId ?? '');
    const found = await listTokens(tx, caller.workspaceId, { memberId, before, limit: pageSize + 1 });
    const { rows, meta } = cutPage('tokens', found, pageSize, (row) => row.id);
    return { body: { tokens: rows.map(serializeToken), meta } };
  }),

  handle(tokens.createToken, async ({ tx, caller, input, services }) => {
    const now = services.now();
    const owner = await ownerOf(tx, caller, input);
    const expiresAt = input.expiresAt === undefined ? null : Date.parse(input.expiresAt);
    if (expiresAt !== null && expiresAt <= now) wrong('expiresAt', 'Expected a time that is to come.');
    await assertNotLonger(tx, caller, expiresAt);
    if ((await countTokens(tx, owner)) >= limits.tokens) {
      throw new ApiError('QuotaExceeded', `There are ${limits.tokens} tokens already; delete some.`);
    }
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
    const row = (await findToken(tx, workspaceId, tokenId)) ?? missing('token');
    const permissions = [...permissionsOf(kind, services.workspaceCreators)];
    const opens = { workspaceId, principal: kind, permissions };
    return { body: { token: { ...serializeToken(row), ...opens } } };
  }),

  handle(tokens.deleteToken, async ({ tx, caller, params: { id } }) => {
    const { workspaceId, homeWorkspaceId, tokenId, memberId, kind } = caller;
    const row =
      (id === 'current'
        ? await findToken(tx, homeWorkspaceId, tokenId)
        : await findToken(tx, workspaceId, id)) ?? missing('token');
    const isOwn = row.id === tokenId || (memberId !== undefined && row.memberId === memberId);
    if (!isOwn) {
      // To who may not see it, it is nowhere.
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

/** Whose a new token is to be, when the caller may make it. */
async function ownerOf(
  tx: Tx,
  caller: Principal,
  body: NewToken,
): Promise<Pick<TokenRow, 'memberId' | 'botId' | 'integration'>> {
  const fits: readonly string[] = belongings[body.kind];
  for (const field of ['memberId', 'botId', 'integration'] as const) {
    if (body[field] !== undefined && !fits.includes(field))
      wrong(field, `A token of the kind ${body.kind} has none.`);
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
  if (body.botId === undefined) return wrong('botId', 'Expected the bot that the token is to open.');
  if (body.kind === 'integration' && body.integration === undefined) {
    return wrong('integration', 'Expected the name of the integration.');
  }
  const bot = await existingBot(tx, caller, body.botId);
  return { memberId: null, botId: bot.id, integration: body.integration ?? null };
}

/** A token that ends makes none that outlives it: who stole it for an hour has it for an hour. */
async function assertNotLonger(tx: Tx, caller: Principal, expiresAt: number | null): Promise<void> {
  const end = await endOf(tx, caller);
  if (end === null || (expiresAt !== null && expiresAt <= end)) return;
  throw new ApiError(
    'Forbidden',
    `The token of this request ends at ${new Date(end).toISOString()}; expiresAt has to be given, and not after that.`,
  );
}

function assertPermitted({ kind }: Principal, permission: Permission): void {
  if (isPermitted(kind, permission)) return;
  throw new ApiError('Forbidden', `The permission ${permission} is required, and ${kind} does not have it.`);
}

function wrong(path: string, message: string): never {
  throw new ApiError('InvalidPayload', `${path}: ${message}`, { issues: [{ path, message }] });
}
