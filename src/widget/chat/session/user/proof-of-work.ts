// Creates the visitor's user on a server that requires a proof of work. In the background bundle: most servers require none.
import type { ChatClientBase } from '../../../../client/chat/caller.ts';
import { solveChallenge } from '../../../../client/chat/proof.ts';
import type { ApiError } from '../../../../client/core/errors.ts';
import type { CallOptions } from '../../../../client/core/http.ts';
import type { UserFields } from '../../../../protocol/user.ts';

/** Proofs that are computed for one user: a challenge becomes invalid if the visitor's network changes meanwhile. */
const tries = 2;

/**
 * Solves the challenge of a refused `createUser` and repeats it with the proof. Rejects as `createUser` does, and with the
 * reason of `options.signal`.
 * @param refusal the error of the refused request: a ChallengeRequired error.
 * @param isRequested returns whether the user is still needed when the challenge is solved.
 */
export async function createUser(
  client: ChatClientBase,
  input: UserFields,
  options: CallOptions,
  rejectionOf: ApiError,
  isRequested: () => boolean,
): ReturnType<ChatClientBase['createUser']> {
  let latest = rejectionOf;
  for (let remaining = tries; remaining > 0; remaining--) {
    const proof = await solveChallenge(latest.metadata, options.signal);
    if (!isRequested()) throw new DOMException('The conversation was left.', 'AbortError');
    try {
      return await client.createUser(input, { ...options, proof });
    } catch (error) {
      if ((error as Partial<ApiError>).type !== rejectionOf.type) throw error;
      latest = error as ApiError;
    }
  }
  throw latest;
}
