// SQL of tokens: whom they let in, where. It sees hashes, never a token.
import type { Tx, WriteTx } from './database.ts';

export type TokenKind = 'personal' | 'bot' | 'integration';

export interface TokenRow {
  id: string;
  workspaceId: string;
  kind: TokenKind;
  /** Whose it is, of a personal one. */
  memberId: string | null;
  /** The one bot that it opens, of a bot's and an integration's. */
  botId: string | null;
  /** The name of the integration, of an integration's. */
  integration: string | null;
  name: string;
  /** 1: the one that the start made, or that ADMIN_TOKEN set. */
  isFirst: 0 | 1;
  /** SHA-256, hex. */
  hash: string;
  createdAt: number;
  /** Milliseconds since 1970; null: never. */
  expiresAt: number | null;
}

const columns = `id, workspace_id AS "workspaceId", kind, member_id AS "memberId", bot_id AS "botId", integration,
  name, is_first AS "isFirst", hash, created_at AS "createdAt", expires_at AS "expiresAt"`;

export async function tokenOfHash(tx: Tx, hash: string): Promise<TokenRow | undefined> {
  return tx.get(`SELECT ${columns} FROM tokens WHERE hash = ?`, hash);
}

/** The token of a workspace that its start made or set. */
export async function firstToken(tx: Tx, workspaceId: string): Promise<TokenRow | undefined> {
  return tx.get(`SELECT ${columns} FROM tokens WHERE workspace_id = ? AND is_first = 1`, workspaceId);
}

export async function insertToken(tx: WriteTx, row: TokenRow): Promise<void> {
  await tx.run(
    `INSERT INTO tokens (id, workspace_id, kind, member_id, bot_id, integration, name, is_first, hash, created_at,
       expires_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    row.id,
    row.workspaceId,
    row.kind,
    row.memberId,
    row.botId,
    row.integration,
    row.name,
    row.isFirst,
    row.hash,
    row.createdAt,
    row.expiresAt,
  );
}

export async function deleteToken(tx: WriteTx, id: string): Promise<void> {
  await tx.run('DELETE FROM tokens WHERE id = ?', id);
}
