// SQL of tokens: the caller that each identifies, and its workspace or bot. Only hashes are stored.
import type { Tx, WriteTx } from '../database.ts';
import {
  defineTable,
  insert,
  integer,
  integerOf,
  orNull,
  type RowOf,
  text,
  textOf,
  withDefault,
} from '../table.ts';

export type TokenKind = 'personal' | 'bot' | 'integration';

const tokens = defineTable('tokens', {
  id: text,
  workspaceId: text,
  kind: textOf<TokenKind>(),
  /** The member that a personal token belongs to. */
  memberId: orNull(text),
  /** The bot that the token of a bot or an integration gives access to. */
  botId: orNull(text),
  /** The name of the integration that the token belongs to. */
  integration: orNull(text),
  name: text,
  /** 1 for the token that the start generated or ADMIN_TOKEN set. */
  isFirst: withDefault(integerOf<0 | 1>()),
  /** SHA-256, hex. */
  hash: text,
  createdAt: integer,
  /** Milliseconds since 1970; null: never. */
  expiresAt: orNull(integer),
});
export type TokenRow = RowOf<typeof tokens>;

const columns = tokens.columns();

export async function tokenOfHash(tx: Tx, hash: string): Promise<TokenRow | undefined> {
  return tx.get(`SELECT ${columns} FROM tokens WHERE hash = ?`, hash);
}

/** The token of a workspace that the start generated or ADMIN_TOKEN set. */
export async function firstToken(tx: Tx, workspaceId: string): Promise<TokenRow | undefined> {
  return tx.get(`SELECT ${columns} FROM tokens WHERE workspace_id = ? AND is_first = 1`, workspaceId);
}

export async function insertToken(tx: WriteTx, row: TokenRow): Promise<void> {
  await insert(tx, tokens, row);
}

export async function deleteToken(tx: WriteTx, id: string): Promise<void> {
  await tx.run('DELETE FROM tokens WHERE id = ?', id);
}

/** A token of this workspace. */
export async function findToken(tx: Tx, workspaceId: string, id: string): Promise<TokenRow | undefined> {
  return tx.get(`SELECT ${columns} FROM tokens WHERE workspace_id = ? AND id = ?`, workspaceId, id);
}

/** Tokens of a workspace, or of one member, before `before`, newest first. */
export async function listTokens(
  tx: Tx,
  workspaceId: string,
  { memberId, before, limit }: { memberId?: string | undefined; before: string | undefined; limit: number },
): Promise<TokenRow[]> {
  return tx.all(
    `SELECT ${columns} FROM tokens WHERE workspace_id = ? ${memberId === undefined ? '' : 'AND member_id = ?'}
       ${before === undefined ? '' : 'AND id < ?'} ORDER BY id DESC LIMIT ?`,
    workspaceId,
    ...(memberId === undefined ? [] : [memberId]),
    ...(before === undefined ? [] : [before]),
    limit,
  );
}

/** The tokens of a bot itself, without those of its integrations, newest first. Their number is limited. */
export async function listBotTokens(tx: Tx, botId: string): Promise<TokenRow[]> {
  const rows = await tx.all<TokenRow>(
    `SELECT ${columns} FROM tokens WHERE bot_id = ? AND kind = 'bot'`,
    botId,
  );
  // Ids sort by the time of creation.
  return rows.sort((one, other) => (one.id < other.id ? 1 : -1));
}

/** The number of tokens of a member, or of a bot with its integrations. */
export async function countTokens(
  tx: Tx,
  { memberId, botId }: Pick<TokenRow, 'memberId' | 'botId'>,
): Promise<number> {
  const found =
    memberId === null
      ? await tx.get<{ n: number }>('SELECT COUNT(*) AS n FROM tokens WHERE bot_id = ?', botId)
      : await tx.get<{ n: number }>('SELECT COUNT(*) AS n FROM tokens WHERE member_id = ?', memberId);
  return Number(found?.n ?? 0);
}

/** The ids of the tokens of a member. */
export async function tokensOfMember(tx: Tx, memberId: string): Promise<string[]> {
  return (await tx.all<{ id: string }>('SELECT id FROM tokens WHERE member_id = ?', memberId)).map(
    ({ id }) => id,
  );
}

/** The ids of the tokens of a bot and its integrations. */
export async function tokensOfBot(tx: Tx, botId: string): Promise<string[]> {
  return (await tx.all<{ id: string }>('SELECT id FROM tokens WHERE bot_id = ?', botId)).map(({ id }) => id);
}

/** The ids of all tokens of a workspace. */
export async function tokensOfWorkspace(tx: Tx, workspaceId: string): Promise<string[]> {
  const rows = await tx.all<{ id: string }>('SELECT id FROM tokens WHERE workspace_id = ?', workspaceId);
  return rows.map(({ id }) => id);
}

/** True when an owner of the workspace has a valid token. */
export async function ownerHasToken(tx: Tx, workspaceId: string, now: number): Promise<boolean> {
  const found = await tx.get(
    `SELECT 1 FROM tokens JOIN members ON members.id = tokens.member_id
     WHERE tokens.workspace_id = ? AND members.role = 'owner'
       AND (tokens.expires_at IS NULL OR tokens.expires_at > ?) LIMIT 1`,
    workspaceId,
    now,
  );
  return found !== undefined;
}
