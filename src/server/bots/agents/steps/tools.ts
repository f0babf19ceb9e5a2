// The tools that an agent can call, and the results of its calls. A result is found by the platform at once, or comes from
// elsewhere: then the run ends with a question, and goes on with its answer.
import type { AskedInterrupt, OfferedTool, Resumed } from '../protocol.ts';

/** A tool that the platform runs itself, while the visitor waits. */
export interface PlatformTool extends OfferedTool {
  /** What the visitor reads as the name of the step. */
  title?: string;
  /**
   * Returns the result as JSON or as a text. Must end soon after `signal` is aborted. What it throws is logged; the agent
   * reads only that the tool has failed.
   */
  run(input: Record<string, unknown>, signal: AbortSignal): Promise<unknown>;
}

/** A tool whose result comes from elsewhere: the run ends with this interrupt, and its answer is the result. */
export interface AskedTool extends OfferedTool {
  title?: string;
  ask(call: { id: string; input: Record<string, unknown> }): AskedInterrupt;
}

export type AgentTool = PlatformTool | AskedTool;

/** A call of an agent that has an input and no result. */
export interface OpenCall {
  /** The id of the agent. */
  id: string;
  name: string;
  /** As the agent gave it: anything. */
  input: unknown;
}

/** What came of a call. `output` is undefined if it failed: then the payload of the result tells the agent why. */
export interface CallResult {
  result: Resumed;
  output: unknown;
  hasFailed: boolean;
}

/** The results of the calls of one response, in their order, and the calls whose result comes from elsewhere. */
export interface CallResults {
  results: CallResult[];
  asked: AskedInterrupt[];
}

/** Calls of one response that are run: more of them are a mistake of the model. */
const maxCalls = 16;
/** Characters of a result as JSON. */
const maxResult = 32_000;

export interface AnswerCallsOptions {
  tools: readonly AgentTool[];
  signal: AbortSignal;
  /** Called before a result is returned, in the order of the calls. */
  onResult(call: OpenCall, result: CallResult): void;
  /** A tool has thrown an error. */
  onError(name: string, error: unknown): void;
}

/**
 * Runs the calls one after another. A call that cannot be run has a result that tells the agent why, so that it can go on.
 * Throws the reason of `signal`, also while a tool does not end.
 */
export async function answerCalls(
  calls: readonly OpenCall[],
  { tools, signal, onResult, onError }: AnswerCallsOptions,
): Promise<CallResults> {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const results: CallResult[] = [];
  const asked: AskedInterrupt[] = [];
  for (const [index, call] of calls.entries()) {
    const tool = byName.get(call.name);
    const problem = index < maxCalls ? problemOf(tool, call.input) : 'There are too many calls at once.';
    if (problem === undefined && tool && 'ask' in tool) {
      asked.push(tool.ask({ id: call.id, input: call.input as Record<string, unknown> }));
      continue;
    }
    const done =
      problem === undefined && tool && 'run' in tool
        ? await runTool(tool, call, signal, onError)
        : failed(call, problem ?? noTool);
    onResult(call, done);
    results.push(done);
  }
  return { results, asked };
}

const noTool = 'There is no tool of this name.';

/** Why a call cannot be run; undefined if it can. */
function problemOf(tool: AgentTool | undefined, input: unknown): string | undefined {
  if (!tool) return noTool;
  const isObject = typeof input === 'object' && input !== null && !Array.isArray(input);
  return isObject ? undefined : 'The arguments are not a JSON object.';
}

async function runTool(
  tool: PlatformTool,
  call: OpenCall,
  signal: AbortSignal,
  onError: AnswerCallsOptions['onError'],
): Promise<CallResult> {
  try {
    const output = await untilAborted(tool.run(call.input as Record<string, unknown>, signal), signal);
    const length = (JSON.stringify(output) ?? '').length;
    if (length > maxResult) return failed(call, 'The result is too long.');
    return { result: resolved(call, output ?? null), output: output ?? null, hasFailed: false };
  } catch (error) {
    signal.throwIfAborted();
    onError(tool.name, error);
    return failed(call, 'The tool has failed.');
  }
}

const resolved = ({ id, name }: OpenCall, payload: unknown): Resumed => ({
  interruptId: id,
  toolId: id,
  toolName: name,
  status: 'resolved',
  payload,
});

const failed = (call: OpenCall, error: string): CallResult => ({
  result: resolved(call, { error }),
  output: undefined,
  hasFailed: true,
});

/** Rejects with the reason of the signal when it is aborted first. */
async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  let onAbort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
