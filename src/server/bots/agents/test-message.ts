// A test message to an agent without a bot, so that the operator sees the answer before visitors do.
import { limits } from '../../../protocol/limits.ts';
import type { Message, Payload } from '../../../protocol/message.ts';
import { type Part, settleParts } from '../../../protocol/parts.ts';
import { createPartList } from '../../api/part-list.ts';
import { createAnswerParts } from '../answers/answer-parts.ts';
import type { BotStreamHandle } from '../answers/stream.ts';
import { type Addresses, createAddresses } from '../webhooks/addresses.ts';
import { type Agent, protocolOf } from './agent.ts';
import { AgentFailure } from './response.ts';
import { type RunOptions, runAgent, uuidOf } from './run.ts';

export interface TestAnswer {
  /** The text with its citations; only the beginning if the run has failed. */
  text: string;
  parts: readonly Part[];
  tokens: number;
  /** Why the run has failed; undefined if it has not. */
  failure: AgentFailure | undefined;
}

interface TestOptions {
  signal: AbortSignal;
  /** Receives the text as it arrives. */
  onText(delta: string): void;
  /** All by default: those of the operator. */
  addresses?: Addresses;
  times?: RunOptions['times'];
  botId?: string;
}

/** Sends one message to an agent. Throws the reason of `signal`. */
export async function sendTestMessage(
  agent: Agent,
  text: string,
  { signal, onText, addresses = createAddresses(true), times, botId }: TestOptions,
): Promise<TestAnswer> {
  const protocol = protocolOf(agent.protocol);
  const { handle, answer } = localAnswer(signal, onText);
  const createdAt = new Date().toISOString();
  let tokens = 0;
  let failure: AgentFailure | undefined;
  try {
    await runAgent({
      agent,
      protocol,
      handle,
      addresses,
      times: { ...(agent.timeout === undefined ? {} : { idle: 1_000 * agent.timeout }), ...times },
      botId,
      run: {
        runId: uuidOf(`trial-${createdAt}`),
        conversationId: 'trial',
        threadId: uuidOf(`trial-${createdAt}-thread`),
        model: agent.model,
        instructions: agent.instructions,
        history: [{ id: 'message-1', role: 'user', text, createdAt }],
        knowledge: [],
        context: [],
        state: undefined,
        resume: [],
        maxOutputTokens: 2_048,
      },
      onUsage(used) {
        tokens = used;
      },
    });
  } catch (error) {
    if (!(error instanceof AgentFailure)) throw error;
    failure = error;
  }
  const { text: written, parts } = answer();
  return { text: written, parts: settleParts(parts, new Date().toISOString()), tokens, failure };
}

/** An answer that is kept in memory. */
export function localAnswer(signal: AbortSignal, onText: (delta: string) => void) {
  const list = createPartList();
  let text = '';
  let final: string | undefined;
  const append = (delta: string): void => {
    if (text.length + delta.length > limits.streamCharacters) throw new Error('The answer is too long.');
    text += delta;
    onText(delta);
  };
  const changePart: BotStreamHandle['changePart'] = (change) => void list.apply(change);
  const end = async (payload: Payload = { type: 'markdown', markdown: text }): Promise<Message> => {
    if (payload.type === 'markdown') final = payload.markdown;
    return { id: 'trial', conversationId: 'trial', userId: 'trial', createdAt: '', payload };
  };
  const {
    plainInterrupts: _,
    reset,
    ...parts
  } = createAnswerParts({
    parts: () => list.parts,
    position: () => text.length,
    change: changePart,
    write: append,
  });
  const handle: BotStreamHandle = {
    append,
    changePart,
    parts: () => list.parts,
    receivedParts: () => list.received,
    text: () => text,
    restart(beginning) {
      text = beginning;
      reset();
    },
    abort() {},
    stream: {
      id: 'trial',
      signal,
      ...parts,
      end,
      interrupt: () => end(undefined),
      abort() {},
    },
  };
  return { handle, answer: () => ({ text: final ?? text, parts: list.parts }) };
}
