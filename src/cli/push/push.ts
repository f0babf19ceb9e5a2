// Executes the plan of a push: sends several files at a time, then deletes those that no longer exist locally.
import { openAsBlob } from 'node:fs';
import type { Client } from '../../client/index.ts';
import { reasonOf } from '../errors.ts';
import type { LocalFile } from './folder.ts';
import { hashOf, type Plan, type PushSettings, policiesOf } from './plan.ts';
import type { Progress } from './progress.ts';

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
