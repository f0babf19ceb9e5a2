// Load of a trial: visitors of a webhook bot whose webhook fails sometimes, and the bot itself, which answers with the
// Runtime API: typing, streamed answers, proactive messages.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { ApiError, ChatClient, RuntimeClient, verifyWebhook } from '../../../../src/client/index.ts';
import type { WebhookBody } from '../../../../src/protocol/webhook.ts';
import { pollUntil } from '../../../support/poll.ts';
import type { Random } from '../../../support/random.ts';
import { retry } from '../retry.ts';
import { type Listener, startPlatformListener } from './listener.ts';

/** A request to the webhook. */
export interface WebhookReceipt {
  eventId: string;
  conversationId: string;
  /** The message that caused the event; undefined for other events. */
  messageId: string | undefined;
  /** Whether it was acknowledged with a 2xx status. */
  isAcknowledged: boolean;
}

/** A message that the bot has sent by the Runtime API, as it was acknowledged. */
export interface BotMessage {
  id: string;
  conversationId: string;
  text: string;
  /** The id of the streamed answer; undefined for a proactive message. */
  streamId?: string;
}

export interface WebhookRecord {
  receipts: WebhookReceipt[];
  /** The messages of visitors that were acknowledged, by conversation, in order. */
  sent: Map<string, string[]>;
  botMessages: BotMessage[];
  /** By conversation. */
  listeners: Map<string, Listener[]>;
  /** Streams that the database has lost. */
  lostStreams: number;
}

export interface WebhookLoad {
  record: WebhookRecord;
  /** Stops writing, and resolves when every event was acknowledged by the receiver, or nothing arrives any more. */
  finish(): Promise<void>;
  close(): Promise<void>;
}

export interface WebhookLoadOptions {
  /** The address of the server. */
  url: string;
  random: Random;
  conversations: number;
  listenersPerConversation: number;
  /** Whether the database was replaced: a replica has no streams that are being written (docs/decisions/0066). */
  mayLoseStreams(): boolean;
  /** Creates the bot; returns its ids, a token and the secret that signs requests. */
  createBot(webhookUrl: string): Promise<{ id: string; token: string; webhookId: string; secret: string }>;
}

/** How often an attempt fails on purpose: once in so many. */
const failureRate = 5;
/**
 * How often an event fails on purpose at most. A process that is killed counts as a failed attempt, too, and after four of
 * them the next attempt comes after a minute, then after five: the trial would end before.
 */
const maxFailures = 2;
/** Milliseconds without a request to the webhook after which missing events count as lost: more than the first long pause. */
const silence = 90_000;
const pieces = ['A streamed ', 'answer ', 'with an emoji 🚲 ', 'in several ', 'pieces.'];

