// Tests the solver of challenges against Node's SHA-256: all text lengths and numbers of bits, aborts, invalid input.
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { solveChallenge } from './proof.ts';

const algorithm = 'sha-256';
const zeros = (text: string) => Math.clz32(createHash('sha256').update(text).digest().readUInt32BE());

test('for any challenge the solution is challenge.nonce, the first number whose SHA-256 has the zero bits', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: 'binary-ascii', minLength: 1, maxLength: 200 }),
      fc.integer({ min: 0, max: 9 }),
      async (challenge, bits) => {
        const proof = await solveChallenge({ algorithm, challenge, bits });
        const nonce = proof.slice(challenge.length + 1);
        expect(proof).toBe(`${challenge}.${nonce}`);
        expect(nonce).toMatch(/^\d{10}$/);
        expect(zeros(proof)).toBeGreaterThanOrEqual(bits);
        for (let n = 0; n < Number(nonce); n++) {
          expect(zeros(`${challenge}.${String(n).padStart(10, '0')}`)).toBeLessThan(bits);
        }
      },
    ),
    { numRuns: 300 },
  );
});

test('texts of every length up to three blocks have the correct hash', async () => {
  for (let length = 1; length < 180; length++) {
    const challenge = 'c'.repeat(length);
    expect(zeros(await solveChallenge({ algorithm, challenge, bits: 4 }))).toBeGreaterThanOrEqual(4);
  }
});

test('other tasks run while it works', async () => {
  let turns = 0;
  let goesOn = true;
  const turn = () => {
    turns++;
    if (goesOn) setImmediate(turn);
  };
  setImmediate(turn);
  const solved: number[] = [];
  // Repeated until a solution needed more than one slice.
  for (let n = 0; n < 40 && turns < 3; n++) {
    solved.push(zeros(await solveChallenge({ algorithm, challenge: `turn ${n}`, bits: 14 })));
  }
  goesOn = false;
  expect(turns).toBeGreaterThanOrEqual(3);
  expect(Math.min(...solved)).toBeGreaterThanOrEqual(14);
});

test('two at once do not affect each other', async () => {
  const challenges = Array.from({ length: 4 }, (_, n) => `at once ${n}`);
  const together = await Promise.all(
    challenges.map((challenge) => solveChallenge({ algorithm, challenge, bits: 13 })),
  );
  for (const [n, proof] of together.entries()) {
    expect(proof.startsWith(`at once ${n}.`)).toBe(true);
    expect(zeros(proof)).toBeGreaterThanOrEqual(13);
  }
});

test('if aborted before or during the work, it rejects with the reason', async () => {
  const hard = { algorithm, challenge: 'hard', bits: 32 };
  await expect(solveChallenge(hard, AbortSignal.abort('never'))).rejects.toBe('never');
  const controller = new AbortController();
  setImmediate(() => controller.abort('enough'));
  await expect(solveChallenge(hard, controller.signal)).rejects.toBe('enough');
});

test.each([
  ['nothing', undefined],
  ['another algorithm', { algorithm: 'argon2id', challenge: 'x', bits: 1 }],
  ['no challenge', { algorithm, challenge: '', bits: 1 }],
  ['more bits than it compares', { algorithm, challenge: 'x', bits: 33 }],
  ['fewer than none', { algorithm, challenge: 'x', bits: -1 }],
  ['no number', { algorithm, challenge: 'x', bits: 'many' }],
])('%s is refused', async (_, challenge) => {
  await expect(solveChallenge(challenge as never)).rejects.toThrow(RangeError);
});
