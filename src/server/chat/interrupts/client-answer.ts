// The answer of the page to a call of one of its tools.
import * as v from 'valibot';
import type { ClientToolAnswer } from '../../../protocol/interrupts.ts';
import { limits } from '../../../protocol/limits.ts';
import { clientSchemas } from '../../../protocol/schemas/interrupts.ts';
import { ApiError } from '../../api/errors.ts';
import { assertSize, explain } from '../../api/validation.ts';
import type { Settlement } from './settled-parts.ts';

/** A page has begun to run a tool, and the outcome is unknown. */
export const unknownOutcome: Settlement = { state: 'cancelled', by: 'unknown_outcome', outcome: 'failed' };

/** Bytes of an answer besides its result. */
const wrapper = 100;

/**
 * Returns how an answer settles a call, without its hash; undefined if another page has claimed the call, or none has: what may
 * have run is answered by the page that ran it. `claim`: of the answer; `claimed`: of the page that runs the tool. Throws
 * PayloadTooLarge, or InvalidPayload.
 */
export function clientSettlement(
  payload: Record<string, unknown> | undefined,
  claim: string | undefined,
  claimed: string | null,
): Settlement | undefined {
  const isHolder = claimed !== null && claim === claimed;
  if (payload === undefined) {
    if (isHolder) return unknownOutcome;
    return claimed === null ? { state: 'cancelled', by: 'visitor' } : undefined;
  }
  assertSize('payload', payload, limits.client.resultBytes + wrapper);
  const result = v.safeParse(clientSchemas.answer, payload);
  if (!result.success) {
    const [issue] = result.issues;
    throw new ApiError(
      'InvalidPayload',
      `payload: Expected result, error or approved: false. ${explain(issue)}`,
    );
  }
  const answer: ClientToolAnswer = result.output;
  if ('approved' in answer) {
    return claimed === null || isHolder
      ? { state: 'resolved', by: 'visitor', payload, outcome: 'declined' }
      : undefined;
  }
  if (!isHolder) return undefined;
  return { state: 'resolved', by: 'page', payload, outcome: 'result' in answer ? 'done' : 'failed' };
}
