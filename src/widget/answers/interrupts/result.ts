// Describes the result of an interrupt in words.
import type { InterruptPart } from '../../../protocol/parts.ts';
import { strings } from './strings.ts';

/** How an interrupt was settled, or will be by the answer of the visitor. */
export interface Settlement {
  state?: InterruptPart['state'] | undefined;
  by?: InterruptPart['by'] | undefined;
  response?: unknown;
}

/** Whether something was agreed to, or a form was filled in. */
export const isAccepted = (
  { responseSchema }: Pick<InterruptPart, 'responseSchema'>,
  { state, response }: Settlement,
): boolean =>
  state === 'resolved' &&
  (!!responseSchema || Object(response).approved === true || Object(response).outcome === 'done');

export function resultOf(interrupt: InterruptPart, settlement: Settlement): string {
  const { state, by } = settlement;
  const { outcome } = Object(settlement.response) as { outcome?: unknown };
  if (outcome === 'done') return strings.stepDone;
  if (outcome === 'failed') return strings.stepFailed;
  if (state !== 'resolved') {
    if (by === 'visitor') return strings.declined;
    return by === 'superseded' ? strings.notAnswered : strings.expired;
  }
  if (interrupt.responseSchema) return strings.answered;
  const isYes = isAccepted(interrupt, settlement);
  if (interrupt.reason === 'confirmation') return isYes ? strings.yes : strings.no;
  return isYes ? strings.approved : strings.declined;
}
