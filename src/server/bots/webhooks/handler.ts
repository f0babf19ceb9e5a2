// Takes the place of bot code for a bot that is elsewhere: sends the event to its address, and says what it answers at
// once. Whether and when it is sent again is decided by who calls.
import * as v from 'valibot';
import type { BotHandler } from '../../../protocol/bot.ts';
import { limits } from '../../../protocol/limits.ts';
import type { WebhookBody } from '../../../protocol/webhook.ts';
import { schemas } from '../../api/schemas.ts';
import { canonicalPayload } from '../../chat/index.ts';
import type { BotRow } from '../../storage/bots/bots.ts';
import type { Addresses } from './addresses.ts';
import { PostFailure, post } from './post.ts';
import { readRetryAfter } from './retry.ts';
import { signWebhook } from './sign.ts';

export interface WebhookOptions {
  addresses: Addresses;
  /** Milliseconds for one attempt, from the connection to the last byte of the answer. */
  timeLimit: number;
  now(): number;
}

/** The webhook did not take the event. */
export class NotTaken extends Error {
  override name = 'NotTaken';
  readonly status: number | undefined;
  /** A word, where the status does not say it. */
  readonly reason: string | undefined;
  /** Milliseconds after which the receiver wants it again. */
  readonly asked: number | undefined;
  /** It will never be taken. */
  readonly isFinal: boolean;

  constructor(what: Partial<Pick<NotTaken, 'status' | 'reason' | 'asked' | 'isFinal'>>) {
    super(what.reason ?? String(what.status));
    this.status = what.status;
    this.reason = what.reason;
    this.asked = what.asked;
    this.isFinal = what.isFinal ?? false;
  }
}

/** The webhook took the event, but what it answered cannot be said. */
export class AnswerRefused extends Error {
  override name = 'AnswerRefused';
  readonly reason: string;

  constructor(reason: string) {
    super(reason);
    this.reason = reason;
  }
}

/** The handler of one attempt, which counts from 1. It throws NotTaken or AnswerRefused, or what its tools throw. */
export function createWebhookHandler(
  { addresses, timeLimit, now }: WebhookOptions,
  { webhookUrl, signingSecret }: BotRow,
  attempt: number,
): BotHandler {
  return async (event, bot) => {
    const { user, conversation, message } = bot;
    const given: WebhookBody = { event, conversation, user, ...(message ? { message } : {}) };
    const body = JSON.stringify(given);
    const timestamp = Math.floor(now() / 1_000);
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'platform-webchat',
      'webhook-id': event.id,
      'webhook-timestamp': String(timestamp),
      'webhook-attempt': String(attempt),
      ...(signingSecret === null
        ? {}
        : { 'webhook-signature': signWebhook(signingSecret, event.id, timestamp, body) }),
    };
    const url = webhookUrl ?? '';
    const { status, retryAfter, answer } = await post({
      url,
      headers,
      body,
      addresses,
      timeLimit,
      signal: bot.signal,
    }).catch((error: unknown) => {
      if (!(error instanceof PostFailure)) throw error;
      if (error.reason === 'answer_too_large') throw new AnswerRefused(error.reason);
      const isFinal = error.reason === 'event_too_large';
      throw new NotTaken({ status: error.status, reason: error.reason, isFinal });
    });
    if (status < 200 || status > 299) {
      throw new NotTaken({ status, asked: readRetryAfter(retryAfter, now()), isFinal: status === 410 });
    }
    for (const { payload, metadata } of messagesIn(answer)) {
      await bot.reply(payload, metadata ? { metadata } : {});
    }
  };
}

const answers = v.object({
  messages: v.pipe(
    v.array(v.object({ payload: schemas.payload, metadata: v.exactOptional(schemas.data) })),
    v.maxLength(limits.webhookMessages),
  ),
});

/** The messages of an answer: none in one that has no `messages`, or is no JSON object. */
function messagesIn(answer: string | undefined): v.InferOutput<typeof answers>['messages'] {
  const value = parse(answer);
  if (typeof value !== 'object' || value === null || !('messages' in value)) return [];
  const { messages } = value;
  const spelled = Array.isArray(messages) ? messages.map(canonical) : messages;
  const result = v.safeParse(answers, { messages: spelled }, { abortEarly: true });
  if (!result.success) throw new AnswerRefused('answer_invalid');
  return result.output.messages;
}

function parse(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}

const canonical = (message: unknown): unknown =>
  typeof message === 'object' && message !== null && 'payload' in message
    ? { ...message, payload: canonicalPayload(message.payload) }
    : message;
