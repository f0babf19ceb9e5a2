// One run of an agent: sends the request, and writes what the agent says into the answer of the bot until the run is over.
import { ApiError } from '../../api/errors.ts';
import type { BotStreamHandle } from '../answers/stream.ts';
import type { Addresses } from '../webhooks/addresses.ts';
import { type Agent, requestAddress } from './agent.ts';
import { createAgentAnswer, type EarlierTools } from './answer.ts';
import { AgentFailure } from './failure.ts';
import { plainInterrupt } from './interrupts.ts';
import type { AgentEvent, AgentProtocol, AgentRun, AskedInterrupt } from './protocol.ts';
import { type RequestTimes, requestAgent } from './request.ts';

/** Milliseconds that one run can take. */
export const runTime = 5 * 60_000;

export interface RunOptions {
  agent: Agent;
  protocol: AgentProtocol;
  run: AgentRun;
  /** The answer, in which nothing is written yet. */
  handle: BotStreamHandle;
  addresses: Addresses;
  times?: (Partial<RequestTimes> & { run?: number }) | undefined;
  /** The tools of the message after whose interrupts the run goes on. */
  earlier?: EarlierTools | undefined;
  /** Called before anything is written. */
  onFirst?(): void;
  /** Called at the end, however it ended, with the tokens that the agent told, otherwise with an estimate. */
  onUsage?(tokens: number): void;
}

type Last = Extract<AgentEvent, { type: 'end' | 'failed' }>;

/** Characters of a token, where the agent tells no usage. */
const tokenCharacters = 4;

/**
 * Ends the answer, also when the run fails after its first text. Returns what the agent keeps for its next run. Throws
 * AgentFailure, and the reason of the stream's signal when the visitor stopped the answer.
 */
export async function runAgent(options: RunOptions): Promise<{ state: unknown }> {
  const { agent, protocol, run, handle, addresses, times = {} } = options;
  const { signal } = handle.stream;
  const answer = createAgentAnswer(handle, agent.show, options.earlier);
  const reader = protocol.createReader(run);
  const body = bodyOf(protocol.request(run), agent.options);
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(new AgentFailure('run_timeout')), times.run ?? runTime);
  let last: Last | undefined;
  let state: unknown;
  const asked = new Map<string, AskedInterrupt>();
  let tokens = 0;
  let isFirst = true;
  let isStepWritten = false;

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
        case 'keep':
          state = event.state;
          break;
        case 'step':
          isStepWritten = false;
          break;
        case 'step-back':
          // What visitors have seen cannot be taken back.
          if (isStepWritten) last = { type: 'failed', code: 'step_back' };
          break;
        case 'interrupt':
          asked.set(event.interrupt.id, event.interrupt);
          break;
        default:
          if (isFirst) options.onFirst?.();
          isFirst = false;
          isStepWritten = true;
          if (!answer.write(event)) last = { type: 'end', reason: 'truncated' };
      }
    }
  }

  let failure: AgentFailure | undefined;
  try {
    const request = {
      url: requestAddress(agent),
      headers: {
        ...(agent.key === undefined ? {} : { authorization: `Bearer ${agent.key}` }),
        ...agent.headers,
      },
      body,
      addresses,
      signal: AbortSignal.any([signal, limit.signal]),
      times,
    };
    for await (const event of requestAgent(request)) {
      apply(reader.read(event));
      if (last) break;
    }
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof AgentFailure)) throw error;
    failure = error;
  } finally {
    clearTimeout(timer);
    // A connection may break after the last word of the agent.
    apply(reader.end());
    options.onUsage?.(tokens || Math.ceil((body.length + answer.characters) / tokenCharacters));
  }
  const questions = [...asked.values()].filter(({ reason }) => reason !== 'client_tool');
  if (last?.type === 'end' && last.reason === 'interrupted' && questions.length > 0) {
    const markdown = answer.finish();
    const interrupts = questions.map((one, n) =>
      plainInterrupt(one, {
        partId: answer.partOf(one.toolId ?? ''),
        kept: n === 0 ? state : undefined,
      }),
    );
    const payload = markdown.trim() === '' ? undefined : ({ type: 'markdown', markdown } as const);
    await handle.stream.end(payload, { interrupts }).catch((error: unknown) => {
      // Such as an input that is too large to be shown: nobody can agree to what they cannot see.
      throw error instanceof ApiError ? new AgentFailure('interrupt_invalid') : error;
    });
    return { state };
  }
  await endAnswer(handle, answer.finish(), reasonOf(last, failure));
  return { state };
}

/** How the run ended: the metadata of the message, or the failure. */
function reasonOf(
  last: Last | undefined,
  failure: AgentFailure | undefined,
): AgentFailure | { metadata?: object } {
  if (last?.type !== 'end') return failure ?? new AgentFailure(last?.code ?? 'incomplete');
  switch (last.reason) {
    case 'finished':
      return {};
    case 'truncated':
      return { metadata: { truncated: true } };
    case 'stopped':
      return { metadata: { stopped: true } };
    case 'calls':
    case 'interrupted':
      // Nobody answers: no tools of the page are offered.
      return new AgentFailure(last.reason);
  }
}

async function endAnswer(
  { stream, abort }: BotStreamHandle,
  text: string,
  reason: AgentFailure | { metadata?: object },
): Promise<void> {
  const isFailure = reason instanceof AgentFailure;
  if (text.trim() === '') {
    abort();
    throw isFailure ? reason : new AgentFailure('empty');
  }
  const { metadata = {} } = isFailure ? { metadata: { error: 'agent_failed' } } : reason;
  await stream.end({ type: 'markdown', markdown: text }, { metadata: { ...metadata } });
  if (isFailure) throw new AgentFailure(reason.code, { status: reason.status, isAnswered: true });
}

/** The body as JSON, with the options of the operator. */
function bodyOf(body: Record<string, unknown>, options: Record<string, unknown>): string {
  const fields = Object.entries({ ...body, ...options }).filter(([, value]) => value !== null);
  return JSON.stringify(Object.fromEntries(fields));
}
