// The answers to the interrupts of the previous run, as AG-UI has them (`resume`), and as servers read them that ask with the event
// `on_interrupt` (`forwardedProps.command`: LangGraph, and Mastra without the outcome of AG-UI).
import type { AgentRun, Resumed } from '../../protocol.ts';
import { isApproval } from '../shared/request-texts.ts';
import { type JsonObject, parseJson } from '../shared/values.ts';
import { type AnswerForm, refusalText } from './question.ts';
import type { SavedRun } from './saved-run.ts';
import type { AnswerWay } from './waiting.ts';

/** An answer, or the message that the visitor wrote in its place. */
interface AnswerInput {
  answer: Resumed | undefined;
  text: string | undefined;
}

/** Whether the visitor has written a message in place of answering the interrupts of the previous run. */
export const isSuperseding = ({ resume }: AgentRun, savedRun: SavedRun): boolean =>
  resume.length === 0 && savedRun.interrupts.length > 0;

/** Whether all interrupts get the message itself as their answer, so that the agent has read it. */
export const isTextTheAnswer = (savedRun: SavedRun): boolean =>
  savedRun.interrupts.every((id) => {
    const { isCommand, form, suspended } = wayOf(savedRun, id);
    return form !== undefined || (isCommand === true && suspended === undefined);
  });

/** The fields of the request that answer all interrupts of the previous run: an agent cannot go on with some of them. */
export function answersOfRun(
  run: AgentRun,
  savedRun: SavedRun,
): { resume?: JsonObject[]; command?: JsonObject } {
  if (savedRun.interrupts.length === 0) return {};
  const last = run.history.at(-1);
  const text = isSuperseding(run, savedRun) && last?.role === 'user' ? last.text : undefined;
  const answers = savedRun.interrupts.map((id): [string, AnswerWay, AnswerInput] => [
    id,
    wayOf(savedRun, id),
    { answer: run.resume.find(({ interruptId }) => interruptId === id), text },
  ]);
  const commands = answers.filter(([, { isCommand }]) => isCommand);
  const entries = answers.filter(([, { isCommand }]) => !isCommand);
  return {
    ...(entries.length > 0 ? { resume: entries.map(entryOf) } : {}),
    ...(commands.length > 0 ? { command: commandOf(commands) } : {}),
  };
}

const wayOf = (savedRun: SavedRun, id: string): AnswerWay =>
  savedRun.ways && Object.hasOwn(savedRun.ways, id) ? (savedRun.ways[id] ?? {}) : {};

function entryOf([interruptId, { form }, answerInput]: [string, AnswerWay, AnswerInput]): JsonObject {
  const { answer } = answerInput;
  if (form) return { interruptId, status: 'resolved', payload: formValueOf(form, answerInput) };
  return {
    interruptId,
    status: answer?.status ?? 'cancelled',
    ...(answer?.payload === undefined ? {} : { payload: answer.payload }),
  };
}

function commandOf(commands: readonly [string, AnswerWay, AnswerInput][]): JsonObject {
  const suspended = commands.find(([, way]) => way.suspended);
  if (suspended) {
    // Mastra goes on with one tool at a time, and takes `false` for a tool that is not to run.
    const [, { suspended: interruptEvent }, { answer }] = suspended;
    return { resume: answer?.status === 'resolved' ? answer.payload : false, interruptEvent };
  }
  const [[, way, answerInput] = ['', {}, { answer: undefined, text: undefined }] as const, ...others] =
    commands;
  if (others.length === 0) return { resume: escaped(plainValue(way, answerInput)) };
  return { resume: Object.fromEntries(commands.map(([id, one, of]) => [id, plainValue(one, of)])) };
}

const plainValue = ({ form }: AnswerWay, answerInput: AnswerInput): unknown => {
  if (form) return formValueOf(form, answerInput);
  return answerInput.answer?.status === 'resolved'
    ? answerInput.answer.payload
    : (answerInput.text ?? { approved: false });
};

/** LangGraph parses a text that is JSON. */
const escaped = (value: unknown): unknown =>
  typeof value === 'string' && parseJson(value) !== undefined ? JSON.stringify(value) : value;

function formValueOf({ type, count }: AnswerForm, { answer, text }: AnswerInput): unknown {
  const isApproved = isApproval(answer);
  if (type === 'decisions') {
    const decision = isApproved ? { type: 'approve' } : { type: 'reject', message: refusalText(text) };
    return { decisions: Array.from({ length: count }, () => decision) };
  }
  const other = text === undefined ? { type: 'ignore', args: null } : { type: 'response', args: text };
  return Array.from({ length: count }, () => (isApproved ? { type: 'accept', args: null } : other));
}
