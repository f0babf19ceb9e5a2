// One step of a run: one request and its response.
import { setTimeout as wait } from 'node:timers/promises';
import type { Addresses } from '../webhooks/addresses.ts';
import { type Agent, requestAddress } from './agent.ts';
import type { AgentAnswer } from './answer.ts';
import type { BatchScheduler } from './batch-scheduler.ts';
import { createEventMerger } from './merged-events.ts';
import type { AgentEvent, AgentProtocol, AgentRun, AskedInterrupt } from './protocol.ts';
import { defaultTimes, type RequestTimes, type RunBudget, requestAgent, sendOnce } from './request.ts';
import { AgentFailure } from './response.ts';
import type { OpenCall } from './tools.ts';

export interface StepOptions {
  agent: Agent;
  protocol: AgentProtocol;
  run: AgentRun;
  answer: AgentAnswer;
  addresses: Addresses;
  times: Partial<RequestTimes>;
  /** The bytes and events that the run may still receive. */
  budget: RunBudget;
  scheduler: BatchScheduler | undefined;
  botId: string | undefined;
  signal: AbortSignal;
  /** The titles of tools that visitors read, by name. */
  titles: ReadonlyMap<string, string>;
  /** Only a closing tag showed that text was reasoning. */
  onThinking?: (() => void) | undefined;
  /** Called before anything is written. */
  onWrite(): void;
  /** Called at the end in any case, with the tokens that the agent reported, otherwise with an estimate. */
  onTokens(tokens: number): void;
}

export type LastEvent = Extract<AgentEvent, { type: 'end' | 'failed' }>;

export interface StepResult {
  /** Undefined if the connection failed. */
  last: LastEvent | undefined;
  failure: AgentFailure | undefined;
  /** Data of the agent for its next request. */
  state: unknown;
  asked: AskedInterrupt[];
  calls: OpenCall[];
  /** The agent is busy with an earlier run of the conversation, and has done nothing: the request can be sent again. */
  isBusy: boolean;
  /** The bytes of the agent's state if it is too large to be kept; otherwise 0. */
  droppedState: number;
}

/** Milliseconds that the request to end a run can take. */
const cancelTimeMs = 5_000;
/** Characters of a token, for agents that report no usage. */
const tokenCharacters = 4;
/**
 * The codes of requests that the agent has refused, or that have not reached it: they cost nothing. After a time limit or a broken
 * connection the agent may have worked.
 */
const refusals = [
  ...['status', 'busy', 'address_refused', 'ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'],
  ...['EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT'],
];

/**
 * Sends the request and writes the events of the agent into the answer. Throws the reason of `signal` if it is not a
 * failure.
 */
export async function runStep(options: StepOptions): Promise<StepResult> {
  const { agent, protocol, run, answer, signal } = options;
  const reader = protocol.createReader(run);
  const fields = fieldsOf(protocol.request(run), agent.options);
  const body = JSON.stringify(fields);
  const charactersBefore = answer.characters;
  const merger = createEventMerger();
  const asked = new Map<string, AskedInterrupt>();
  const calls = createOpenCalls();
  let last: LastEvent | undefined;
  let state: unknown;
  let tokens = 0;
  let isWritten = false;
  let isSilent = true;

  function apply(events: readonly AgentEvent[]): void {
    for (const event of events) {
      if (last) return;
      switch (event.type) {
        case 'end':
        case 'failed':
          last = event;
          break;
        case 'usage':
          tokens += event.inputTokens + event.outputTokens;
          break;
        case 'saveState':
          state = event.state;
          break;
        case 'step':
          isWritten = false;
          answer.beginStep();
          break;
        case 'text-was-reasoning':
          options.onThinking?.();
          answer.moveText();
          break;
        case 'step-back':
          // Text that visitors have seen cannot be removed.
          if (isWritten) last = { type: 'failed', code: 'step_back' };
          break;
        case 'interrupt':
          asked.set(event.interrupt.id, event.interrupt);
          break;
        default:
          options.onWrite();
          isWritten = true;
          calls.read(event);
          if (!answer.write(titled(event, options.titles))) last = { type: 'end', reason: 'truncated' };
      }
    }
  }

  let failure: AgentFailure | undefined;
  try {
    const request = {
      url: requestAddress(agent),
      headers: headersOf(agent),
      body,
      addresses: options.addresses,
      signal,
      times: options.times,
      budget: options.budget,
      scheduler: options.scheduler,
      botId: options.botId,
    };
    for await (const batch of requestAgent(request)) {
      isSilent = false;
      apply(merger.merge(batch.flatMap((event) => [...reader.read(event)])));
      if (last) break;
    }
  } catch (error) {
    if (signal.aborted) cancelRun(options, fields);
    if (!(error instanceof AgentFailure)) throw error;
    failure = error;
  } finally {
    // The connection may break after the agent has ended its answer.
    apply(merger.merge(reader.end()));
    const written = answer.characters - charactersBefore;
    const code = failure?.code ?? (last?.type === 'failed' ? last.code : '');
    const isRefused = refusals.includes(code);
    const estimate = isRefused ? 0 : Math.ceil((body.length + written) / tokenCharacters);
    options.onTokens(tokens || estimate);
  }
  const isEmpty = isSilent && !failure && protocol.isSilentWhenBusy === true;
  const isBusy = isEmpty || failure?.code === 'busy' || (last?.type === 'failed' && last.code === 'busy');
  const droppedState = reader.droppedState?.() ?? 0;
  return { last, failure, state, asked: [...asked.values()], calls: calls.open(), isBusy, droppedState };
}

