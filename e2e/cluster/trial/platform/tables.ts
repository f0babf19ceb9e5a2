// Load of a trial: a table with a computed column, to which rows are added by requests and imports, and which is exported.
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '../../../../src/client/index.ts';
import { retry } from '../retry.ts';

/** A row as it is stored: each text is used once. */
export interface StoredRow {
  text: string;
  number: number;
  doubled: number | null;
}

export interface TableRecord {
  /** The texts of rows that were acknowledged, by requests and by imports that have ended. */
  texts: string[];
  /** The jobs that have ended. */
  jobs: { id: string; type: string; status: string; reason: string | undefined }[];
  /** Of each export: the texts in its file, and how many rows there were when it began. */
  exports: { texts: string[]; least: number }[];
  /** All rows at the end. */
  rows: StoredRow[];
}

export interface TableLoad {
  record: TableRecord;
  /** Stops, and resolves when all jobs have ended and no cell is to be computed. */
  finish(): Promise<void>;
}

const table = 'trialTable';
const rowsOfRequest = 10;
const rowsOfImport = 200;
const key = () => ({ idempotencyKey: crypto.randomUUID() });

export async function startTableLoad(client: Client): Promise<TableLoad> {
  const record: TableRecord = { texts: [], jobs: [], exports: [], rows: [] };
  let isOver = false;
  let count = 0;
  const creating = key();
  await retry(() =>
    client.createTable(
      {
        name: table,
        schema: {
          type: 'object',
          properties: {
            text: { type: 'string' },
            number: { type: 'number' },
            doubled: { type: 'number', 'x-zui': { computed: { action: 'code', code: 'number * 2' } } },
          },
        },
      },
      creating,
    ),
  );

  /** Rows with texts that no other row has. */
  const next = (length: number) =>
    Array.from({ length }, () => {
      count += 1;
      return { text: `row ${count}`, number: count };
    });

  async function ended(id: string): Promise<{ status: string; outputFileId: string | null }> {
    for (;;) {
      const { jobs } = await retry(() => client.getTableJobs({ table }));
      const job = jobs.find((one) => one.id === id);
      if (job?.status === 'completed' || job?.status === 'failed') {
        record.jobs.push({ id, type: job.type, status: job.status, reason: job.failedStatusReason });
        return job;
      }
      await pause(200);
    }
  }

  async function add(): Promise<void> {
    const rows = next(rowsOfRequest);
    const adding = key();
    await retry(() => client.createTableRows({ table, rows }, adding));
    record.texts.push(...rows.map(({ text }) => text));
  }

  async function importFile(): Promise<void> {
    const rows = next(rowsOfImport);
    const content = `text,number\n${rows.map(({ text, number }) => `${text},${number}\n`).join('')}`;
    const name = `import-${rows[0]?.number}.csv`;
    const { file } = await retry(() => client.uploadFile({ key: name, content }));
    const starting = key();
    const { job } = await retry(() => client.importTable({ table, fileId: file.id }, starting));
    if ((await ended(job.id)).status === 'completed') record.texts.push(...rows.map(({ text }) => text));
  }

  async function exportFile(): Promise<void> {
    const least = record.texts.length;
    // The request is a GET, which starts a job each time it is repeated.
    const { job } = await retry(() => client.exportTable({ table, format: 'json' }));
    const { status, outputFileId } = await ended(job.id);
    if (status !== 'completed' || outputFileId === null) return;
    const response = await retry(() => client.downloadFile({ id: outputFileId }));
    const rows = (await response.json()) as StoredRow[];
    record.exports.push({ texts: rows.map(({ text }) => text), least });
  }

  const working = (async () => {
    while (!isOver) {
      await add();
      await Promise.all([importFile(), add()]);
      await exportFile();
      await pause(500);
    }
  })();
  working.catch(() => {});

  return {
    record,
    async finish() {
      isOver = true;
      await working;
      for (;;) {
        const { stale } = await retry(() => client.getTable({ table }));
        if (stale === 0) break;
        await pause(200);
      }
      const limit = 1_000;
      for (let offset = 0, hasMore = true; hasMore; offset += limit) {
        const page = await retry(() =>
          client.findTableRows({ table, offset, limit, orderBy: 'id', orderDirection: 'asc' }),
        );
        record.rows.push(...(page.rows as unknown as StoredRow[]));
        hasMore = page.hasMore;
      }
    },
  };
}
