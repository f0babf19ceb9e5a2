// Interrupts of agents: creates the question for the visitor, and reads the answers for the agent.
import * as v from 'valibot';
import { textsFor } from '../../../locales/index.ts';
import type { ResumeEvent } from '../../../protocol/bot.ts';
import { limits } from '../../../protocol/limits.ts';
import { stringFormats } from '../../../protocol/response-schema.ts';
import { interruptSchemas } from '../../../protocol/schemas/interrupts.ts';
import type { NewInterrupt, ResponseProperty, ResponseSchema } from '../../../protocol/types/interrupts.ts';
import { beginningOf } from '../../api/message-text.ts';
import { resultOfCall } from './page-tools.ts';
import type { AskedInterrupt, Resumed } from './protocol.ts';

/** The data that the server stores with an interrupt: the ids of the agent, and the part of the tool. */
interface StoredInterrupt {
  id: string;
  toolId?: string;
  toolName?: string;
  partId?: string;
  /** The state of the agent for its next request; with the first interrupt of a message. */
  kept?: unknown;
  /** The results of other calls of the same response; with the first interrupt of a message. */
  results?: Resumed[];
  page?: AskedInterrupt['page'];
}

/** Characters of a question. */
const maxMessage = 2_000;

/**
 * Returns the interrupt of the bot's answer. `partId`: the part of the tool, if it is shown. `kept`: data for the
 * agent's next request, and the results of other calls. The ids of agents can have any form.
 */
export function plainInterrupt(
  asked: AskedInterrupt,
  {
    partId,
    agentState,
    unknownQuestion = textsFor([]).texts.agents.unknownQuestion,
    now = Date.now(),
  }: {
    partId: string | undefined;
    agentState: { state: unknown; results: Resumed[] } | undefined;
    unknownQuestion?: string | undefined;
    now?: number;
  },
): NewInterrupt {
  const { id, reason, message, toolId, toolName, input, responseSchema, expiresAt, page } = asked;
  const stored: StoredInterrupt = {
    id,
    ...(toolId === undefined ? {} : { toolId }),
    ...(toolName === undefined ? {} : { toolName }),
    ...(partId === undefined ? {} : { partId }),
    ...(agentState?.state === undefined ? {} : { kept: agentState.state }),
    ...(agentState && agentState.results.length > 0 ? { results: agentState.results } : {}),
    ...(page === undefined ? {} : { page }),
  };
  const schema = responseSchema && readResponseSchema(responseSchema);
  return {
    reason,
    message: beginningOf(message.trim() || (toolName ?? unknownQuestion), maxMessage),
    ...(toolName === undefined ? {} : { toolName }),
    ...(partId === undefined ? {} : { toolId: partId }),
    // The visitor approves only what can be seen. The agent keeps the input as it is.
    ...(input === undefined ? {} : { input: isObject(input) ? input : { input } }),
    ...(schema ? { responseSchema: schema } : {}),
    ...timeLeft(expiresAt, now),
    state: stored,
  };
}

/** The time that the agent waits, if it waits less than the server or says so. */
function timeLeft(expiresAt: string | undefined, now: number): { expiresIn?: number } {
  const remaining = expiresAt === undefined ? Number.NaN : Date.parse(expiresAt) - now;
  const { minTime, maxTime } = limits.interrupts;
  return Number.isNaN(remaining)
    ? {}
    : { expiresIn: Math.round(Math.min(Math.max(remaining, minTime), maxTime)) };
}

/**
 * The data that the agent keeps while its questions were not answered: the visitor wrote a message instead, or nobody answered.
 * Undefined if the page or the visitor has answered one, and for agents that keep none.
 */
export const unansweredState = ({ payload }: ResumeEvent): unknown =>
  payload.interrupts
    .map(({ state }) => (state as Partial<StoredInterrupt> | undefined)?.kept)
    .find((state) => state !== undefined);

/** The answers of the visitor, the parts of the tools, and the data for the agent's next request. */
export interface InterruptAnswers {
  resume: Resumed[];
  /** By the ids of the agent. */
  parts: Map<string, string>;
  state: unknown;
  /** The number of calls of the page in this turn. */
  round: number;
}

/** Returns undefined if nothing was answered: the visitor sent another message, or has left. */
export function answersOf({ payload }: ResumeEvent): InterruptAnswers | undefined {
  let state: unknown;
  const others: Resumed[] = [];
  const parts = new Map<string, string>();
  let round = 0;
  let goesOn = false;
  const resume = payload.interrupts.flatMap((settled): Resumed[] => {
    const { status, payload: answer, state: own } = settled;
    const {
      id,
      toolId,
      toolName,
      partId,
      kept,
      results = [],
      page,
    } = (own ?? {}) as Partial<StoredInterrupt>;
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

const formNames = ['type', 'title', 'description', 'properties', 'required'];
const propertyNames = [
  ...['type', 'title', 'description', 'default', 'format', 'minLength', 'maxLength', 'enum', 'oneOf'],
  ...['minimum', 'maximum', 'items', 'minItems', 'maxItems'],
];

/** The form that is used if the schema needs more than a form supports. */
const anyText: ResponseSchema = {
  type: 'object',
  properties: { answer: { type: 'string' } },
  required: ['answer'],
};

/**
 * Returns the form of an answer for the JSON Schema of an agent, which can have any content; undefined for a plain approval,
 * which has two buttons. Unsupported keywords of the schema are ignored.
 */
export function readResponseSchema(schema: object): ResponseSchema | undefined {
  const { properties, ...form } = pick(schema, formNames);
  const entries = Object.entries(isObject(properties) ? properties : {});
  const candidate = {
    ...form,
    properties: Object.fromEntries(entries.map(([name, property]) => [name, readProperty(property)])),
  };
  const result = v.safeParse(interruptSchemas.responseSchema, candidate);
  if (!result.success) return anyText;
  const isApproval =
    entries.length === 1 &&
    (result.output.properties.approved as ResponseProperty | undefined)?.type === 'boolean';
  return isApproval ? undefined : result.output;
}

function readProperty(property: unknown): unknown {
  if (!isObject(property)) return property;
  const { format, ...fields } = pick(property, propertyNames);
  return stringFormats.some((supported) => supported === format) ? { ...fields, format } : fields;
}

const pick = (value: object, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(value).filter(([name]) => names.includes(name)));
