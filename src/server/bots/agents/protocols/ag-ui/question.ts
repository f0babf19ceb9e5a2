// The question of an interrupt, from whatever an agent says about it. AG-UI has a field for the message alone; servers put the
// tool, its input and often the question into values of their own form.
import {
  idOf,
  type JsonObject,
  lineOf,
  objectOf,
  objectsOf,
  plainOf,
  textOf,
  valueOfText,
} from '../shared/values.ts';

/**
 * How an agent wants the answer. `plain`: as it is. `decisions`: a list of decisions about `count` actions (the middleware of
 * LangChain for approvals). `responses`: a list of responses to `count` requests (LangChain's agent inbox).
 */
export interface AnswerForm {
  type: 'plain' | 'decisions' | 'responses';
  count: number;
}

export interface Question {
  /** Plain text; '' if there is none. */
  message: string;
  toolName?: string;
  /** Everything else that the agent says, so that nobody approves what they cannot see. */
  input?: unknown;
  responseSchema?: JsonObject;
  form: AnswerForm;
}

/** Characters of a question. A longer text is shown as a value. */
const messageLength = 2_000;

const messageNames = [
  'message',
  'question',
  'query',
  'prompt',
  'text',
  'title',
  'instruction',
  'instructions',
];
const otherMessageNames = ['description', 'reason'];
const toolNames = ['toolName', 'tool_name', 'tool'];
/** Names of a tool beside its input. Alone they can be anything, such as the name of a person. */
const namesBesideInput = ['action', 'name'];
const inputNames = ['input', 'args', 'arguments', 'toolInput', 'tool_input', 'parameters', 'params'];
const schemaNames = ['responseSchema', 'response_schema', 'resumeSchema', 'resume_schema'];
/** Fields that say nothing to a visitor. */
const idNames = ['id', 'type', 'toolCallId', 'tool_call_id', 'runId', 'run_id', 'expiresAt', 'expires_at'];

const plain: AnswerForm = { type: 'plain', count: 1 };

/** Reads the question in a value: a text, JSON as a text, an object, or a list. */
export function questionOf(value: unknown): Question {
  const parsed = typeof value === 'string' ? valueOfText(value) : value;
  if (typeof parsed === 'string') return fromText(parsed);
  const fields = objectOf(parsed);
  const actions = objectsOf(fields?.actionRequests ?? fields?.action_requests);
  if (fields && actions.length > 0) return fromActions(actions, fields, 'decisions');
  const requests = objectsOf(parsed).filter((one) => objectOf(one.action_request));
  if (requests.length > 0) {
    const all = requests.map(({ action_request: action, description }) => ({
      ...objectOf(action),
      description,
    }));
    return fromActions(all, {}, 'responses');
  }
  if (fields) return fromFields(fields);
  return { message: '', ...(parsed === undefined || parsed === null ? {} : { input: parsed }), form: plain };
}

function fromText(text: string): Question {
  const isShort = text.length <= messageLength;
  const message = plainOf(text, messageLength);
  return { message, ...(isShort ? {} : { input: { message: text } }), form: plain };
}

function fromActions(actions: readonly JsonObject[], fields: JsonObject, type: AnswerForm['type']): Question {
  const questions = actions.map(fromFields);
  const messages = questions.map(({ message }) => message).filter((message) => message !== '');
  const message =
    plainOf(messages.join('\n'), messageLength) || fromFields(omit(fields, actionNames)).message;
  const form: AnswerForm = { type, count: actions.length };
  const [only] = questions;
  if (only && questions.length === 1) return { ...only, message, form };
  const shown = questions.map(({ toolName, input }) => ({ tool: toolName, input }));
  return { message, input: { actions: shown }, form };
}

const actionNames = ['actionRequests', 'action_requests', 'reviewConfigs', 'review_configs'];

function fromFields(fields: JsonObject): Question {
  const used = new Set<string>([...idNames, ...schemaNames]);
  const take = <T>(names: readonly string[], read: (value: unknown) => T | undefined): T | undefined => {
    for (const name of names) {
      const found = Object.hasOwn(fields, name) ? read(fields[name]) : undefined;
      if (found === undefined) continue;
      used.add(name);
      return found;
    }
    return undefined;
  };
  const nested = take(['toolCall', 'tool_call', 'tool', 'action', 'function'], objectOf);
  const inner = nested && fromFields(nested);
  const hasInput = inputNames.some((name) => Object.hasOwn(fields, name));
  const names = hasInput ? [...toolNames, ...namesBesideInput] : toolNames;
  const toolName = take(names, lineOf) ?? inner?.toolName;
  const short = (value: unknown) =>
    typeof value === 'string' && value.length <= messageLength
      ? plainOf(value, messageLength) || undefined
      : undefined;
  const message = take(messageNames, short) ?? take(otherMessageNames, short) ?? inner?.message ?? '';
  const responseSchema = schemaOf(fields);
  const input =
    take(inputNames, (value) => (typeof value === 'string' ? valueOfText(value) : value)) ?? inner?.input;
  const rest = omit(fields, [...used]);
  const shown = together(input, rest);
  return {
    message,
    ...(toolName === undefined ? {} : { toolName }),
    ...(shown === undefined ? {} : { input: shown }),
    ...(responseSchema ? { responseSchema } : {}),
    form: plain,
  };
}

