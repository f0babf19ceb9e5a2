// Reads the end of a run of AG-UI: its usage, the calls and interrupts that it waits for, and the data for the next
// run.
import type { AgentRun, AskedInterrupt } from '../../protocol.ts';
import type { Emit } from '../shared/event-reader.ts';
import type { ToolCalls } from '../shared/tool-calls.ts';
import { countOf, idsOf, type JsonObject, objectOf, objectsOf } from '../shared/values.ts';
import { type KnownAnswer, type RunMessages, type SavedRun, threadIdOf } from './saved-run.ts';
import { interruptsOfEvents, interruptsOfOutcome, type Waiting } from './waiting.ts';

interface Ending {
  run: AgentRun;
  /** The state of the agent. */
  state: unknown;
  calls: ToolCalls;
  messages: RunMessages;
  /** The agent's ids of its answers, if it keeps the thread itself. */
  answers: readonly KnownAnswer[];
  /** Events `on_interrupt`. */
  events: readonly JsonObject[];
  /** The agent has not answered the message of the visitor, only ended what was open before it. */
  isUnread: boolean;
}

const none: Waiting = { interrupts: [], ways: {} };

/** Reads RUN_FINISHED. */
export function emitEnd({ outcome, usage }: JsonObject, ending: Ending, emit: Emit): void {
  const { run, state } = ending;
  emitUsage(usage, emit);
  const { type, pendingToolCallIds, interrupts: outcomeInterrupts } = objectOf(outcome) ?? {};
  const isAsking = type === 'interrupt';
  const ofOutcome = isAsking ? interruptsOfOutcome(outcomeInterrupts, ending.calls, emit) : none;
  const isOutcome = ofOutcome.interrupts.length > 0 || type === 'cancelled';
  const waiting = isOutcome ? ofOutcome : interruptsOfEvents(ending.events, ending.calls, emit);
  const { interrupts, ways } = waiting;
  const calls = waitingCalls(idsOf(pendingToolCallIds), interrupts, ending);
  const isWaiting = calls.length > 0 || interrupts.length > 0;
  const rest = {
    ...stateOf(ending),
    interrupts: interrupts.map(({ id }) => id),
    calls,
    ...(Object.keys(ways).length > 0 ? { ways } : {}),
  };
  const saved = isWaiting ? ending.messages.saved(rest) : { ...rest, messages: [] };
  if (type === 'cancelled') emit({ type: 'end', reason: 'stopped' });
  // Nobody can answer an interrupt that could not be read, and the agent continues only with an answer.
  else if ((isAsking || ending.events.length > 0) && interrupts.length === 0)
    emit({ type: 'failed', code: 'invalid_interrupt' });
  else if (!saved) emit({ type: 'failed', code: 'state_too_large' });
  else {
    if (isWaiting || state !== undefined || run.state !== undefined)
      emit({ type: 'saveState', state: saved });
    for (const interrupt of interrupts) emit({ type: 'interrupt', interrupt });
    const after = calls.length > 0 ? 'calls' : ending.isUnread ? 'unread' : 'finished';
    emit({ type: 'end', reason: interrupts.length > 0 ? 'interrupted' : after });
  }
}

/** Ends a run in which nothing is open at the agent any more, without an answer to the message of the visitor. */
export function emitUnread(ending: EndingState, emit: Emit): void {
  const saved: SavedRun = { ...stateOf(ending), interrupts: [], calls: [], messages: [] };
  emit({ type: 'saveState', state: saved });
  emit({ type: 'end', reason: 'unread' });
}

type EndingState = Pick<Ending, 'run' | 'state' | 'answers'>;

const stateOf = ({ run, state, answers }: EndingState): Pick<SavedRun, 'state' | 'answers' | 'threadId'> => ({
  ...(state === undefined ? {} : { state }),
  ...(answers.length === 0 ? {} : { answers: [...answers] }),
  ...(run.threadId === undefined ? {} : { threadId: threadIdOf(run) }),
});

/**
 * The ids of the calls that the server or the page runs. `named`: the calls that the agent lists; by default all
 * without a result.
 */
const waitingCalls = (
  named: readonly string[],
  interrupts: readonly AskedInterrupt[],
  { run, calls }: Ending,
): string[] =>
  calls
    .pending(new Set(run.tools.map(({ name }) => name)))
    .map(({ id }) => id)
    .filter((id) => named.length === 0 || named.includes(id))
    .filter((id) => !interrupts.some(({ toolId }) => toolId === id));

/** The tokens of all models that the agent used. */
export function emitUsage(usage: unknown, emit: Emit): void {
  const all = objectsOf(usage);
  if (all.length === 0) return;
  const sum = (field: string) => all.reduce((total, one) => total + (countOf(one[field]) ?? 0), 0);
  emit({ type: 'usage', inputTokens: sum('inputTokens'), outputTokens: sum('outputTokens') });
}
