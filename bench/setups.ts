// Starts the setups that are compared: SQLite, and one or two processes on PostgreSQL, each with a bot and without limits.
import { readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { createServerProcess } from '../e2e/support/processes/server-process.ts';
import { startPostgres } from '../scripts/services/postgres.mjs';
import { startS3rver } from '../src/server/files/s3/servers.testing.ts';
import { quotaSettings } from '../src/server/limits/settings.ts';
import { postgresSeconds, type ThreadSeconds, threadSeconds } from './processor-time.ts';

export interface SetupsOptions {
  /** The module of the bot. */
  bot: string;
  /** The entry point of the built server. */
  main: string;
  /** Settings of PostgreSQL beyond those of tests. */
  postgres?: Record<string, string>;
  /** Further variables of the servers of a setup. */
  envOf?(name: string): Record<string, string>;
}

export interface Setup {
  name: string;
  /** The addresses of the chat, and the ids of the processes. */
  chatUrls: string[];
  pids: number[];
  /** The name of the database of PostgreSQL; undefined with SQLite. */
  database: string | undefined;
  /** The seconds of processor time that its processes have used, and PostgreSQL. */
  used(): { threads: ThreadSeconds[]; postgres: number };
}

export interface Setups {
  /** A connection to PostgreSQL. */
  admin: pg.Client;
  start(name: string, processes: number, isPostgres: boolean): Promise<Setup>;
  close(): Promise<void>;
}

export async function createSetups({
  bot,
  main,
  postgres: settings = {},
  envOf,
}: SetupsOptions): Promise<Setups> {
  const disposals: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const dispose of disposals.splice(0).reverse()) await dispose();
  };
  async function createFolder(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'webchat-bench-'));
    disposals.push(() => rm(folder, { recursive: true, force: true }));
    return folder;
  }

  try {
    const folder = await createFolder();
    const botFile = join(folder, 'bot.mjs');
    await writeFile(botFile, bot);
    // With a folder of its own PostgreSQL waits for the disk, as in operation.
    const home = await createFolder();
    await chmod(home, 0o711);
    const postgres = await startPostgres(settings, { home });
    disposals.push(postgres.stop);
    const postmaster = Number(readFileSync(join(postgres.data, 'postmaster.pid'), 'utf8').split('\n')[0]);
    // Several processes need one, although nothing is uploaded.
    const s3rver = await startS3rver();
    disposals.push(s3rver.close);
    const store = await s3rver.bucket();
    const admin = new pg.Client({ connectionString: postgres.url });
    await admin.connect();
    disposals.push(() => admin.end());

    return {
      admin,
      close,
      async start(name, processes, isPostgres) {
        const database = isPostgres ? `bench_${processes}` : undefined;
        if (database) await admin.query(`CREATE DATABASE ${database}`);
        const env = {
          ...(database
            ? {
                DATABASE_URL: postgres.urlOf(database),
                PUBLIC_URL: 'http://127.0.0.1',
                S3_URL: `${store.url}/${processes}`,
                S3_REGION: store.region,
                S3_ACCESS_KEY_ID: store.accessKeyId,
                S3_SECRET_ACCESS_KEY: store.secretAccessKey,
              }
            : {}),
          USER_KEY_SECRET: '1d1f0c0b5a3e4d7c9b2a6f8e7d5c4b3a1d1f0c0b5a3e4d7c',
          BOT: botFile,
          RATE_LIMIT: '0',
          EMBEDDINGS: 'off',
          ...Object.fromEntries(Object.keys(quotaSettings).map((quota) => [quota, '0'])),
          ...envOf?.(name),
        };
        const chatUrls: string[] = [];
        const pids: number[] = [];
        for (let n = 0; n < processes; n += 1) {
          const own = { ...env, DATA_DIR: join(folder, `${name} ${n}`) };
          const server = await createServerProcess({ name, main, env: own });
          disposals.push(server.kill);
          await server.start();
          chatUrls.push(`http://127.0.0.1:${server.port}/chat/demo`);
          pids.push(server.pid());
        }
        const used = () => ({
          threads: pids.map(threadSeconds),
          postgres: isPostgres ? postgresSeconds(postmaster) : 0,
        });
        return { name, chatUrls, pids, database, used };
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}
