// Carries out the plan of a push: sends some files at a time, deletes what is gone, counts. What to do, plan.ts decides.
import { openAsBlob } from 'node:fs';
import type { Client } from '../../client/index.ts';
import { reasonOf } from '../errors.ts';
import type { LocalFile } from './folder.ts';
import { hashOf, type Plan, policiesOf, type Wish } from './plan.ts';
import type { Progress } from './progress.ts';

/** Files that are sent at a time. */
const atATime = 4;

export interface Result {
  sent: LocalFile[];
  deleted: string[];
  failed: { key: string; reason: string }[];
}

/** Does it all; what fails is told in the result. When aborted it throws the reason, and what is done stays done. */
export async function push(
  client: Client,
  plan: Pick<Plan, 'send' | 'gone'>,
  wish: Wish,
  { progress, signal, apiUrl }: { progress: Progress; signal: AbortSignal; apiUrl: string },
): Promise<Result> {
  const result: Result = { sent: [], deleted: [], failed: [] };
  const attempt = async (key: string, work: () => Promise<void>) => {
    try {
      await work();
    } catch (error) {
      signal.throwIfAborted();
      const reason = reasonOf(error, apiUrl);
      result.failed.push({ key, reason });
      progress.say(`failed ${key}: ${reason}`);
    }
  };

  await inParallel(plan.send, async (file) =>
    attempt(file.key, async () => {
      await send(file);
      result.sent.push(file);
      progress.done(file.key, file.size);
    }),
  );
  // Last, so that a push that is cut short has only added. And not when something failed: it may have been renamed.
  if (result.failed.length === 0) {
    await inParallel(plan.gone, async ({ id, key }) =>
      attempt(key, async () => {
        await client.deleteFile({ id }, { signal });
        result.deleted.push(key);
      }),
    );
  }
  result.sent.sort((a, b) => (a.key < b.key ? -1 : 1));
  result.deleted.sort();
  return result;

  async function send({ key, path, before }: Plan['send'][number]): Promise<void> {
    // A blob of a file notices when the file is changed after this moment, and cannot be read then.
    const content = await openAsBlob(path);
    const sha256 = await hashOf(path, signal);
    await client.uploadFile({
      key,
      content,
      index: wish.index,
      accessPolicies: policiesOf(before, wish),
      metadata: { ...before?.metadata, sha256 },
      // A file that is sent again is made anew: what else is known of it goes along.
      ...(before && { tags: before.tags }),
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
    await Promise.all(Array.from({ length: Math.min(atATime, items.length) }, worker));
  }
}
