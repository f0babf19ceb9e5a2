// The answer of a visitor to an interrupt.
import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { limits } from '../../../protocol/limits.ts';
import type { Part, PartOf } from '../../../protocol/parts.ts';
import { approvalSchema, checkResponse, type ResponseIssue } from '../../../protocol/response-schema.ts';
import { clientSchemas } from '../../../protocol/schemas/interrupts.ts';
import type { ClientToolAnswer } from '../../../protocol/types/interrupts.ts';
import { ApiError } from '../../api/errors.ts';
import { assertSize, explain } from '../../api/validation.ts';
import type { InterruptRow } from '../../storage/chat/interrupts.ts';
import type { MessageRow } from '../../storage/chat/messages.ts';
import type { Settlement } from './settled-parts.ts';

type InterruptPart = PartOf<'interrupt'>;

export type InterruptAnswer = { claim?: string } & (
  | { status: 'resolved'; payload: Record<string, unknown> }
  | { status: 'cancelled' }
);

/**
 * Returns how an answer settles an interrupt; undefined if the same answer has settled it before. Throws PayloadTooLarge,
 * InvalidPayload with the issues of the form, and RelationConflict if it was settled in another way, or has expired.
 */
export function settlementOf(
  { state, answerHash, expiresAt, claim }: InterruptRow,
  part: InterruptPart,
  answer: InterruptAnswer,
  now: number,
): Settlement | undefined {
  const hash = createHash('sha256').update(canonicalJson(answer)).digest('hex');
  if (state !== 'open') {
    if (answerHash === hash) return undefined;
    throw conflict(part);
  }
  // The worker that cancels it may be late: after a stop of the server.
  if (expiresAt <= now) throw conflict({ ...part, state: 'cancelled', by: 'expired' });
  if (part.reason === 'client_tool') {
    const payload = answer.status === 'resolved' ? answer.payload : undefined;
    const settlement = clientSettlement(payload, answer.claim, claim);
    if (!settlement) throw conflict(part);
    return { ...settlement, hash };
  }
  if (answer.status === 'cancelled') return { state: 'cancelled', by: 'visitor', hash };
  const { payload } = answer;
  assertSize('payload', payload, limits.interrupts.responseBytes);
  const issues = checkResponse(part.responseSchema ?? approvalSchema, payload);
  if (issues.length > 0) throw invalid(issues);
  return { state: 'resolved', by: 'visitor', payload, hash };
}

/**
 * Whether a page begins to run a tool now; false if it has begun before. Throws InvalidPayload for other interrupts,
 * and RelationConflict if another page runs it, or it is over.
 */
export function isNewClaim(row: InterruptRow, part: InterruptPart, claim: string, now: number): boolean {
  if (part.reason !== 'client_tool')
    throw new ApiError('InvalidPayload', 'The interrupt is not a call of a tool of the page.');
  if (row.state !== 'open') throw conflict(part);
  if (row.expiresAt <= now) throw conflict({ ...part, state: 'cancelled', by: 'expired' });
  if (row.claim !== null && row.claim !== claim) throw conflict(part);
  return row.claim === null;
}

/** The part of an interrupt. */
export function interruptOf({ parts }: MessageRow, id: string): InterruptPart | undefined {
  return (JSON.parse(parts ?? '[]') as Part[]).find(
    (part): part is InterruptPart => part.type === 'interrupt' && part.id === id,
  );
}

const conflict = (interrupt: InterruptPart) =>
  new ApiError('RelationConflict', 'The interrupt was settled in another way.', { interrupt });

function invalid(found: readonly ResponseIssue[]): ApiError {
  // A hostile answer can have thousands of unknown names.
  const issues = found.slice(0, 20).map(({ property, rule }) => ({
    path: property === '' ? 'payload' : `payload.${property.slice(0, limits.interrupts.title)}`,
    message: `The value breaks the rule ${rule}.`,
    property: property.slice(0, limits.interrupts.title),
    rule,
  }));
  // Names that the form does not have are texts of the caller: they are not part of the message, which logs contain.
  const issue = found.find(({ rule }) => rule !== 'unknown');
  const message = issue
    ? `payload: ${issue.property || 'The value'} breaks the rule ${issue.rule}.`
    : 'payload: It has unknown properties.';
  return new ApiError('InvalidPayload', message, { issues });
}

/** JSON with the names of objects in one order, so that equal values have one text. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([one], [other]) => (one < other ? -1 : 1)))
      : item,
  );
}

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
