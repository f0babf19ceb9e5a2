// The interrupts at the end of a run: questions of AG-UI's own outcome, and those that servers send as the event `on_interrupt`.
import { limits } from '../../../../../protocol/limits.ts';
import type { AskedInterrupt } from '../../protocol.ts';
import type { Emit } from '../shared/event-reader.ts';
import type { ToolCalls } from '../shared/tool-calls.ts';
import { idOf, type JsonObject, objectOf, objectsOf, plainOf, textOf } from '../shared/values.ts';
import {
  type AnswerForm,
  type Question,
  questionOfEvent,
  questionOfMetadata,
  type Suspended,
  schemaOf,
  suspendedOf,
  together,
} from './question.ts';

/** Interrupts of one run. */
export const maxInterrupts = 20;

/** How the answer to an interrupt is sent, if not as it is in `resume`. */
export interface AnswerWay {
  form?: AnswerForm;
  /** The interrupt came as an event: its answer is sent as `forwardedProps.command`. */
  isCommand?: true;
  suspended?: Suspended;
}

export interface Waiting {
  interrupts: AskedInterrupt[];
  ways: Record<string, AnswerWay>;
}

/** The standard reasons. */
const reasons: readonly AskedInterrupt['reason'][] = ['tool_call', 'input_required', 'confirmation'];

/** Reads the interrupts of RUN_FINISHED, each once. */
export function interruptsOfOutcome(value: unknown, calls: ToolCalls, emit: Emit): Waiting {
  const waiting: Waiting = { interrupts: [], ways: {} };
  for (const event of objectsOf(value).slice(0, maxInterrupts)) {
    const id = idOf(event.id);
    if (id === undefined || waiting.interrupts.some((one) => one.id === id)) continue;
    const call = callOf(event.toolCallId, calls, emit);
    // The input was too long: nobody can approve what they cannot see.
    if (call.isTooLong) continue;
    const own = plainOf(event.message, limits.parts.fallback);
    const said = questionOfMetadata(event.metadata, own !== '' || call.name !== undefined);
    const isOther = typeof event.reason === 'string' && !reasons.some((one) => one === event.reason);
    const schema = schemaOf(event);
    const isBare = own === '' && !said && call.name === undefined && !schema;
    const nothing = isBare && isOther ? { reason: event.reason } : undefined;
    waiting.interrupts.push(
      asked(id, { ...call, message: own, reason: event.reason, nothing }, said, {
        schema,
        expiresAt: textOf(event.expiresAt),
      }),
    );
    if (said && said.form.type !== 'plain') waiting.ways[id] = { form: said.form };
  }
  return waiting;
}

/** Reads events `on_interrupt`. */
export function interruptsOfEvents(events: readonly JsonObject[], calls: ToolCalls, emit: Emit): Waiting {
  const waiting: Waiting = { interrupts: [], ways: {} };
  for (const [index, { value, rawEvent }] of events.slice(0, maxInterrupts).entries()) {
    const suspended = suspendedOf(value);
    const id = idOf(objectOf(rawEvent)?.id) ?? suspended?.toolCallId ?? `event:${index}`;
    if (waiting.interrupts.some((one) => one.id === id)) continue;
    const call = callOf(suspended?.toolCallId, calls, emit);
    if (call.isTooLong) continue;
    const said = questionOfEvent(value);
    waiting.interrupts.push(
      asked(id, { ...call, message: '', reason: undefined, nothing: undefined }, said, {}),
    );
    waiting.ways[id] = {
      isCommand: true,
      ...(said.form.type === 'plain' ? {} : { form: said.form }),
      ...(suspended ? { suspended } : {}),
    };
  }
  return waiting;
}

interface KnownCall {
  toolId?: string;
  name?: string;
  input?: unknown;
  isTooLong: boolean;
}

function callOf(toolCallId: unknown, calls: ToolCalls, emit: Emit): KnownCall {
  const toolId = idOf(toolCallId);
  if (toolId === undefined) return { isTooLong: false };
  // The agent may not have reported the end of the input.
  calls.complete(toolId, emit);
  const call = calls.get(toolId);
  if (!call) return { toolId, isTooLong: false };
  return { toolId, name: call.name, input: call.input, isTooLong: call.input === undefined };
}

function asked(
  id: string,
  own: KnownCall & { message: string; reason: unknown; nothing: JsonObject | undefined },
  said: Question | undefined,
  {
    schema = said?.responseSchema,
    expiresAt,
  }: { schema?: JsonObject | undefined; expiresAt?: string | undefined },
): AskedInterrupt {
  const { toolId } = own;
  const toolName = own.name ?? said?.toolName;
  // The input of the call is what is run; what is said beside it is shown, too.
  const extra = own.name !== undefined && said?.input !== undefined && !isSame(own.input, said.input);
  const input = own.name === undefined ? (said?.input ?? own.nothing) : own.input;
  const shown = extra ? together(input, objectOf(said?.input) ?? { input: said?.input }) : input;
  const other = schema ? 'input_required' : 'confirmation';
  const isTool = toolId !== undefined || toolName !== undefined;
  return {
    id,
    reason: reasons.find((one) => one === own.reason) ?? (isTool ? 'tool_call' : other),
    message: own.message || (said?.message ?? ''),
    ...(toolId === undefined ? {} : { toolId }),
    ...(toolName === undefined ? {} : { toolName }),
    ...(shown === undefined ? {} : { input: shown }),
    ...(schema ? { responseSchema: schema } : {}),
    ...(expiresAt === undefined ? {} : { expiresAt }),
  };
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
