// Tests the creation of a user with a proof of work: the number of attempts, and when it stops.
import { expect, test } from 'vitest';
import { ApiError } from '../../../../client/core/errors.ts';
import { createUser } from './proof-of-work.ts';

const rejectionOf = (challenge: string, bits = 4) =>
  new ApiError(403, {
    id: 'err_1',
    code: 403,
    type: 'ChallengeRequired',
    message: 'x',
    metadata: { algorithm: 'sha-256', challenge, bits },
  });
/** A client whose `createUser` returns these results in order: a challenge or a response. */
function clientOf(...answers: (Error | object)[]) {
  const proofs: string[] = [];
  const client = {
    async createUser(_: object, options: { proof: string }) {
      proofs.push(options.proof);
      const answer = answers.shift();
      if (answer instanceof Error) throw answer;
      return answer;
    },
  };
  return { client: client as never, proofs };
}

test('the request is repeated with the proof, and once more after another challenge', async () => {
  const made = { user: { id: 'user_1' }, key: 'k' };
  const { client, proofs } = clientOf(rejectionOf('second'), made);
  expect(await createUser(client, {}, {}, rejectionOf('first'), () => true)).toBe(made);
  expect(proofs).toEqual([expect.stringMatching(/^first\.\d+$/), expect.stringMatching(/^second\.\d+$/)]);
});

test('after two proofs it rejects with the refusal; any other error is rethrown', async () => {
  const last = rejectionOf('third');
  const { client } = clientOf(rejectionOf('second'), last);
  await expect(createUser(client, {}, {}, rejectionOf('first'), () => true)).rejects.toBe(last);
  const other = new ApiError(503, {});
  await expect(createUser(clientOf(other).client, {}, {}, rejectionOf('first'), () => true)).rejects.toBe(
    other,
  );
});

test('a user who is no longer needed when the challenge is solved is not created', async () => {
  const { client, proofs } = clientOf();
  const creating = createUser(client, {}, {}, rejectionOf('first'), () => false);
  await expect(creating).rejects.toMatchObject({ name: 'AbortError' });
  expect(proofs).toEqual([]);
});

test('when the page is left, the computation ends', async () => {
  const controller = new AbortController();
  const { client } = clientOf();
  const creating = createUser(client, {}, { signal: controller.signal }, rejectionOf('hard', 32), () => true);
  setTimeout(() => controller.abort('gone'));
  await expect(creating).rejects.toBe('gone');
});
