// SQL of workspaces and of the tokens that open them. It sees hashes, never a token.
import type { Tx, WriteTx } from './database.ts';

export interface TokenRow {
  id: string;
  workspaceId: string;
  /** SHA-256, hex. */
  hash: string;
  createdAt: number;
}

/** The workspace of this server, which has one. */
export async function firstWorkspace(tx: Tx): Promise<{ id: string } | undefined> {
  return tx.get('SELECT id FROM workspaces ORDER BY id LIMIT 1');
}

export async function insertWorkspace(tx: WriteTx, id: string, now: number): Promise<void> {
  await tx.run('INSERT INTO workspaces (id, created_at) VALUES (?, ?)', id, now);
}

/** The hashes of the tokens that open a workspace. */
export async function tokenHashes(tx: Tx, workspaceId: string): Promise<string[]> {
  const rows = await tx.all<{ hash: string }>('SELECT hash FROM tokens WHERE workspace_id = ?', workspaceId);
  return rows.map(({ hash }) => hash);
}

export async function insertToken(
  tx: WriteTx,
  { id, workspaceId, hash, createdAt }: TokenRow,
): Promise<void> {
  await tx.run(
    'INSERT INTO tokens (id, workspace_id, hash, created_at) VALUES (?, ?, ?, ?)',
    id,
    workspaceId,
    hash,
    createdAt,
  );
}

export async function deleteTokens(tx: WriteTx, workspaceId: string): Promise<void> {
  await tx.run('DELETE FROM tokens WHERE workspace_id = ?', workspaceId);
}