/** The schema of the answer, which some servers give as a text. */
export function schemaOf(fields: JsonObject): JsonObject | undefined {
  for (const name of schemaNames) {
    const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
    const schema = objectOf(typeof value === 'string' ? valueOfText(value) : value);
    if (schema) return schema;
  }
  return undefined;
}

/** The input of a tool, and what else is said, as one object that the visitor reads. */
export function together(input: unknown, rest: JsonObject): unknown {
  if (Object.keys(rest).length === 0) return input;
  if (input === undefined || input === null) return rest;
  const fields = objectOf(input) ?? { input };
  const name = ['details', 'details_', 'details__'].find((one) => !Object.hasOwn(fields, one)) ?? 'details';
  return { ...fields, [name]: rest };
}

const omit = (fields: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(
    Object.entries(fields).filter(
      ([name, value]) => !names.includes(name) && value !== undefined && value !== null,
    ),
  );

/** The question of a suspended tool of Mastra: `metadata.mastra` of an interrupt, or the value of its event. */
function ofMastra(fields: JsonObject): Question {
  const { toolName, args, suspendPayload } = fields;
  const asked = questionOf(suspendPayload);
  const name = lineOf(toolName);
  const rest = asked.toolName === undefined ? asked.input : suspendPayload;
  const details = rest === undefined ? {} : (objectOf(rest) ?? { payload: rest });
  const shown = together(args ?? undefined, details);
  const schema = schemaOf(fields);
  return {
    message: asked.message,
    ...(name === undefined ? {} : { toolName: name }),
    ...(shown === undefined ? {} : { input: shown }),
    ...(schema ? { responseSchema: schema } : {}),
    form: plain,
  };
}

/** A tool of Mastra that was suspended, and its run: what its server needs in order to go on. */
export interface Suspended {
  toolCallId: string;
  runId: string;
}

/** The value of an event of Mastra; undefined for that of another server. */
export function suspendedOf(value: unknown): Suspended | undefined {
  const { type, toolCallId, runId } = objectOf(typeof value === 'string' ? valueOfText(value) : value) ?? {};
  const call = idOf(toolCallId);
  const run = idOf(runId);
  return type === 'mastra_suspend' && call !== undefined && run !== undefined
    ? { toolCallId: call, runId: run }
    : undefined;
}

/** Reads the value of the event `on_interrupt`. */
export function questionOfEvent(value: unknown): Question {
  const fields = objectOf(typeof value === 'string' ? valueOfText(value) : value);
  return fields && suspendedOf(fields) ? ofMastra(fields) : questionOf(value);
}

/**
 * Reads what an interrupt says besides its own fields. `isNamed`: it has a question, a tool or an input of its own; then the data of
 * servers that are not known adds only what is missing, because it may be meant for programs.
 */
export function questionOfMetadata(metadata: unknown, isNamed: boolean): Question | undefined {
  const fields = objectOf(metadata);
  if (!fields || Object.keys(fields).length === 0) return undefined;
  const mastra = objectOf(fields.mastra);
  if (mastra) return ofMastra(mastra);
  const langgraph = objectOf(fields.langgraph);
  if (langgraph && 'raw' in langgraph) return questionOf(langgraph.raw);
  const [only, ...others] = Object.values(fields);
  const inner = others.length === 0 ? objectOf(only) : undefined;
  const found = questionOf(fields);
  const nested = inner && questionOf(inner);
  const best = found.message === '' && found.toolName === undefined && nested ? nested : found;
  const isKnown = best.message !== '' || best.toolName !== undefined;
  if (isNamed) {
    const { input: _, ...known } = best;
    return best.toolName === undefined ? known : best;
  }
  // Nothing is known: the visitor sees all of it.
  return isKnown ? best : { message: '', input: fields, form: plain };
}

/** The text of a refusal, for agents that take one. */
export const refusalText = (text: unknown): string => textOf(text) ?? 'The visitor declined.';
