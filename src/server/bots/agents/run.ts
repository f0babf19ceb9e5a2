// One run of an agent: its steps, each with one request, until the run is over. The text of the agent is written into
// the answer of the bot, and calls of tools are run between two steps.
import { createHash } from 'node:crypto';
import { maxAgentTimeout } from '../../../protocol/admin.ts';
import { ApiError } from '../../api/errors.ts';
import { type BotStreamHandle, hasBlock } from '../answers/stream.ts';
import type { Addresses } from '../webhooks/addresses.ts';
import { type Agent, needsModel } from './agent.ts';
import { type AgentAnswer, createAgentAnswer, type EarlierTools } from './answer.ts';
import type { BatchScheduler } from './batch-scheduler.ts';
import { plainInterrupt } from './interrupts.ts';
import type { RunPassages } from './knowledge/passages.ts';
import type { AgentProtocol, AgentRun, AskedInterrupt, Resumed } from './protocol.ts';
import { type RequestTimes, runBudget } from './request.ts';
import { AgentFailure } from './response.ts';
import { type LastEvent, runRepeatedStep, type StepResult } from './step.ts';
import { type AgentTool, answerCalls } from './tools.ts';

/** Milliseconds that one run can take. */
export const runTimeMs = maxAgentTimeout * 1_000;

/** How the steps ended: with their last response, or with questions for the visitor or the page. */
interface Outcome {
  last: LastEvent | undefined;
  failure: AgentFailure | undefined;
  /** Data of the agent for the next run or for the answers to its questions. */
  state: unknown;
  questions: AskedInterrupt[];
  /** The results of other calls of the response that contains the questions. */
  results: Resumed[];
}

/** Requests of one run: each but the first has results of tools. */
export const defaultSteps = 8;

/**
 * Ends the answer, also when the run fails after its first text. Returns the data of the agent for its next run. Throws
 * AgentFailure, and the reason of the stream's signal when the visitor stopped the answer.
 */
export async function runAgent(options: RunOptions): Promise<{ state: unknown }> {
  const { handle, times = {} } = options;
  const { signal } = handle.stream;
  const answer = createAgentAnswer(handle, options.agent.show, options);
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(new AgentFailure('run_timeout')), times.run ?? runTimeMs);
  let tokens = 0;
  let outcome: Outcome;
  try {
    outcome = await runSteps({
      options,
      answer,
      signal: AbortSignal.any([signal, limit.signal]),
      tokens: () => tokens,
      addTokens: (more) => {
        tokens += more;
      },
    });
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof AgentFailure)) throw error;
    outcome = { last: undefined, failure: error, state: undefined, questions: [], results: [] };
  } finally {
    clearTimeout(timer);
    options.onUsage?.(tokens);
  }
  const { state } = outcome;
  if (outcome.questions.length > 0) {
    await ask(handle, answer, outcome, options.unknownQuestion);
    return { state };
  }
  const reason = reasonOf(outcome);
  await endAnswer(handle, answer.finish(!(reason instanceof AgentFailure)), reason);
  return { state };
}

interface StepsOptions {
  options: RunOptions;
  answer: AgentAnswer;
  signal: AbortSignal;
  tokens(): number;
  addTokens(tokens: number): void;
}

/** Runs steps until no call is left that the server can run. Throws the reason of `signal`, and AgentFailure. */
async function runSteps({ options, answer, signal, tokens, addTokens }: StepsOptions): Promise<Outcome> {
  const { agent, protocol, tools = [], addresses, times = {}, steps = defaultSteps } = options;
  const offered = tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }));
  const titles = new Map(
    tools.flatMap(({ name, title }) => (title === undefined ? [] : [[name, title] as const])),
  );
  const budget = runBudget();
  let run: AgentRun = { ...options.run, tools: offered };
  let isFirst = true;
  /** The message of the visitor was sent once more, after the agent had ended what was open before it. */
  let isRepeated = false;
  for (let step = 1; ; step += 1) {
    const done = await runRepeatedStep({
      agent,
      protocol,
      run,
      answer,
      addresses,
      times,
      budget,
      scheduler: options.scheduler,
      botId: options.botId,
      signal,
      titles,
      onThinking: options.onThinking,
      onWrite() {
        if (isFirst) options.onFirst?.();
        isFirst = false;
      },
      onTokens: addTokens,
    });
    const { last, state, droppedState } = done;
    if (droppedState > 0) options.onStateDropped?.(droppedState);
    if (last?.type === 'end' && last.reason === 'unread' && !isRepeated) {
      isRepeated = true;
      run = { ...run, runId: uuidOf(`${options.run.runId}-unread`), state, resume: [] };
      answer.nextStep();
      continue;
    }
    const isWaiting = last?.type === 'end' && (last.reason === 'calls' || last.reason === 'interrupted');
    if (!isWaiting) return { ...done, questions: [], results: [] };
    const questions = done.asked.filter(({ reason }) => reason !== 'client_tool');
    const { results, asked } = await answerCalls(openCalls(done, protocol, tools), {
      tools,
      signal,
      onResult({ id }, { output, hasFailed }) {
        answer.write(hasFailed ? { type: 'tool-error', id } : { type: 'tool-output', id, output });
      },
      onError: (name, error) => options.onToolError?.(name, error),
    });
    const resume = results.map(({ result }) => result);
    const all = [...questions, ...asked];
    const isAsked = all.length > 0;
    // No tools are offered whose calls would get no result.
    if (isAsked || resume.length === 0) return { ...done, questions: all, results: resume };
    if (step >= steps) throw new AgentFailure('too_many_steps');
    if ((await options.mayContinue?.(tokens())) === false) throw new AgentFailure('tokens_per_day');
    run = { ...run, runId: uuidOf(`${options.run.runId}-${step + 1}`), state, resume };
    answer.nextStep();
  }
}

