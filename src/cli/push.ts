// Executes the plan of a push: sends several files at a time, then deletes those that no longer exist locally. Shows the progress.
import { openAsBlob } from 'node:fs';
import type { Client } from '../client/index.ts';
import { oneLine, reasonOf } from './errors.ts';
import type { Io } from './io.ts';
import { paint, sizeOf } from './output.ts';
import { hashOf, type LocalFile, type Plan, type PushSettings, policiesOf } from './push-plan.ts';

/** Files that are sent at the same time. */
const concurrency = 4;

export interface Result {
  sent: LocalFile[];
  /** Keys of files whose index or policy was changed. */
  changed: string[];
  deleted: string[];
  failed: { key: string; reason: string }[];
}

/** Sends and deletes; failures are listed in the result. Throws the reason of an abort; finished files stay sent. */
export async function push(
  client: Client,
  plan: Pick<Plan, 'send' | 'change' | 'toDelete'>,
  settings: PushSettings,
  { progress, signal, apiUrl }: { progress: Progress; signal: AbortSignal; apiUrl: string },
): Promise<Result> {
  const result: Result = { sent: [], changed: [], deleted: [], failed: [] };
  const kbTags = settings.knowledgeBase ? { kbId: settings.knowledgeBase } : undefined;
  const attempt = async (key: string, work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      signal.throwIfAborted();
      const reason = reasonOf(error, apiUrl);
      result.failed.push({ key, reason });
      progress.print(`failed ${key}: ${reason}`);
    }
  };

  await inParallel(plan.send, async (file) =>
    attempt(file.key, async () => {
      await send(file);
      result.sent.push(file);
      progress.done(file.key, file.size);
    }),
  );
  await inParallel(plan.change, async ({ key, before }) =>
    attempt(key, async () => {
      const accessPolicies = policiesOf(before, settings);
      const changes = { index: settings.index, accessPolicies, ...(kbTags && { tags: kbTags }) };
      await client.updateFileMetadata({ id: before.id, ...changes }, { signal });
      result.changed.push(key);
    }),
  );
  // Deletes last, so that an interrupted push has only added files, and not after a failure, because the file may have
  // been renamed.
  if (result.failed.length === 0) {
    await inParallel(plan.toDelete, async ({ id, key }) =>
      attempt(key, async () => {
        await client.deleteFile({ id }, { signal });
        result.deleted.push(key);
      }),
    );
  }
  result.sent.sort((a, b) => (a.key < b.key ? -1 : 1));
  result.changed.sort();
  result.deleted.sort();
  return result;

  async function send({ key, path, before }: Plan['send'][number]): Promise<void> {
    // Reading this blob fails if the file is changed after this moment.
    const content = await openAsBlob(path);
    const sha256 = await hashOf(path, signal);
    await client.uploadFile({
      key,
      content,
      index: settings.index,
      accessPolicies: policiesOf(before, settings),
      metadata: { ...before?.metadata, sha256 },
      // Sending a file again creates it again, so tags and expiry must be sent again, too.
      ...((before || kbTags) && { tags: { ...before?.tags, ...kbTags } }),
      ...(before?.expiresAt && { expiresAt: before.expiresAt }),
      onProgress: (bytes) => progress.sent(key, bytes),
      signal,
    });
  }

  async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
    const queue = items.values();
    const worker = async () => {
      for (const item of queue) {
        signal.throwIfAborted();
        await work(item);
      }
    };
    await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, worker));
  }
}

export interface Progress {
  /** Reports the bytes of a file that have been sent so far. */
  sent(key: string, bytes: number): void;
  /** Reports that a file is complete. */
  done(key: string, size: number): void;
  /** Prints a line above the bar. */
  print(line: string): void;
  /** Removes the bar. */
  end(): void;
}

/** Milliseconds between two updates of the bar, at least. */
const updateIntervalMs = 80;

/** Shows the progress of `total` files of `bytes` bytes on stderr: a bar on a terminal, otherwise one line for each file. */
export function createProgress(io: Io, total: number, bytes: number): Progress {
  const { stderr } = io;
  const isDrawn = !!stderr.isTTY && io.env.TERM !== 'dumb';
  const moving = new Map<string, number>();
  let doneFiles = 0;
  let doneBytes = 0;
  let drawnAt = 0;
  let last = '';

  const clear = () => isDrawn && stderr.write('\r\u001b[K');
  const draw = (isNow: boolean) => {
    if (!isDrawn || (!isNow && Date.now() - drawnAt < updateIntervalMs)) return;
    drawnAt = Date.now();
    const at = [...moving.values()].reduce((sum, value) => sum + value, doneBytes);
    const line = barOf({ at, bytes, doneFiles, total, last, columns: stderr.columns ?? 80 });
    stderr.write(`\r\u001b[K${line}`);
  };
  return {
    sent(key, count) {
      moving.set(key, count);
      last = key;
      draw(false);
    },
    done(key, size) {
      moving.delete(key);
      doneFiles++;
      doneBytes += size;
      if (!isDrawn) stderr.write(`${paint('green', 'sent', stderr, io)} ${oneLine(key)} (${sizeOf(size)})\n`);
      draw(true);
    },
    print(line) {
      clear();
      stderr.write(`${line}\n`);
      draw(true);
    },
    end() {
      clear();
    },
  };
}

interface BarState {
  at: number;
  bytes: number;
  doneFiles: number;
  total: number;
  last: string;
  columns: number;
}

/** One line that fits the terminal: bar, percentage, counts, and the key of the last file. */
export function barOf({ at, bytes, doneFiles, total, last, columns }: BarState): string {
  // Empty files have no bytes to count.
  const share = Math.min(1, bytes > 0 ? at / bytes : doneFiles / Math.max(1, total));
  const cells = 24;
  const full = Math.round(share * cells);
  const bar = `${'█'.repeat(full)}${'░'.repeat(cells - full)}`;
  const percent = `${Math.floor(share * 100)}%`.padStart(4);
  const counts = `${doneFiles}/${total} files  ${sizeOf(Math.min(at, bytes))} of ${sizeOf(bytes)}`;
  // One less than the width, because a full line wraps on some terminals.
  return [...`${bar} ${percent}  ${counts}  ${oneLine(last)}`].slice(0, Math.max(1, columns - 1)).join('');
}
