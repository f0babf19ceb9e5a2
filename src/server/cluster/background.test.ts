// Tests of background work for requests to a process that does not do it: files, tables, computed columns, deletions.
import { afterEach, expect, test } from 'vitest';
import { startEmbeddingServer } from '../files/embeddings/testing.ts';
import { startFilesFixture } from '../files/testing.ts';
import { createTablesFixture } from '../tables/testing.ts';
import { pollOptions, startTestCluster, type TestCluster, type TestOptions } from '../testing.ts';

let cluster: TestCluster;
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  await cluster.close();
  for (const close of closing.splice(0)) await close();
});

/** Starts two servers: the first one does all background work. Returns the second one. */
async function start(options: TestOptions = {}) {
  cluster = await startTestCluster(2, { leaseTime: 1_500, ...options });
  const [, second] = cluster.servers;
  if (!second) throw new Error('Two servers were started.');
  return second;
}

const lostHints = () => {
  cluster.hub.fate = () => 'lost';
};

const formulas = {
  type: 'object',
  properties: {
    price: { type: 'number' },
    double: { type: 'number', 'x-zui': { computed: { action: 'code', code: 'row.price * 2' } } },
  },
};

test.each(['delivered', 'lost'])(
  'a file is indexed and found by its meaning when messages between processes are %s',
  async (hints) => {
    const model = await startEmbeddingServer();
    closing.push(() => model.close());
    const second = await start({
      EMBEDDINGS: 'on',
      EMBEDDINGS_URL: model.url,
      EMBEDDINGS_MODEL: 'words',
      embeddingHooks: { searchTime: 120_000, firstPause: 20 },
    });
    if (hints === 'lost') lostHints();
    const files = await startFilesFixture({}, second);
    const file = await files.put('bot', 'policy.txt', 'You get your refund within a month.', { index: true });
    expect((await files.settled(file.id)).status).toBe('indexing_completed');
    const found = async () => {
      const { body } = await files.call('bot', 'GET', '/search?query=reimbursement');
      return body.passages?.map((passage) => passage.file.key);
    };
    await expect.poll(found, pollOptions).toEqual(['policy.txt']);
    const storage = async () => (await files.call('bot', 'GET', '/storage')).body.semanticSearch;
    await expect.poll(storage, pollOptions).toMatchObject({ status: 'ready' });
  },
);

test.each(['delivered', 'lost'])(
  'computed columns and jobs of tables run when messages between processes are %s',
  async (hints) => {
    const tables = await createTablesFixture({}, await start());
    if (hints === 'lost') lostHints();
    const table = await tables.table(formulas);
    await tables.add(table, [{ price: 2 }]);
    await expect
      .poll(
        async () => (await tables.find(table)).body.rows.map(({ double }: { double: number }) => double),
        pollOptions,
      )
      .toEqual([4]);
    const { status, body } = await tables.call('GET', `/${table}/export`);
    expect([status, body.message]).toEqual([200, undefined]);
    await expect
      .poll(
        async () =>
          (await tables.call('GET', `/${table}/jobs`)).body.jobs.map(
            ({ status }: { status: string }) => status,
          ),
        pollOptions,
      )
      .toEqual(['completed']);
  },
);

test('a request that waits for computed columns gets them from the process that computes them', async () => {
  const tables = await createTablesFixture({}, await start());
  const table = await tables.table(formulas);
  const { body } = await tables.call('POST', `/${table}/rows`, { rows: [{ price: 21 }], waitComputed: true });
  expect(body.rows).toMatchObject([{ price: 21, double: 42 }]);
});

test('the data of a user who is deleted through one process is removed by another one', async () => {
  const second = await start();
  const { key } = await second.user();
  const conversationId = await second.conversation(key);
  await second.sendMessage(key, conversationId, 'a secret');
  expect((await second.call('DELETE', '/users/me', { key })).status).toBe(200);
  const messages = () =>
    second.db.read((tx) => tx.all("SELECT 1 FROM messages WHERE payload LIKE '%a secret%'"));
  await expect.poll(messages, pollOptions).toEqual([]);
});

test('the work of a process that stops is done by the next one', async () => {
  const second = await start();
  await cluster.servers[0]?.composition.close();
  const tables = await createTablesFixture({}, second);
  const table = await tables.table(formulas);
  const { body } = await tables.call('POST', `/${table}/rows`, { rows: [{ price: 1 }], waitComputed: true });
  expect(body.rows).toMatchObject([{ double: 2 }]);
});
