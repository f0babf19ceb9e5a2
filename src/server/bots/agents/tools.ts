// The tools that an agent can call, and the results of its calls. Either the server runs a tool immediately, or the
// result comes from the page or the visitor: then the run ends with an interrupt, and continues with its answer.
import { unlessAborted } from '../attempts/cancellation.ts';
import type { AskedInterrupt, OfferedTool, Resumed } from './protocol.ts';

/** A tool that the server runs while the visitor waits. */
export interface PlatformTool extends OfferedTool {
  /** The name of the step that the visitor reads. */
  title?: string;
  /**
   * Returns the result as JSON or as a text. Must end soon after `signal` is aborted. An error is logged; the agent
   * learns only that the tool has failed.
   */
  run(input: Record<string, unknown>, signal: AbortSignal): Promise<unknown>;
}

/** A tool that the page or the visitor answers: the run ends with this interrupt, and its answer is the result. */
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
  /** The input as the agent sent it; it can be any value. */
  input: unknown;
}

/**
 * The outcome of a call. `output` is undefined if the call failed: then the payload of the result tells the agent why.
 */
export interface CallResult {
  result: Resumed;
  output: unknown;
  hasFailed: boolean;
}

/** The results of the calls of one response, in their order, and the calls that the page or the visitor answers. */
export interface CallResults {
  results: CallResult[];
  asked: AskedInterrupt[];
}

/** The maximum number of calls of one response that are run: more calls are a mistake of the model. */
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
 * Runs the calls one after another. The result of a call that cannot be run tells the agent why, so that it can
 * continue. Throws the reason of `signal`, also while a tool does not end.
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
    const output = await unlessAborted(tool.run(call.input as Record<string, unknown>, signal), signal);
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
