// A bot in a test: the parts of the server that run bots, in this process, with a database in a temporary folder. Nothing is
// imitated, so a bot behaves as in production; nothing listens on a port.
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BotHandler } from '../../protocol/bot.ts';
import { localeHeader, type VisitorLocale } from '../../protocol/headers/locale.ts';
import type { Message, Metadata, Payload } from '../../protocol/message.ts';
import { parseSignal, type Signal } from '../../protocol/signal.ts';
import { inProcess } from '../bots/index.ts';
import { composeServer } from '../compose.ts';
import { createLogger } from '../log.ts';
import { openDatabase } from '../storage/open.ts';
import { buttonOf } from './buttons.ts';

export interface TestBotOptions {
  /** The visitor. */
  user?: { name?: string; pictureUrl?: string; profile?: string };
  /** `event.locale`. */
  locale?: VisitorLocale;
  /** Milliseconds that the bot may take for one event; the default is 60,000. */
  timeLimit?: number;
}

/**
 * One visitor in one conversation with the bot. Each action resolves when the bot has handled its event, with the messages
 * that the bot sent meanwhile; it rejects with the error of the bot if the bot has failed, and with an error that names the
 * operation if the server refuses what the visitor does.
 */
export interface TestBot {
  /** All messages of the conversation as they are stored now, oldest first. */
  messages(): Promise<Message[]>;
  /** The visitor sends a message: a text, or any payload. */
  send(payload: string | Payload, options?: { metadata?: Metadata }): Promise<Message[]>;
  /** The visitor presses the button with this label: of the newest message of the bot that has one, or a suggestion. */
  click(label: string): Promise<Message[]>;
  /** The page sends a custom event. */
  sendEvent(payload: Record<string, unknown>): Promise<Message[]>;
  /** The visitor rates a message of the bot. */
  rate(messageId: string, value: 'positive' | 'negative', comment?: string): Promise<Message[]>;
  /** The visitor stops the answer that is being written. Resolves when it has ended. */
  stop(): Promise<void>;
  /** What the page has received so far: messages, pieces of streams, typing indicators, custom events, commands. */
  readonly signals: readonly Signal[];
  /** Resolves with the first signal of this type, received or still to come. Rejects when the bot is closed before. */
  until<T extends Signal['type']>(type: T): Promise<Extract<Signal, { type: T }>>;
  /** Stops the bot and removes its data. */
  close(): Promise<void>;
}

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

  const composition = await composeServer({
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
    webhookId,
    dist: join(folder, 'dist'),
    filesFolder: join(folder, 'files'),
    publicUrl: 'http://bot.test',
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
  async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await composition.app.request(`/chat/${webhookId}${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const result = (await response.json()) as T & { message?: string };
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${result.message ?? ''}`);
    return result;
  }

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
      const [handledBefore, failedBefore] = [handled, failures.length];
      errors.length = 0;
      await cause();
      await wait(() => (handled > handledBefore ? true : undefined));
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
      const value = buttonOf((await list()).filter(isOfBot), label);
      if (value === undefined) throw new Error(`No message of the bot has a button “${label}”.`);
      return send({ type: 'text', ...value });
    },
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
