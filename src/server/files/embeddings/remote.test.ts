// Tests of a model behind an address: what is sent, retries, and every answer that is not a list of vectors.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { EmbeddingError } from './model.ts';
import { createRemote } from './remote.ts';
import { type EmbeddingServer, startEmbeddingServer, vectorOf } from './testing.ts';

let server: EmbeddingServer;
beforeAll(async () => {
  server = await startEmbeddingServer();
});
afterAll(() => server.close());
beforeEach(() => {
  server.answer(undefined);
  server.received.length = 0;
});

const never = new AbortController().signal;
const remote = (timeout?: number, key?: string) =>
  createRemote({ kind: 'remote', url: server.url, model: 'words', key }, { timeout });
const embed = (texts: string[], isQuery = false, timeout = 60_000) =>
  remote(timeout).embed(texts, { isQuery, signal: never });

test('texts are sent in batches with model and key, and the vectors keep the order of the texts', async () => {
  const texts = Array.from({ length: 70 }, (_, n) => `${'refund '.repeat(n % 5)}dog`);
  // A server may answer in another order.
  server.answer(({ input }) => ({
    data: input.map((text, index) => ({ index, embedding: vectorOf(text) })).reverse(),
  }));
  const vectors = await remote(60_000, 'secret').embed(texts, { isQuery: false, signal: never });
  expect(vectors).toEqual(texts.map((text) => vectorOf(text)));
  expect(server.received.map(({ input }) => input.length)).toEqual([32, 32, 6]);
  expect(server.received[0]).toMatchObject({ model: 'words', authorization: 'Bearer secret' });
});

test.each([429, 500, 503, 408])('status %i is retried as the answer asks for', async (status) => {
  server.answer((_, response) => {
    if (server.received.length < 3) response.writeHead(status, { 'retry-after': '0' }).end();
  });
  expect(await embed(['dog'])).toEqual([vectorOf('dog')]);
  expect(server.received).toHaveLength(3);
});

test('after three attempts it fails with the status', async () => {
  server.answer((_, response) => response.writeHead(429, { 'retry-after': '0' }).end());
  await expect(embed(['dog'])).rejects.toThrow('status 429');
  expect(server.received).toHaveLength(3);
});

test.each([401, 403, 404, 302])('status %i is not retried', async (status) => {
  server.answer((_, response) => response.writeHead(status, { location: server.url }).end());
  await expect(embed(['dog'])).rejects.toThrow(`status ${status}`);
  expect(server.received).toHaveLength(1);
});

test('a query is tried once, because words answer it otherwise', async () => {
  server.answer((_, response) => response.writeHead(503).end());
  await expect(embed(['dog'], true)).rejects.toThrow(EmbeddingError);
  expect(server.received).toHaveLength(1);
});

describe('a text that the model refuses', () => {
  test('is left out, and the others have vectors', async () => {
    server.answer(({ input }, response) => {
      if (input.includes('bad')) response.writeHead(400).end();
    });
    const texts = ['dog', 'bad', 'night', 'parcel'];
    expect(await embed(texts)).toEqual([
      vectorOf('dog'),
      [0, 0, 0, 0, 0],
      vectorOf('night'),
      vectorOf('parcel'),
    ]);
    expect(await embed(['bad'])).toEqual([[0, 0, 0, 0, 0]]);
  });

  test('is not the reason when the model refuses every text', async () => {
    server.answer((_, response) => response.writeHead(400).end());
    await expect(embed(['dog', 'night'])).rejects.toThrow('status 400');
  });
});

describe('an answer that is not a list of vectors fails with the reason', () => {
  const embedding = vectorOf('dog');
  test.each<[string, unknown, string]>([
    ['a page', '<!doctype html><title>Sign in</title>', 'not JSON'],
    ['null', 'null', 'number of vectors'],
    ['an object', { error: { message: 'no' } }, 'number of vectors'],
    ['too few', { data: [{ embedding }] }, 'number of vectors'],
    ['the same index twice', { data: [0, 0].map((index) => ({ index, embedding })) }, 'order'],
    ['an index outside', { data: [0, 2].map((index) => ({ index, embedding })) }, 'order'],
    ['different lengths', { data: [{ embedding }, { embedding: [1] }] }, 'lengths'],
    ['NaN', '{"data":[{"embedding":[NaN]},{"embedding":[NaN]}]}', 'not JSON'],
    ['null as a number', { data: [{ embedding: [null] }, { embedding: [null] }] }, 'not a vector'],
    ['Infinity', '{"data":[{"embedding":[1e999]},{"embedding":[1]}]}', 'not a vector'],
    ['texts', { data: [{ embedding: ['1'] }, { embedding: ['1'] }] }, 'not a vector'],
    ['zeros', { data: [{ embedding: [0, 0] }, { embedding: [0, 0] }] }, 'not a vector'],
    ['huge vectors', { data: [0, 1].map(() => ({ embedding: Array(20_000).fill(1) })) }, 'not a vector'],
    ['nulls', { data: [null, null] }, 'not a vector'],
  ])('%s', async (_, answer, reason) => {
    server.answer(() => answer);
    await expect(embed(['dog', 'night'])).rejects.toThrow(reason);
    expect(server.received).toHaveLength(1);
  });

  test('more bytes than vectors have', async () => {
    server.answer(() => `{"data":[${' '.repeat(21_000_000)}]}`);
    await expect(embed(['dog'])).rejects.toThrow('too many bytes');
  });
});

test('an address that never responds fails at the time limit', async () => {
  server.answer(() => new Promise(() => {}));
  await expect(embed(['dog'], true, 50)).rejects.toThrow('did not respond within 0.05 seconds');
});

test('an address that stops in the middle of the answer fails at the time limit', async () => {
  server.answer((_, response) => {
    response.write('{"data":[');
    return new Promise(() => {});
  });
  await expect(embed(['dog'], true, 300)).rejects.toThrow('did not respond');
});

test('an address without a server cannot be reached', async () => {
  const gone = await startEmbeddingServer();
  await gone.close();
  const model = createRemote({ kind: 'remote', url: gone.url, model: 'words' });
  await expect(model.embed(['dog'], { isQuery: true, signal: never })).rejects.toThrow('cannot be reached');
});

test('an aborted request rejects with the reason of the signal, also between two attempts', async () => {
  const control = new AbortController();
  const reason = new Error('stop');
  server.answer((_, response) => {
    response.writeHead(503, { 'retry-after': '60' }).end();
    setImmediate(() => control.abort(reason));
  });
  const embedding = remote().embed(['dog'], { isQuery: false, signal: control.signal });
  await expect(embedding).rejects.toMatchObject({ name: expect.stringMatching(/Error/) });
  expect(server.received).toHaveLength(1);
});
