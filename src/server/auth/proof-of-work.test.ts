// Tests of the proof of work: each solved challenge creates one user of one chat, from one network, within five minutes.
import { createHash, randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { solveChallenge } from '../../client/chat/proof.ts';
import type { Challenge } from '../../protocol/error.ts';
import { createBot } from '../admin/first-start.ts';
import { ApiError } from '../api/errors.ts';
import { testOnSqlite } from '../testing/sqlite-only.testing.ts';
import { startTestServer, type TestResponse, type TestServer } from '../testing.ts';
import { createProofOfWork } from './proof-of-work.ts';

const bits = 6;
const home = '192.0.2.1';
let server: TestServer;
let elapsed = 0;
beforeEach(async () => {
  server = await startTestServer({ PROOF_OF_WORK: bits, TRUST_PROXY: 1, elapsed: () => elapsed });
});
afterEach(() => server.close());

interface CreateOptions {
  proof?: string | undefined;
  idempotencyKey?: string;
  from?: string;
  body?: object;
  on?: TestServer;
}
const create = ({
  proof,
  idempotencyKey,
  from = home,
  body = {},
  on = server,
}: CreateOptions = {}): Promise<TestResponse> =>
  on.call('POST', '/users', {
    body,
    headers: {
      'x-forwarded-for': from,
      ...(proof === undefined ? {} : { 'x-user-proof': proof }),
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
    },
  });
const solve = (answer: TestResponse) => solveChallenge(answer.body.metadata as Challenge);
/** Solves a challenge for one user. */
const proven = async (options: CreateOptions = {}) => solve(await create(options));
const users = async (on = server) =>
  (await on.db.read((tx) => tx.get<{ count: number }>('SELECT count(*) AS count FROM users')))?.count;

/** Expects an error with a new challenge, and no new user. */
async function expectRefused(answer: TestResponse | Promise<TestResponse>, proof?: string): Promise<void> {
  const before = await users();
  const { status, body } = await answer;
  expect([status, body.type]).toEqual([403, 'ChallengeRequired']);
  expect(body.metadata).toEqual({ algorithm: 'sha-256', challenge: expect.any(String), bits });
  const { challenge } = body.metadata as Challenge;
  expect(challenge).toMatch(/^[\w.-]{20,44}$/);
  if (proof) expect(proof.startsWith(challenge)).toBe(false);
  expect(body.message).toContain('x-user-proof: challenge.nonce');
  expect(await users()).toBe(before);
}

test('proof of work: POST /users is rejected without a proof, and accepted with the solved challenge', async () => {
  const refused = await create();
  await expectRefused(refused);
  const before = await users();
  const answer = await create({ proof: await solve(refused) });
  expect(answer.status).toBe(201);
  expect((await server.call('GET', '/users/me', { key: answer.body.key as string })).status).toBe(200);
  expect(await users()).toBe((before ?? 0) + 1);
});

test('proof of work: by default none is required, and a sent one is ignored', async () => {
  const open = await startTestServer();
  expect((await create({ on: open })).status).toBe(201);
  expect((await create({ on: open, proof: 'garbage' })).status).toBe(201);
  await open.close();
});

test('proof of work: with personal keys POST /users is rejected without a challenge', async () => {
  const personal = await startTestServer({ PROOF_OF_WORK: bits, USER_KEYS: 'personal' });
  expect((await create({ on: personal })).body.type).toBe('Unauthorized');
  await personal.close();
});

test('proof of work: a key that an application signed needs none', async () => {
  const key = server.sign('customer-7');
  const made = await server.call('POST', '/users/get-or-create', { key, body: {} });
  expect(made.status).toBe(201);
});

test('proof of work: an invalid body does not use up the proof', async () => {
  const proof = await proven();
  expect((await create({ proof, body: { name: 7 } })).status).toBe(400);
  expect((await create({ proof })).status).toBe(201);
});

describe('proof of work: rejected with a new challenge:', () => {
  test.each<[string, (proof: string) => string]>([
    ['nothing', () => ''],
    ['something huge', (proof) => proof + '0'.repeat(8_000)],
    ['another signature', (proof) => proof.replace(/[\w-]{22}(?=\.\d+$)/, 'A'.repeat(22))],
    ['a later expiry', (proof) => `z${proof}`],
    ['another salt', (proof) => proof.replace(/\.[\w-]{11}\./, `.${'A'.repeat(11)}.`)],
    ['a nonce with a dot', (proof) => `${proof}.0`],
    ['no nonce', (proof) => proof.replace(/\d+$/, '')],
    ['two proofs', (proof) => `${proof}, ${proof}`],
  ])('%s', async (_, change) => {
    const proof = await proven();
    await expectRefused(create({ proof: change(proof) }), proof);
    // The proof was not used up.
    expect((await create({ proof })).status).toBe(201);
  });

  test('a nonce whose hash has too few zero bits', async () => {
    const { challenge } = (await create()).body.metadata as Challenge;
    const zeros = (nonce: number) =>
      Math.clz32(createHash('sha256').update(`${challenge}.${nonce}`).digest().readUInt32BE());
    const nonces = Array.from({ length: 1_000 }, (_, nonce) => nonce);
    const almost = nonces.find((nonce) => zeros(nonce) === bits - 1);
    const enough = nonces.find((nonce) => zeros(nonce) >= bits);
    await expectRefused(create({ proof: `${challenge}.${almost}` }));
    expect((await create({ proof: `${challenge}.${enough}` })).status).toBe(201);
  });

  test('a proof that is five minutes old', async () => {
    const [early, late] = [await proven(), await proven()];
    elapsed += 5 * 60_000 - 10;
    expect((await create({ proof: early })).status).toBe(201);
    elapsed += 20;
    await expectRefused(create({ proof: late }), late);
  });

  test('a proof from another network is rejected', async () => {
    const proof = await proven();
    await expectRefused(create({ proof, from: '192.0.2.2' }), proof);
    const shared = await proven({ from: '2001:db8::1' });
    expect((await create({ proof: shared, from: '2001:db8::2' })).status).toBe(201);
  });

  test('a proof of another bot is rejected', async () => {
    const { workspaceId } = server.admin;
    await server.db.write((tx) => createBot(tx, { workspaceId, webhookId: 'other', name: 'Other', now: 1 }));
    const proof = await proven();
    const response = await server.fetch('/chat/other/users', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': home, 'x-user-proof': proof },
      body: '{}',
    });
    expect(response.status).toBe(403);
    expect((await create({ proof })).status).toBe(201);
  });

  test('a used proof is rejected, also with another nonce, at once, and after the server dropped it', async () => {
    const proof = await proven();
    const answers = await Promise.all(Array.from({ length: 8 }, () => create({ proof })));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(403)]);
    await expectRefused(create({ proof }), proof);
    const challenge = proof.replace(/\.\d+$/, '');
    for (let nonce = 0; nonce < 300; nonce++) {
      expect((await create({ proof: `${challenge}.x${nonce}` })).status).toBe(403);
    }
    elapsed += 6 * 60_000;
    // Expired proofs are dropped with the next one.
    expect((await create({ proof: await proven() })).status).toBe(201);
    await expectRefused(create({ proof }), proof);
  });

  testOnSqlite('a proof from before a restart', async () => {
    const proof = await proven();
    server = await server.restart();
    await expectRefused(create({ proof }), proof);
    expect((await create({ proof: await proven() })).status).toBe(201);
  });

  test('a proof that was used before a restart', async () => {
    const proof = await proven();
    expect((await create({ proof })).status).toBe(201);
    server = await server.restart();
    await expectRefused(create({ proof }), proof);
  });
});

