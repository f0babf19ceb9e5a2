// Tests of the worker thread of semantic search: its end without requests, time limits, interruptions and failures.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { pollOptions, stripTypes } from '../../testing.ts';
import { type EmbeddingServer, startEmbeddingServer } from './testing.ts';
import { createEmbeddingThread, type EmbeddingThread, type ThreadOptions } from './thread.ts';

let folder: string;
let server: EmbeddingServer;
let thread: EmbeddingThread;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'webchat-thread-'));
  server = await startEmbeddingServer();
});
afterEach(async () => {
  await thread.close();
  await server.close();
  await rm(folder, { recursive: true });
});

const start = (options: Partial<ThreadOptions> = {}) => {
  const location = join(folder, 'none.db');
  thread = createEmbeddingThread({ location, execArgv: ['--import', stripTypes], ...options });
};
const embed = (options: { timeLimit?: number; signal?: AbortSignal } = {}) =>
  thread.request(
    'embed',
    { model: { kind: 'remote', url: server.url, model: 'words' }, texts: ['dog'] },
    { timeLimit: 120_000, ...options },
  );

test('the thread starts with a request, ends when there are none, and starts again', async () => {
  start({ idleTime: 1 });
  expect(thread.memory()).toBe(0);
  for (let n = 0; n < 2; n += 1) {
    expect((await embed()).dimensions).toBe(5);
    await expect.poll(() => thread.memory(), pollOptions).toBe(0);
  }
});

test('a request that takes longer than its limit fails, and the next one does not', async () => {
  start();
  await embed();
  server.answer(() => new Promise(() => {}));
  await expect(embed({ timeLimit: 50 })).rejects.toThrow('in time');
  server.answer(undefined);
  expect((await embed()).dimensions).toBe(5);
});

test('an interrupted request rejects with the reason, and ends the one to the model', async () => {
  start();
  const control = new AbortController();
  let closed = () => {};
  const isClosed = new Promise<void>((resolve) => {
    closed = resolve;
  });
  server.answer((_, response) => {
    response.on('close', closed);
    control.abort(new Error('stop'));
    return new Promise(() => {});
  });
  await expect(embed({ signal: control.signal })).rejects.toThrow('stop');
  await isClosed;
  await expect(embed({ signal: control.signal })).rejects.toThrow('stop');
});

test('a database that cannot be opened fails the search only', async () => {
  start();
  const filter = { visibleTo: 'none' } as const;
  const model = { kind: 'remote', url: server.url, model: 'words' } as const;
  const request = { model, modelId: 1, query: 'dog', filter, limit: 1, minSimilarity: 0 };
  await expect(thread.request('search', request, { timeLimit: 120_000 })).rejects.toThrow('failed');
  expect((await embed()).dimensions).toBe(5);
});

test('closing rejects the running requests', async () => {
  start();
  server.answer(() => new Promise(() => {}));
  const running = embed();
  const outcome = expect(running).rejects.toThrow('stops');
  await expect.poll(() => server.received.length, pollOptions).toBe(1);
  await thread.close();
  await outcome;
});
