// Reads the end of a run of AG-UI: its usage, the calls and interrupts that it waits for, and the data for the next
// run.
import { limits } from '../../../../../protocol/limits.ts';
import type { AgentRun, AskedInterrupt } from '../../protocol.ts';
import type { Emit } from '../shared/event-reader.ts';
import type { ToolCalls } from '../shared/tool-calls.ts';
import { countOf, idOf, idsOf, type JsonObject, objectOf, objectsOf, plainOf } from '../shared/values.ts';
import type { RunMessages } from './saved-run.ts';

/** Interrupts of one run. */
const maxInterrupts = 20;

interface Ending {
  run: AgentRun;
  /** The state of the agent. */
  state: unknown;
  calls: ToolCalls;
  messages: RunMessages;
}

/** Reads RUN_FINISHED. */
export function emitEnd({ outcome, usage }: JsonObject, ending: Ending, emit: Emit): void {
  const { run, state } = ending;
  emitUsage(usage, emit);
  const { type, pendingToolCallIds, interrupts: given } = objectOf(outcome) ?? {};
  const interrupts = type === 'interrupt' ? interruptsOf(given, ending.calls, emit) : [];
  const calls = waitingCalls(idsOf(pendingToolCallIds), interrupts, ending);
  const isWaiting = calls.length > 0 || interrupts.length > 0;
  const left = {
    ...(state === undefined ? {} : { state }),
    interrupts: interrupts.map(({ id }) => id),
    calls,
  };
  const kept = isWaiting ? ending.messages.saved(left) : { ...left, messages: [] };
  if (type === 'cancelled') emit({ type: 'end', reason: 'stopped' });
  // Nobody can answer an interrupt that could not be read, and the agent continues only with an answer.
  else if (type === 'interrupt' && interrupts.length === 0)
    emit({ type: 'failed', code: 'invalid_interrupt' });
  else if (!kept) emit({ type: 'failed', code: 'state_too_large' });
  else {
    if (isWaiting || state !== undefined || run.state !== undefined) emit({ type: 'saveState', state: kept });
    for (const interrupt of interrupts) emit({ type: 'interrupt', interrupt });
    const after = calls.length > 0 ? 'calls' : 'finished';
    emit({ type: 'end', reason: interrupts.length > 0 ? 'interrupted' : after });
  }
}

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

const reasons: readonly AskedInterrupt['reason'][] = ['tool_call', 'input_required', 'confirmation'];

/** The interrupts of a run, each once. */
function interruptsOf(given: unknown, calls: ToolCalls, emit: Emit): AskedInterrupt[] {
  const found = new Map<string, AskedInterrupt>();
  for (const { id, reason, message, toolCallId, responseSchema } of objectsOf(given).slice(
    0,
    maxInterrupts,
  )) {
    const known = idOf(id);
    if (known === undefined || found.has(known)) continue;
    const toolId = idOf(toolCallId);
    // The agent may not have reported the end of the input.
    if (toolId !== undefined) calls.complete(toolId, emit);
    const call = toolId === undefined ? undefined : calls.get(toolId);
    // The input was too long: nobody can approve what they cannot see.
    if (call && call.input === undefined) continue;
    const schema = objectOf(responseSchema);
    const other = schema ? 'input_required' : 'confirmation';
    found.set(known, {
      id: known,
      reason: reasons.find((one) => one === reason) ?? (toolId === undefined ? other : 'tool_call'),
      message: plainOf(message, limits.parts.fallback),
      ...(toolId === undefined ? {} : { toolId }),
      ...(call ? { toolName: call.name, input: call.input } : {}),
      ...(schema ? { responseSchema: schema } : {}),
    });
  }
  return [...found.values()];
}
