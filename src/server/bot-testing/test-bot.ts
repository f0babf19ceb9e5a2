// A bot in a test: the parts of the server that run bots, in this process, with a database in a temporary folder. Nothing is
// imitated, so a bot behaves as in production; nothing listens on a port.
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BotHandler } from '../../protocol/bot.ts';
import { localeHeader } from '../../protocol/headers.ts';
import type { Message } from '../../protocol/message.ts';
import { parseSignal, type Signal } from '../../protocol/signal.ts';
import { inProcess } from '../bots/index.ts';
import { composeServer } from '../composition/server.ts';
import { unlimitedSettings } from '../composition/unlimited.ts';
import { createLogger } from '../startup/log.ts';
import { queuedDeliveries } from '../storage/bots/deliveries.ts';
import { openDatabase } from '../storage/open.ts';
import { buttonOf } from './buttons.ts';
import { createBotHeaders, request } from './requests.ts';
import type { TestBot, TestBotOptions } from './test-bot-interface.ts';

const webhookId = 'test';

/** Starts a bot and opens a conversation, for which the bot has handled `conversation_started`. Rejects if it has failed. */
export async function createTestBot(handler: BotHandler, options: TestBotOptions = {}): Promise<TestBot> {
  const folder = await mkdtemp(join(tmpdir(), 'webchat-bot-'));
  const db = await openDatabase(join(folder, 'platform.db'));
  const signals: Signal[] = [];
  const errors: unknown[] = [];
  const waiting = new Set<() => void>();
  const failures: string[] = [];
  let handled = 0;
  let isClosed = false;
  /** The first event waits until its signals are received. */
  let startListening = () => {};
  const listening = new Promise<void>((resolve) => {
    startListening = resolve;
  });
  const changed = () => {
    for (const check of [...waiting]) check();
  };

  const settings = {
    ...unlimitedSettings(),
    DATA_DIR: folder,
    PUBLIC_URL: 'http://bot.test',
    WEBHOOK_ID: webhookId,
  };
  const composition = await composeServer(settings, {
    db,
    bot: inProcess(async (event, bot) => {
      await listening;
      try {
        await handler(event, bot);
      } catch (error) {
        // The error of a stream that the visitor stopped is not a failure; see `act`.
        errors.push(error);
        throw error;
      }
    }),
    secret: randomUUID(),
    dist: join(folder, 'dist'),
    logger: createLogger('error', { write: (line) => failures.push(line) }),
    ...(options.timeLimit === undefined ? {} : { botTimeLimit: options.timeLimit }),
    onHandled() {
      handled += 1;
      changed();
    },
  });
  await composition.start();

  /** Resolves with the result of `find` as soon as it is not undefined. */
  function wait<T>(find: () => T | undefined): Promise<T> {
    return new Promise((resolve, reject) => {
      const check = () => {
        const found = find();
        if (found === undefined && !isClosed) return;
        waiting.delete(check);
        if (found === undefined) reject(new Error('The bot was closed.'));
        else resolve(found);
      };
      waiting.add(check);
      check();
    });
  }

  const headers: Record<string, string> = {
    'content-type': 'application/json',
    ...(options.locale ? { [localeHeader.name]: String(new URLSearchParams({ ...options.locale })) } : {}),
  };
  const call = <T>(method: string, path: string, body?: unknown): Promise<T> =>
    request(composition.app, method, `/chat/${webhookId}${path}`, headers, body);
  const ofBot = await createBotHeaders(db, composition.workspaceId);
  const runtime = (method: string, path: string, body?: unknown): Promise<unknown> =>
    request(composition.app, method, `/v1/chat${path}`, ofBot, body);
  let conversationId = '';
  const list = async (): Promise<Message[]> => {
    const found: Message[] = [];
    let nextToken: string | undefined;
    do {
      const query = nextToken === undefined ? '' : `?nextToken=${encodeURIComponent(nextToken)}`;
      const page = await call<{ messages: Message[]; meta: { nextToken?: string } }>(
        'GET',
        `/conversations/${conversationId}/messages${query}`,
      );
      found.push(...page.messages);
      nextToken = page.meta.nextToken;
    } while (nextToken !== undefined);
    return found.reverse();
  };
  const isOfBot = ({ userId }: Message) => userId !== visitor.id;

  /** Does something that causes one event, and waits until it was handled. Actions follow one another. */
  let last: Promise<unknown> = Promise.resolve();
  function act(cause: () => Promise<unknown>): Promise<Message[]> {
    const result = last.then(async () => {
      const before = new Set((conversationId === '' ? [] : await list()).map(({ id }) => id));
      const failedBefore = failures.length;
      errors.length = 0;
      await cause();
      // An event can cause others, such as one that asks for a person; while a person answers, there may be none.
      for (;;) {
        const seen = handled;
        if ((await db.read((tx) => queuedDeliveries(tx, 1))).count === 0) break;
        await wait(() => (handled > seen ? true : undefined));
      }
      if (failures.length > failedBefore)
        throw errors[0] ?? new Error(`The bot has failed: ${failures.at(-1) ?? ''}`);
      return (await list()).filter((message) => isOfBot(message) && !before.has(message.id));
    });
    last = result.catch(() => {});
    return result;
  }

  const send: TestBot['send'] = (payload, { metadata } = {}) =>
    act(() =>
      call('POST', '/messages', {
        conversationId,
        payload: typeof payload === 'string' ? { type: 'text', text: payload } : payload,
        ...(metadata ? { metadata } : {}),
      }),
    );

  async function close(): Promise<void> {
    if (isClosed) return;
    isClosed = true;
    changed();
    await composition.close();
    await db.close();
    await rm(folder, { recursive: true, force: true });
  }

  /** Receives the signals of the conversation, as a page does. */
  const listen = (visitorId: string) =>
    composition.pubSub.subscribe({
      botId: '',
      conversationId,
      ownerId: visitorId,
      userId: visitorId,
      keyHash: '',
      send({ bytes }) {
        const data = /^data: (.*)$/m.exec(new TextDecoder().decode(bytes))?.[1];
        const signal = data === undefined ? undefined : parseSignal(data);
        if (signal) signals.push(signal);
        changed();
      },
      isValid: () => true,
      accepts: () => true,
      close() {},
    });

  const { user: visitor, key } = await call<{ user: { id: string }; key: string }>(
    'POST',
    '/users',
    options.user ?? {},
  );
  headers['x-user-key'] = key;
  await act(async () => {
    const { conversation } = await call<{ conversation: { id: string } }>('POST', '/conversations', {});
    conversationId = conversation.id;
    listen(visitor.id);
    startListening();
  }).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return {
    signals,
    messages: list,
    send,
    async click(label) {
      const found = buttonOf((await list()).filter(isOfBot), label);
      if (found === undefined) throw new Error(`No message of the bot has a button “${label}”.`);
      if ('handoff' in found)
        return act(() => call('POST', `/conversations/${conversationId}/handoff`, found.handoff));
      return send({ type: 'text', ...found });
    },
    takeOver: async (person = { name: 'Ada' }) => {
      // Tests in JavaScript have no types, and the server would refuse the text without saying how to write it.
      if (typeof person !== 'object')
        throw new TypeError("takeOver() takes an object: takeOver({ name: 'Ada' }).");
      return act(async () => {
        await runtime('POST', `/conversations/${conversationId}/handoff`, {});
        await runtime('POST', `/conversations/${conversationId}/handoff/accept`, { person });
      });
    },
    async say(text) {
      const payload = { type: 'text', text };
      await runtime('POST', '/messages', { conversationId, payload, as: 'person' });
    },
    returnToBot: () => act(() => runtime('DELETE', `/conversations/${conversationId}/handoff`)),
    sendEvent: (payload) => act(() => call('POST', '/events', { conversationId, payload })),
    rate: (messageId, value, comment) =>
      act(() =>
        call('PUT', `/messages/${messageId}/feedback`, {
          value,
          ...(comment === undefined ? {} : { comment }),
        }),
      ),
    async stop() {
      const { data } = await wait(() => signals.findLast((signal) => signal.type === 'message_stream_delta'));
      await call('POST', `/conversations/${conversationId}/stop`, { streamId: data.streamId });
    },
    until: <T extends Signal['type']>(type: T) =>
      wait(() => signals.find((signal): signal is Extract<Signal, { type: T }> => signal.type === type)),
    close,
  };
}
