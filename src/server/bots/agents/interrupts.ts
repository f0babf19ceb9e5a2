// Interrupts of agents: how the visitor is asked, and how the answers go back.
import type { ResumeEvent } from '../../../protocol/bot.ts';
import type { NewInterrupt } from '../../../protocol/interrupts/interrupt.ts';
import { readResponseSchema } from './interrupt-schema.ts';
import { resultOfCall } from './page-tools.ts';
import type { AskedInterrupt, Resumed } from './protocol.ts';

/** What the server keeps of an interrupt: the ids of the agent, and the part of the tool. */
interface KeptInterrupt {
  id: string;
  toolId?: string;
  toolName?: string;
  partId?: string;
  /** What the agent keeps for its next request; with the first interrupt of a message. */
  kept?: unknown;
  /** The results of other calls of the same response; with the first interrupt of a message. */
  results?: Resumed[];
  page?: AskedInterrupt['page'];
}

/** Characters of a question. */
const maxMessage = 2_000;

/**
 * Returns an interrupt as the server asks it. `partId`: of the tool, if it is shown. `kept`: what the agent keeps, and the results
 * of other calls. The ids of agents can be of any form.
 */
export function plainInterrupt(
  asked: AskedInterrupt,
  {
    partId,
    kept: agentKeeps,
  }: { partId: string | undefined; kept: { state: unknown; results: Resumed[] } | undefined },
): NewInterrupt {
  const { id, reason, message, toolId, toolName, input, responseSchema, page } = asked;
  const kept: KeptInterrupt = {
    id,
    ...(toolId === undefined ? {} : { toolId }),
    ...(toolName === undefined ? {} : { toolName }),
    ...(partId === undefined ? {} : { partId }),
    ...(agentKeeps?.state === undefined ? {} : { kept: agentKeeps.state }),
    ...(agentKeeps && agentKeeps.results.length > 0 ? { results: agentKeeps.results } : {}),
    ...(page === undefined ? {} : { page }),
  };
  const schema = responseSchema && readResponseSchema(responseSchema);
  return {
    reason,
    message: (message.trim() || (toolName ?? '?')).slice(0, maxMessage),
    ...(toolName === undefined ? {} : { toolName }),
    ...(partId === undefined ? {} : { toolId: partId }),
    ...(isObject(input) ? { input } : {}),
    ...(schema ? { responseSchema: schema } : {}),
    state: kept,
  };
}

/** What the visitor has answered, the parts of the tools, and what the agent keeps. */
export interface Answers {
  resume: Resumed[];
  /** By the ids of the agent. */
  parts: Map<string, string>;
  state: unknown;
  /** How often the page was called in this turn. */
  round: number;
}

/** Returns undefined if nothing was answered: the visitor wrote something else, or is gone. */
export function answersOf({ payload }: ResumeEvent): Answers | undefined {
  let state: unknown;
  const others: Resumed[] = [];
  const parts = new Map<string, string>();
  let round = 0;
  let goesOn = false;
  const resume = payload.interrupts.flatMap((settled): Resumed[] => {
    const { status, payload: answer, state: own } = settled;
    const { id, toolId, toolName, partId, kept, results = [], page } = (own ?? {}) as Partial<KeptInterrupt>;
    if (id === undefined) return [];
    state ??= kept;
    others.push(...results);
    if (page) {
      const answered = resultOfCall({ id, toolName, ...page }, settled);
      round = Math.max(round, page.round);
      goesOn ||= answered.goesOn;
      // The server has changed the part of the tool with the answer of the page.
      return [answered.resumed];
    }
    goesOn ||= status === 'resolved';
    if (toolId !== undefined && partId !== undefined) parts.set(toolId, partId);
    return [
      {
        interruptId: id,
        status,
        ...(toolId === undefined ? {} : { toolId }),
        ...(toolName === undefined ? {} : { toolName }),
        ...(answer === undefined ? {} : { payload: answer }),
      },
    ];
  });
  return goesOn ? { resume: [...resume, ...others], parts, state, round } : undefined;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