const headersOf = ({ key, headers }: Agent): Record<string, string> => ({
  ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
  ...headers,
});

/** Asks the agent to end the run, if it has an address for that. Nobody waits for the answer. */
function cancelRun({ agent, protocol, addresses }: StepOptions, fields: Record<string, unknown>): void {
  const request = protocol.cancel?.(requestAddress(agent), fields);
  if (!request) return;
  const body = JSON.stringify(request.body);
  const signal = AbortSignal.timeout(cancelTimeMs);
  void sendOnce({ url: request.url, headers: headersOf(agent), body, addresses, signal }).catch(() => {});
}

const titled = (event: AgentEvent, titles: ReadonlyMap<string, string>): AgentEvent => {
  const title = event.type === 'tool' ? titles.get(event.name) : undefined;
  return title === undefined ? event : ({ ...event, title } as AgentEvent);
};

/** The calls of a response that have an input and no result. */
function createOpenCalls() {
  const names = new Map<string, string>();
  const open = new Map<string, OpenCall>();
  return {
    read(event: AgentEvent): void {
      if (event.type === 'tool') names.set(event.id, event.name);
      else if (event.type === 'tool-input') {
        const name = names.get(event.id);
        if (name !== undefined) open.set(event.id, { id: event.id, name, input: event.input });
      } else if (event.type === 'tool-output' || event.type === 'tool-error' || event.type === 'tool-denied')
        open.delete(event.id);
    },
    open: () => [...open.values()],
  };
}

/** The body of the request, with the options of the operator. */
function fieldsOf(body: Record<string, unknown>, options: Record<string, unknown>): Record<string, unknown> {
  const fields = Object.entries({ ...body, ...options, ...allTools(body.tools, options.tools) }).filter(
    ([, value]) => value !== null,
  );
  return Object.fromEntries(fields);
}

/** The tools of the operator's options together with those of the server and the page. */
function allTools(own: unknown, fromConfiguration: unknown): { tools?: unknown } {
  if (Array.isArray(own) && Array.isArray(fromConfiguration))
    return { tools: [...fromConfiguration, ...own] };
  const isBoth = [own, fromConfiguration].every(
    (one) => typeof one === 'object' && one !== null && !Array.isArray(one),
  );
  return isBoth ? { tools: { ...(own as object), ...(fromConfiguration as object) } } : {};
}

/**
 * Runs a step again, after pauses, while the agent is busy with an earlier run of the conversation: on many agents, a run that
 * the visitor has stopped continues, and no other can begin meanwhile. Throws the reason of `signal` also during a pause.
 */
export async function runRepeatedStep(options: StepOptions): Promise<StepResult> {
  const { times, signal } = options;
  let done = await runStep(options);
  for (const pause of times.busy ?? defaultTimes.busy) {
    if (!done.isBusy) break;
    await wait(pause, undefined, { signal }).catch(() => signal.throwIfAborted());
    done = await runStep(options);
  }
  return done;
}
