// The data that the server stores from a run of AG-UI: the state of the agent, and the messages of the run in the
// agent's form. The run after an interrupt sends them back.
import type { AgentRun } from '../../protocol.ts';
import { answerTo, cancelledResult, resultText } from '../shared/request-texts.ts';
import type { ToolCall } from '../shared/tool-calls.ts';
import {
  fittingState,
  idOf,
  idsOf,
  type JsonObject,
  objectOf,
  objectsOf,
  savedStateBytes,
  textOf,
} from '../shared/values.ts';
import { contentText } from './content.ts';
import { type KnownAnswer, knownAnswersOf } from './thread-messages.ts';
import type { AnswerWay } from './waiting.ts';

/** What `saveState` contains. */
export interface SavedRun {
  /** The state of the agent. */
  state?: unknown;
  /** Of the runs of this turn so far. */
  messages: JsonObject[];
  /** The ids of the interrupts that wait for an answer. */
  interrupts: string[];
  /** The ids of the calls that wait for a result. */
  calls: string[];
  /** How the answers to interrupts are sent, by their ids, if not as they are. */
  ways?: Record<string, AnswerWay>;
  /** The agent's ids of its answers, if it keeps the thread itself. */
  answers?: KnownAnswer[];
  /** The id of the thread, if the run has one. An earlier version kept none: there it is the id of the conversation. */
  threadId?: string;
}

/** Bytes of the state of an agent as JSON; the rest is for ids and messages. */
export const stateBytes = savedStateBytes - 4_000;

export function savedRunOf(value: unknown): SavedRun {
  const kept = objectOf(value) ?? {};
  return {
    ...('state' in kept ? { state: kept.state } : {}),
    messages: objectsOf(kept.messages),
    interrupts: idsOf(kept.interrupts),
    calls: idsOf(kept.calls),
    ...(objectOf(kept.ways) ? { ways: kept.ways as Record<string, AnswerWay> } : {}),
    ...(Array.isArray(kept.answers) ? { answers: knownAnswersOf(kept.answers) } : {}),
    ...(idOf(kept.threadId) === undefined ? {} : { threadId: idOf(kept.threadId) }),
  } as SavedRun;
}

/**
 * The id of the thread, which stays the same for a conversation. Agents that kept a thread under the id of the conversation, as in
 * earlier versions, find it again.
 */
export function threadIdOf({ threadId, conversationId, state }: AgentRun): string {
  if (threadId === undefined) return conversationId;
  return state === undefined ? threadId : (savedRunOf(state).threadId ?? conversationId);
}

/** The messages of the turn before this run, with the results of its calls; none in a new turn. */
export function earlierMessages(run: AgentRun, kept: SavedRun): JsonObject[] {
  if (run.resume.length === 0) return [];
  return [...kept.messages, ...kept.calls.map((id) => resultOf(run, id))];
}

/** The message with the result of a call. */
function resultOf({ resume }: AgentRun, toolCallId: string): JsonObject {
  const answer = answerTo(toolCallId, resume);
  const content = resultText(answer);
  return {
    id: `result:${toolCallId}`,
    role: 'tool',
    toolCallId,
    content,
    ...(answer?.status === 'resolved' ? {} : { error: cancelledResult }),
  };
}

/** Characters of the messages. More would not be kept. */
const maxCharacters = 2 * savedStateBytes;
const maxMessages = 200;

export interface RunMessages {
  text(id: string, delta: string): void;
  reasoning(id: string, delta: string): void;
  call(id: string, name: string, parentId: string | undefined): void;
  result(id: string, toolCallId: string, content: unknown): void;
  /** A value that the provider of the agent wants back. */
  encrypted(subtype: unknown, id: string, value: string): void;
  /** Returns the data for the next run. Undefined if not even the open calls fit. */
  saved(left: Omit<SavedRun, 'messages'>): SavedRun | undefined;
}

/** Collects the messages of a run after `earlier`, those of its turn before it. */
export function createRunMessages(
  earlier: readonly JsonObject[],
  callOf: (id: string) => ToolCall | undefined,
): RunMessages {
  const messages: JsonObject[] = [...earlier];
  const ids = new Map(messages.map((message) => [textOf(message.id) ?? '', message]));
  const callsById = new Map<string, JsonObject>();
  let characters = 0;

  /** Whether there is room for some more characters. */
  function take(count: number): boolean {
    characters += count;
    return characters <= maxCharacters;
  }

  function message(id: string, role: string): JsonObject | undefined {
    const known = ids.get(id);
    if (known) return known.role === role ? known : undefined;
    if (messages.length >= maxMessages || !take(id.length)) return undefined;
    const added: JsonObject = { id, role };
    messages.push(added);
    ids.set(id, added);
    return added;
  }

  function append(id: string, role: string, delta: string): void {
    const found = message(id, role);
    if (found && take(delta.length)) found.content = `${found.content ?? ''}${delta}`;
  }

  /** A message as the agent has made it, with the inputs of its calls. */
  const complete = (one: JsonObject): JsonObject => {
    const toolCalls = objectsOf(one.toolCalls).map((call) => {
      const made = callOf(idOf(call.id) ?? '');
      // Those of earlier runs are complete.
      return made && !made.isEarlier
        ? { ...call, function: { name: made.name, arguments: made.text } }
        : call;
    });
    return toolCalls.length > 0 ? { ...one, toolCalls } : one;
  };

  return {
    text: (id, delta) => append(id, 'assistant', delta),
    reasoning: (id, delta) => append(id, 'reasoning', delta),
    call(id, name, parentId) {
      const holder = message(parentId ?? id, 'assistant');
      if (!holder || callsById.has(id) || !take(id.length + name.length)) return;
      const call: JsonObject = { id, type: 'function', function: { name, arguments: '' } };
      callsById.set(id, call);
      holder.toolCalls = [...objectsOf(holder.toolCalls), call];
    },
    result(id, toolCallId, content) {
      const text = contentText(content) ?? '';
      const holder = message(id, 'tool');
      if (!holder || !take(toolCallId.length + text.length)) return;
      Object.assign(holder, { toolCallId, content: text });
    },
    encrypted(subtype, id, value) {
      const holder = subtype === 'tool-call' ? callsById.get(id) : ids.get(id);
      if (holder && take(value.length)) holder.encryptedValue = value;
    },
    saved({ calls, ...rest }) {
      const isWhole = characters <= maxCharacters;
      const all = messages.filter(isValid).map(complete);
      // Texts, and calls with a result, are left out first, because the next run can do without them.
      const waiting = all.flatMap((one) => {
        const toolCalls = objectsOf(one.toolCalls).filter(({ id }) => calls.includes(String(id)));
        return toolCalls.length > 0 ? [{ id: one.id, role: 'assistant', toolCalls }] : [];
      });
      const candidates = [
        ...(isWhole ? [{ ...rest, calls, messages: all }] : []),
        { ...rest, calls, messages: waiting },
      ];
      return fittingState<SavedRun>(candidates);
    },
  };
}

/** Whether a message has what its role needs. */
const isValid = ({ role, content, toolCallId, toolCalls }: JsonObject): boolean => {
  if (role === 'assistant') return typeof content === 'string' || toolCalls !== undefined;
  return typeof content === 'string' && (role !== 'tool' || toolCallId !== undefined);
};