describe('proof of work with an Idempotency-Key', () => {
  const idempotencyKey = randomUUID();

  test('a retry with the same proof returns the same user without a second challenge', async () => {
    const proof = await proven({ idempotencyKey });
    const [first, second] = await Promise.all([
      create({ proof, idempotencyKey }),
      create({ proof, idempotencyKey }),
    ]);
    const third = await create({ proof, idempotencyKey });
    expect(first.status).toBe(201);
    expect([second.body, third.body]).toEqual([first.body, first.body]);
    expect(await users()).toBe(2);
  });

  test('a retry after a restart or after five minutes needs a second proof and returns the same user', async () => {
    const first = await create({ proof: await proven({ idempotencyKey }), idempotencyKey });
    server = await server.restart();
    const second = await create({ proof: await proven({ idempotencyKey }), idempotencyKey });
    expect([second.status, second.body]).toEqual([201, first.body]);
    expect(await users()).toBe(2);
  });

  test('a used proof creates no second user with another key, no key or another body', async () => {
    const proof = await proven({ idempotencyKey });
    await create({ proof, idempotencyKey });
    await expectRefused(create({ proof, idempotencyKey: randomUUID() }), proof);
    await expectRefused(create({ proof }), proof);
    expect((await create({ proof, idempotencyKey, body: { name: 'Other' } })).status).toBe(422);
    expect(await users()).toBe(2);
  });

  test('a used proof creates no second user after the cached response was deleted', async () => {
    const proof = await proven({ idempotencyKey });
    await create({ proof, idempotencyKey });
    await server.db.write((tx) => tx.run('DELETE FROM requests'));
    await expectRefused(create({ proof, idempotencyKey }), proof);
  });
});

test('proof of work: responds with 429 while the list of used proofs is full', async () => {
  let now = 0;
  // Used proofs are in memory.
  const tx = undefined as never;
  const proofs = createProofOfWork(1, () => now, { capacity: 2 });
  const call = (proof?: string) =>
    ({
      chat: { bot: { id: 'bot_1' } },
      network: home,
      headers: new Headers(proof ? { 'x-user-proof': proof } : {}),
    }) as Parameters<typeof proofs.check>[0];
  const solved = async () => {
    try {
      proofs.check(call());
    } catch (error) {
      return call(await solveChallenge((error as ApiError).metadata));
    }
    throw new Error('No challenge was given.');
  };
  void proofs.spend({ ...(await solved()), tx });
  now += 1_000;
  void proofs.spend({ ...(await solved()), tx });
  const third = await solved();
  expect(() => proofs.check(third)).not.toThrow();
  expect(() => proofs.spend({ ...third, tx })).toThrow(ApiError);
  expect(() => proofs.spend({ ...third, tx })).toThrow('Too many users');
  now += 5 * 60_000 - 1_000;
  expect(() => proofs.spend({ ...third, tx })).not.toThrow();
  // The transaction of a request may run again; another request cannot use the same proof.
  expect(() => proofs.spend({ ...third, tx })).not.toThrow();
  const other = { ...third, headers: new Headers(third.headers) };
  expect(() => proofs.spend({ ...other, tx })).toThrow('proof of work');
});

test('proof of work: the OpenAPI document describes the header', async () => {
  const { body } = await server.call('GET', '/openapi.json');
  const { paths } = body as { paths: Record<string, { post: { parameters: object[]; responses: object } }> };
  expect(paths['/users']?.post.parameters).toContainEqual(
    expect.objectContaining({ name: 'x-user-proof', in: 'header', required: false }),
  );
  expect(paths['/users']?.post.responses).toHaveProperty('403');
});
