// The parts of a message after interrupts of it were settled. Pure.
import { limits } from '../../../protocol/limits.ts';
import type { Part, PartOf, ToolState } from '../../../protocol/parts.ts';
import { shortJson } from '../../api/part-list.ts';

type InterruptPart = PartOf<'interrupt'>;

/** How an interrupt was settled. */
export interface Settlement {
  state: Exclude<InterruptPart['state'], 'open'>;
  by: NonNullable<InterruptPart['by']>;
  /** The checked answer. */
  payload?: Record<string, unknown>;
  /** The outcome of a tool of the page: visitors see this instead of the answer. */
  outcome?: 'done' | 'failed' | 'declined';
  /** SHA-256 of the answer, in hex. */
  hash?: string;
}

/** Returns the parts with these interrupts settled, and the tools that waited for them. By the ids of interrupts. */
export function settledParts(parts: readonly Part[], settlements: ReadonlyMap<string, Settlement>): Part[] {
  const tools = new Map<string, ToolState>();
  for (const part of parts) {
    const settlement = settlements.get(part.id);
    if (part.type === 'interrupt' && settlement && part.toolId !== undefined)
      tools.set(part.toolId, toolStateAfter(settlement));
  }
  return parts.map((part): Part => {
    const settlement = settlements.get(part.id);
    if (part.type === 'interrupt' && settlement) {
      const { state, by, payload } = settlement;
      if (part.reason === 'client_tool') return clientPart(part, settlement);
      return { ...part, state, by, ...(payload === undefined ? {} : shownResponse(payload)) };
    }
    const state = tools.get(part.id);
    return part.type === 'tool' && part.state === 'approval-requested' && state ? { ...part, state } : part;
  });
}

/** A call of a tool of the page. Its input is shown only where the visitor was asked. */
function clientPart(part: InterruptPart, { state, by, outcome }: Settlement): InterruptPart {
  const { input, ...shown } = part;
  return {
    ...shown,
    ...(input === undefined || part.readOnly ? {} : { input }),
    state,
    by,
    ...(outcome === undefined ? {} : { response: { outcome } }),
  };
}

const stateOfOutcome = {
  done: 'output-available',
  failed: 'output-error',
  declined: 'output-denied',
} as const;

function toolStateAfter({ state, payload, outcome }: Settlement): ToolState {
  if (outcome !== undefined) return stateOfOutcome[outcome];
  if (state === 'cancelled') return 'cancelled';
  return payload?.approved === false ? 'output-denied' : 'approval-responded';
}

/** The bot gets the whole answer; the part shows the beginning of a long one. */
function shownResponse(payload: Record<string, unknown>): Pick<InterruptPart, 'response' | 'truncated'> {
  const json = JSON.stringify(payload);
  const most = limits.interrupts.shownResponseBytes;
  if (Buffer.byteLength(json) <= most) return { response: payload };
  return { response: shortJson(json, most - 2), truncated: true };
}
