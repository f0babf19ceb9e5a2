// SQL of the jobs of tables: what was asked, how far it is, and how it ended.
import type { TableJobStatus, TableJobType } from '../../../protocol/table.ts';
import type { Tx, WriteTx } from '../database.ts';

export interface TableJobRow {
  id: string;
  botId: string;
  tableId: string;
  /** The table that is filled, when it is another one. */
  targetId: string | null;
  type: TableJobType;
  status: TableJobStatus;
  /** 0 to 100. */
  progress: number;
  /** JSON: what was asked for. */
  input: string;
  /** JSON: how far it is. */
  done: string;
  inputFileId: string | null;
  outputFileId: string | null;
  /** Why it failed. */
  reason: string | null;
  /** JSON: texts. */
  warnings: string;
  createdAt: number;
  updatedAt: number;
}

const columns = `id, bot_id AS "botId", table_id AS "tableId", target_id AS "targetId", type, status, progress, input,
  done, input_file_id AS "inputFileId", output_file_id AS "outputFileId", reason, warnings,
  created_at AS "createdAt", updated_at AS "updatedAt"`;

export async function findJob(tx: Tx, id: string): Promise<TableJobRow | undefined> {
  return tx.get(`SELECT ${columns} FROM table_jobs WHERE id = ?`, id);
}

/** The newest jobs of a table, also those that fill it. */
export async function jobsOfTable(tx: Tx, tableId: string, limit: number): Promise<TableJobRow[]> {
  return tx.all(
    `SELECT ${columns} FROM table_jobs WHERE table_id = ? OR target_id = ? ORDER BY id DESC LIMIT ?`,
    tableId,
    tableId,
    limit,
  );
}

/** Jobs that are not at their end, the oldest first. */
export async function openJobs(tx: Tx, limit: number): Promise<TableJobRow[]> {
  return tx.all(
    `SELECT ${columns} FROM table_jobs WHERE status IN ('pending', 'in_progress', 'finalizing') ORDER BY id LIMIT ?`,
    limit,
  );
}

export async function insertJob(tx: WriteTx, row: TableJobRow): Promise<void> {
  await tx.run(
    `INSERT INTO table_jobs (id, bot_id, table_id, target_id, type, status, progress, input, done, input_file_id,
       output_file_id, reason, warnings, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    row.id,
    row.botId,
    row.tableId,
    row.targetId,
    row.type,
    row.status,
    row.progress,
    row.input,
    row.done,
    row.inputFileId,
    row.outputFileId,
    row.reason,
    row.warnings,
    row.createdAt,
    row.updatedAt,
  );
}

/** Stores how far a job is. */
export async function updateJob(tx: WriteTx, row: TableJobRow): Promise<void> {
  await tx.run(
    `UPDATE table_jobs SET status = ?, progress = ?, done = ?, output_file_id = ?, reason = ?, warnings = ?,
       updated_at = ? WHERE id = ?`,
    row.status,
    row.progress,
    row.done,
    row.outputFileId,
    row.reason,
    row.warnings,
    row.updatedAt,
    row.id,
  );
}