/**
 * The calls that the server runs: those of its tools. In the protocols of OpenAI all calls, because no other program
 * runs them.
 */
function openCalls(
  { calls, asked }: StepResult,
  { name: protocol }: AgentProtocol,
  tools: readonly AgentTool[],
): StepResult['calls'] {
  if (tools.length === 0) return [];
  const names = new Set(tools.map(({ name }) => name));
  const ofQuestions = new Set(asked.map(({ toolId }) => toolId));
  return calls.filter(({ id, name }) => !ofQuestions.has(id) && (names.has(name) || needsModel(protocol)));
}

/** Ends the answer with questions. Throws AgentFailure if they cannot be asked. */
async function ask(
  handle: BotStreamHandle,
  answer: AgentAnswer,
  { questions, results, state }: Outcome,
  unknownQuestion: string | undefined,
): Promise<void> {
  const markdown = answer.finish(false);
  const interrupts = questions.map((one, n) =>
    plainInterrupt(one, {
      partId: answer.partOf(one.toolId ?? ''),
      agentState: n === 0 ? { state, results } : undefined,
      unknownQuestion,
    }),
  );
  const payload = markdown.trim() === '' ? undefined : ({ type: 'markdown', markdown } as const);
  try {
    await handle.stream.end(payload, { interrupts });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    // For example, an input is too large to be shown: nobody can approve what they cannot see. What was read stays.
    await endAnswer(handle, markdown, new AgentFailure('interrupt_invalid'));
  }
}

/** The outcome of the run: the metadata of the message, or the failure. */
function reasonOf({ last, failure }: Outcome): AgentFailure | { metadata?: object } {
  if (last?.type !== 'end') return failure ?? new AgentFailure(last?.code ?? 'incomplete');
  switch (last.reason) {
    case 'finished':
    case 'unread':
      return {};
    case 'truncated':
      return { metadata: { truncated: true } };
    case 'stopped':
      return { metadata: { stopped: true } };
    case 'calls':
    case 'interrupted':
      // No tools of the page are offered, so no page answers.
      return new AgentFailure(last.reason);
  }
}

async function endAnswer(
  { stream, abort, parts }: BotStreamHandle,
  text: string,
  reason: AgentFailure | { metadata?: object },
): Promise<void> {
  const isFailure = reason instanceof AgentFailure;
  const isEmpty = text.trim() === '';
  if (isEmpty && !hasBlock(parts())) {
    abort();
    throw isFailure ? reason : new AgentFailure('empty');
  }
  const { metadata = {} } = isFailure ? { metadata: { error: 'agent_failed' } } : reason;
  // Without text, the payload is the text in place of the blocks.
  const payload = isEmpty ? undefined : ({ type: 'markdown', markdown: text } as const);
  await stream.end(payload, { metadata: { ...metadata } });
  if (isFailure) throw new AgentFailure(reason.code, { status: reason.status, isAnswered: true });
}

/** The options of a run of an agent, with the functions that it calls. */
export interface RunOptions {
  agent: Agent;
  protocol: AgentProtocol;
  /** Its `tools` are those of `tools` below. */
  run: Omit<AgentRun, 'tools'>;
  /** The tools that the server runs, or whose results it requests from the page; none by default. */
  tools?: readonly AgentTool[] | undefined;
  /** The maximum number of requests of the run; by default that of the settings. */
  steps?: number | undefined;
  /** The answer, in which nothing is written yet. */
  handle: BotStreamHandle;
  addresses: Addresses;
  times?: (Partial<RequestTimes> & { run?: number }) | undefined;
  /** Shares the main thread between all runs of a server; and the bot of this one. */
  scheduler?: BatchScheduler | undefined;
  botId?: string | undefined;
  /** The tools of the message whose interrupts were answered, if the run continues after them. */
  earlier?: EarlierTools | undefined;
  /** The words for a question about which the agent says nothing; by default in English. */
  unknownQuestion?: string | undefined;
  /** The passages that the agent can cite, including those that its tools find. */
  passages?: RunPassages | undefined;
  /** Only a closing tag showed that text was reasoning. */
  onThinking?(): void;
  /** Called before anything is written. */
  onFirst?(): void;
  /** Called at the end in any case, with the tokens that the agent reported, otherwise with an estimate. */
  onUsage?(tokens: number): void;
  /** Whether another step may follow, with the tokens of the run so far; by default it may. */
  mayContinue?(tokens: number): Promise<boolean>;
  /** The state of the agent is too large to be kept; its bytes. */
  onStateDropped?(bytes: number): void;
  /** A tool of the platform has thrown an error. */
  onToolError?(name: string, error: unknown): void;
}

/** Our own namespace for names (RFC 9562, section 5.5). */
const namespace = Buffer.from('8f0c2f6f6a0e5b0f9d3b6f1d5a7c4e21', 'hex');

/**
 * Returns the UUID (version 5) of a name, always the same. Ids of threads and runs are UUIDs, because some agents accept no
 * others (LangGraph).
 */
export function uuidOf(name: string): string {
  const bytes = createHash('sha1').update(namespace).update(name).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [
    [0, 8],
    [8, 12],
    [12, 16],
    [16, 20],
    [20, 32],
  ]
    .map(([from, to]) => hex.slice(from, to))
    .join('-');
}
