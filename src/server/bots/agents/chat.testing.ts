// A scripted agent for the tests of a file, and visitors of servers whose bots it answers.
import { afterEach, beforeEach, expect } from 'vitest';
import type { Message } from '../../../protocol/message.ts';
import type { PartOf } from '../../../protocol/parts.ts';
import { pollOptions, type TestResponse, type TestServer } from '../../testing.ts';
import { type AgentServer, startAgentServer } from './testing.ts';

/** An agent that is started before each test of a file and closed after it. */
export function useAgent(): AgentServer {
  let agent: AgentServer;
  beforeEach(async () => {
    agent = await startAgentServer();
  });
  afterEach(() => agent.close());
  return {
    get url() {
      return agent.url;
    },
    get requests() {
      return agent.requests;
    },
    answer: (reply) => agent.answer(reply),
    close: () => agent.close(),
  };
}

export interface Chat {
  key: string;
  userId: string;
  conversationId: string;
  /** All messages, oldest first. */
  messages(): Promise<Message[]>;
  /** All messages when there are this many. */
  until(count: number): Promise<Message[]>;
  /** The messages of the bot when there are at least this many. */
  answers(count: number): Promise<Message[]>;
  /** Sends a text and returns the id of the message. */
  send(text: string, headers?: Record<string, string>): Promise<string>;
  /** Sends a text and returns the next message of the bot. */
  ask(text: string, headers?: Record<string, string>): Promise<Message>;
  /** Sends a request as the visitor. */
  post(path: string, body: object): Promise<TestResponse>;
}

/** A visitor with a conversation. `now`: the server, also after it was restarted. `user`: of an earlier chat. */
export async function startChat(
  now: () => TestServer,
  user?: { key: string; userId: string },
): Promise<Chat> {
  const created = user ?? (await now().user());
  const { key } = created;
  const userId = 'userId' in created ? created.userId : created.id;
  const conversationId = await now().conversation(key);
  const messages = async () => {
    const { body } = await now().call('GET', `/conversations/${conversationId}/messages`, { key });
    return (body.messages as Message[]).toReversed();
  };
  const own = async () => (await messages()).filter((message) => message.userId !== userId);
  const answers = async (count: number) => {
    await expect.poll(async () => (await own()).length, pollOptions).toBeGreaterThanOrEqual(count);
    return own();
  };
  const send: Chat['send'] = (text, headers) => now().sendMessage(key, conversationId, text, headers);
  return {
    ...{ key, userId, conversationId, messages, answers, send },
    async until(count) {
      await expect.poll(async () => (await messages()).length, pollOptions).toBe(count);
      return messages();
    },
    async ask(text, headers) {
      const { length } = await own();
      await send(text, headers);
      return (await answers(length + 1)).at(-1) as Message;
    },
    post: (path, body) => now().call('POST', path, { key, body }),
  };
}

export const markdownOf = (message: Message | undefined): string | undefined =>
  message?.payload.type === 'markdown' ? message.payload.markdown : undefined;

/** The question in a message. */
export const interruptOf = (message: Message | undefined): PartOf<'interrupt'> =>
  message?.parts?.find(({ type }) => type === 'interrupt') as PartOf<'interrupt'>;