export async function startWebhookLoad(options: WebhookLoadOptions): Promise<WebhookLoad> {
  const { url, random, createBot, mayLoseStreams } = options;
  const record: WebhookRecord = {
    receipts: [],
    sent: new Map(),
    botMessages: [],
    listeners: new Map(),
    lostStreams: 0,
  };
  let isOver = false;
  let lastReceipt = performance.now();
  let secret = '';
  /** Events that the bot has begun to answer. */
  const answered = new Map<string, Promise<void>>();
  const problems: unknown[] = [];

  const receiver = createServer((request, response) => {
    receive(request, response).catch((error: unknown) => {
      // A process that was killed sends half a request.
      if (request.complete) problems.push(error);
      response.destroy();
    });
  });

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    const { event, message }: WebhookBody = await verifyWebhook({
      secret,
      headers: request.headers,
      body,
      // One of the processes may have a wrong clock.
      tolerance: 600,
    });
    lastReceipt = performance.now();
    const receipt: WebhookReceipt = {
      eventId: event.id,
      conversationId: event.conversationId ?? '',
      messageId: message?.id,
      isAcknowledged: false,
    };
    record.receipts.push(receipt);
    const failures = record.receipts.filter(
      ({ eventId, isAcknowledged }) => eventId === event.id && !isAcknowledged,
    );
    if (random.below(failureRate) === 0 && failures.length <= maxFailures) {
      // A refusal, or a connection that is cut before or after the work was done.
      const way = random.below(3);
      if (way === 0) return void response.writeHead(503).end();
      if (way === 1) return void response.destroy();
      answer(event.id, receipt.conversationId);
      return void response.destroy();
    }
    receipt.isAcknowledged = true;
    answer(event.id, receipt.conversationId);
    response.writeHead(204).end();
  }

  /** Answers an event once, however often it arrives, as the documentation of webhooks asks for. */
  function answer(eventId: string, conversationId: string): void {
    if (answered.has(eventId)) return;
    const work =
      random.below(2) === 0 ? streamOrSend(eventId, conversationId) : send(eventId, conversationId);
    answered.set(eventId, work);
    work.catch((error: unknown) => problems.push(error));
  }

  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const webhookUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const bot = await createBot(webhookUrl);
  secret = bot.secret;
  const runtime = new RuntimeClient({ apiUrl: url, token: bot.token, botId: bot.id, retry: 0 });
  const chatUrl = `${url}/chat/${bot.webhookId}`;

  async function send(eventId: string, conversationId: string): Promise<void> {
    await retry(() => runtime.setTyping({ id: conversationId, typing: true }));
    const text = `answer to ${eventId}`;
    const { message } = await retry(() =>
      runtime.createMessage(
        { conversationId, payload: { type: 'text', text } },
        { idempotencyKey: `${eventId}-1` },
      ),
    );
    record.botMessages.push({ id: message.id, conversationId, text });
  }

  /** A bot whose stream was lost sends its answer as a message. */
  async function streamOrSend(eventId: string, conversationId: string): Promise<void> {
    try {
      await stream(eventId, conversationId);
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 404 && mayLoseStreams())) throw error;
      record.lostStreams += 1;
      await send(eventId, conversationId);
    }
  }

  async function stream(eventId: string, conversationId: string): Promise<void> {
    const { stream } = await retry(() =>
      runtime.createStream({ conversationId }, { idempotencyKey: `${eventId}-stream` }),
    );
    let text = '';
    for (const piece of [`${eventId}: `, ...pieces]) {
      const position = text.length;
      await retry(() => runtime.writeStream({ id: stream.id, delta: piece, position }));
      text += piece;
      await pause(random.between(0, 30));
    }
    const { message } = await retry(() => runtime.endStream({ id: stream.id }));
    record.botMessages.push({ id: message.id, conversationId, text, streamId: stream.id });
  }

  const visitors: Promise<void>[] = [];
  for (let n = 0; n < options.conversations; n += 1) {
    const client = new ChatClient({ chatUrl });
    const key = () => ({ idempotencyKey: crypto.randomUUID() });
    const creating = key();
    const user = await retry(() => client.createUser({}, creating));
    client.userKey = user.key;
    const beginning = key();
    const { conversation } = await retry(() => client.createConversation({}, beginning));
    const { id } = conversation;
    const sent: string[] = [];
    record.sent.set(id, sent);
    record.listeners.set(
      id,
      Array.from({ length: options.listenersPerConversation }, (_, index) =>
        startPlatformListener(client, id, `webhook listener ${n}.${index}`),
      ),
    );
    visitors.push(
      (async () => {
        for (let count = 0; !isOver; count += 1) {
          const sending = key();
          if (random.below(3) === 0) await retry(() => client.setTyping({ id, typing: true }));
          const payload = { type: 'text' as const, text: `question ${n}.${count}` };
          const { message } = await retry(() =>
            client.createMessage({ conversationId: id, payload }, sending),
          );
          sent.push(message.id);
          // Its events block each other, and each one can fail a few times.
          await pause(random.between(200, 1_500));
        }
      })(),
    );
  }

  const missing = () => {
    const acknowledged = new Set(
      record.receipts.filter(({ isAcknowledged }) => isAcknowledged).map(({ messageId }) => messageId),
    );
    return [...record.sent.values()].flat().some((id) => !acknowledged.has(id));
  };

  return {
    record,
    async finish() {
      isOver = true;
      await Promise.all(visitors);
      lastReceipt = performance.now();
      await pollUntil(
        'webhooks are delivered',
        () => !missing() || performance.now() - lastReceipt > silence,
        {
          timeoutMs: 600_000,
        },
      );
      await Promise.allSettled(answered.values());
      if (problems.length > 0) throw problems[0];
      const listeners = [...record.listeners.values()].flat();
      const isShown = (conversationId: string, listener: Listener) =>
        record.botMessages.every(
          (one) => one.conversationId !== conversationId || listener.messageIds.includes(one.id),
        );
      const all = [...record.listeners].flatMap(([id, here]) =>
        here.map((listener) => [id, listener] as const),
      );
      const end = performance.now() + silence;
      await pollUntil(
        'all listeners have received all answers, and nobody types',
        () =>
          (all.every(([id, listener]) => isShown(id, listener)) &&
            listeners.every(({ typing, openStreams }) => typing.size === 0 && openStreams.size === 0)) ||
          performance.now() > end,
        { timeoutMs: 2 * silence },
      );
    },
    async close() {
      for (const listener of [...record.listeners.values()].flat()) listener.close();
      receiver.closeAllConnections();
      await new Promise((resolve) => receiver.close(resolve));
    },
  };
}
