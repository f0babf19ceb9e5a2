// The data that the server stores from a run of AG-UI: the state of the agent, and the messages of the run in the
// agent's form. The run after an interrupt sends them back.
import { createHash } from 'node:crypto';
import type { AgentRun, HistoryMessage } from '../../protocol.ts';
import { answerTo, cancelledResult, resultText } from '../shared/request-texts.ts';
import type { ToolCall } from '../shared/tool-calls.ts';
import {
  bytesOf,
  fittingState,
  idOf,
  idsOf,
  type JsonObject,
  objectOf,
  objectsOf,
  savedStateBytes,
  textOf,
} from '../shared/values.ts';
import type { AnswerWay } from './waiting.ts';

/** The content of `saveState`. */
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
  const stored = objectOf(value) ?? {};
  return {
    ...('state' in stored ? { state: stored.state } : {}),
    messages: objectsOf(stored.messages),
    interrupts: idsOf(stored.interrupts),
    calls: idsOf(stored.calls),
    ...(objectOf(stored.ways) ? { ways: stored.ways as Record<string, AnswerWay> } : {}),
    ...(Array.isArray(stored.answers) ? { answers: knownAnswersOf(stored.answers) } : {}),
    ...(idOf(stored.threadId) === undefined ? {} : { threadId: idOf(stored.threadId) }),
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
export function earlierMessages(run: AgentRun, saved: SavedRun): JsonObject[] {
  if (run.resume.length === 0) return [];
  return [...saved.messages, ...saved.calls.map((id) => resultOf(run, id))];
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
  saved(rest: Omit<SavedRun, 'messages'>): SavedRun | undefined;
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
    const existing = ids.get(id);
    if (existing) return existing.role === role ? existing : undefined;
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
      // Messages of earlier runs are complete.
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

/**
 * Returns the text of the content of a message, which is a text or a list of parts; undefined if it is not valid. Pictures,
 * sounds and files are left out.
 */
export function contentText(content: unknown): string | undefined {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return undefined;
  return objectsOf(content)
    .map((part) => (part.type === 'text' ? (textOf(part.text) ?? '') : ''))
    .join('');
}

/**
 * The id that an agent gave to an answer, and the digest of the text. An agent that keeps the thread itself (LangGraph) adds
 * messages with unknown ids, so that each answer would be in its thread twice.
 */
export type KnownAnswer = [id: string, digest: string];

/** Answers whose ids are kept, and characters of an id. */
const maxAnswers = 20;
const maxId = 64;

/** The digest of a text without its white space: the texts of an answer are stored with paragraphs between them. */
const digestOf = (text: string): string =>
  createHash('sha256').update(text.replace(/\s+/g, '')).digest('base64url').slice(0, 12);

export const knownAnswersOf = (value: unknown): KnownAnswer[] =>
  Array.isArray(value)
    ? value.flatMap((one: unknown): KnownAnswer[] => {
        const [id, digest] = (Array.isArray(one) ? one : []) as unknown[];
        const validId = idOf(id);
        return validId !== undefined && typeof digest === 'string' ? [[validId, digest]] : [];
      })
    : [];

/** Adds an answer, which consists of these messages of the agent. The last one gives it its id. */
export function withAnswer(
  answers: readonly KnownAnswer[],
  texts: readonly { id: string; text: string }[],
): KnownAnswer[] {
  const last = texts.at(-1);
  if (!last || last.id.length > maxId) return [...answers];
  return [...answers, [last.id, digestOf(texts.map(({ text }) => text).join(''))] as KnownAnswer].slice(
    -maxAnswers,
  );
}

/** The id of a message for the agent: its own id of an answer, otherwise ours. */
export function idForAgent({ id, role, text }: HistoryMessage, answers: readonly KnownAnswer[]): string {
  if (role !== 'assistant' || answers.length === 0) return id;
  const digest = digestOf(text);
  return answers.findLast(([, one]) => one === digest)?.[0] ?? id;
}

/** The state of an agent that the server keeps for the next run. */
export interface KeptState {
  change(value: unknown): void;
  /** The state as the agent left it, to which its next change belongs. */
  readonly whole: unknown;
  /** The state that is kept; undefined if there is none, or if it is too large. */
  readonly value: unknown;
  /** The bytes of a state that is too large; 0 if it is kept. */
  readonly dropped: number;
}

/** Bytes of a state that changes can be applied to. */
const followedBytes = 1_000_000;

/** `first`: the state that the previous run left. */
export function createKeptState(first: unknown): KeptState {
  let whole = first;
  let value = first;
  let dropped = 0;
  return {
    change(next) {
      const bytes = bytesOf(next);
      whole = bytes <= followedBytes ? next : undefined;
      // An incomplete state would mislead the agent. Without a state it begins again.
      value = bytes <= stateBytes ? next : withoutMessages(next);
      dropped = next === undefined || value !== undefined ? 0 : bytes;
    },
    get whole() {
      return whole;
    },
    get value() {
      return value;
    },
    get dropped() {
      return dropped;
    },
  };
}

/** A state without the conversation, which each request has anyway: LangGraph puts it there. Undefined if it is still too large. */
function withoutMessages(state: unknown): unknown {
  const { messages, ...rest } = objectOf(state) ?? {};
  return Array.isArray(messages) && bytesOf(rest) <= stateBytes ? rest : undefined;
}
