// The handler of a bot with a webhook: posts the event to its address and sends the messages of the response. The caller
// decides about retries.
import * as v from 'valibot';
import type { BotHandler } from '../../../protocol/bot.ts';
import { limits } from '../../../protocol/limits.ts';
import { schemas } from '../../../protocol/schemas/chat.ts';
import type { WebhookBody } from '../../../protocol/webhook.ts';
import { readRetryAfter } from '../../api/outgoing-requests.ts';
import { explain } from '../../api/validation.ts';
import { canonicalPayload } from '../../chat/index.ts';
import type { BotRow } from '../../storage/bots/bots.ts';
import type { BotRunnerOptions } from '../attempts/runner-interface.ts';
import type { EventContext } from '../event-context.ts';
import { type EventHandler, inProcess } from '../threads/load-bot.ts';
import { type Addresses, createAddressPolicy } from './addresses.ts';
import { type HostedContext, hostedRequest } from './hosted-format.ts';
import { PostFailure, post, signWebhook } from './post.ts';

export interface WebhookOptions {
  addresses: Addresses;
  /** Milliseconds for one attempt, from the connection to the last byte of the response. */
  timeLimit: number;
  now(): number;
}

/** The webhook did not accept the event. */
export class DeliveryRejected extends Error {
  override name = 'DeliveryRejected';
  readonly status: number | undefined;
  /** The reason as a code when there is no status. */
  readonly reason: string | undefined;
  /** Milliseconds until the receiver wants a retry (`Retry-After`). */
  readonly retryAfter: number | undefined;
  /** True when a retry cannot succeed. */
  readonly isFinal: boolean;

  constructor(details: Partial<Pick<DeliveryRejected, 'status' | 'reason' | 'retryAfter' | 'isFinal'>>) {
    super(details.reason ?? String(details.status));
    this.status = details.status;
    this.reason = details.reason;
    this.retryAfter = details.retryAfter;
    this.isFinal = details.isFinal ?? false;
  }
}

/** The webhook accepted the event, but the messages of its response are invalid. */
export class InvalidWebhookResponse extends Error {
  override name = 'InvalidWebhookResponse';
  readonly reason: string;
  /** For the log: which field is wrong. Contains no value. */
  readonly logMessage: string;

  constructor(reason: string, problem = '') {
    super(problem ? `${reason}: ${problem}` : reason);
    this.reason = reason;
    this.logMessage = this.message;
  }
}

/** The handler of one attempt (from 1). Throws DeliveryRejected, InvalidWebhookResponse, or an error of the bot API. */
export function createWebhookHandler(
  { addresses, timeLimit, now }: WebhookOptions,
  { bot: { webhookUrl, signingSecret }, hosted }: { bot: BotRow; hosted: HostedContext | undefined },
  attempt: number,
): BotHandler {
  return async (event, bot) => {
    const { user, conversation, message } = bot;
    const webhookBody: WebhookBody = { event, conversation, user, ...(message ? { message } : {}) };
    const request = hosted ? hostedRequest(webhookBody, hosted) : { body: webhookBody, headers: {} };
    const body = JSON.stringify(request.body);
    const timestamp = Math.floor(now() / 1_000);
    const headers = {
      ...request.headers,
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
    const { status, retryAfter, responseText } = await post({
      url,
      headers,
      body,
      addresses,
      timeLimit,
      signal: bot.signal,
    }).catch((error: unknown) => {
      if (!(error instanceof PostFailure)) throw error;
      if (error.reason === 'answer_too_large') throw new InvalidWebhookResponse(error.reason);
      const isFinal = error.reason === 'event_too_large';
      throw new DeliveryRejected({ status: error.status, reason: error.reason, isFinal });
    });
    if (status < 200 || status > 299) {
      throw new DeliveryRejected({
        status,
        retryAfter: readRetryAfter(retryAfter, now()),
        isFinal: status === 410,
      });
    }
    for (const { payload, metadata } of parseMessages(responseText)) {
      await bot.reply(payload, metadata ? { metadata } : {});
    }
  };
}

const responseSchema = v.object({
  messages: v.pipe(
    v.array(v.object({ payload: schemas.payload, metadata: v.exactOptional(schemas.data) })),
    v.maxLength(limits.webhookMessages),
  ),
});

/** The messages of a response: none if it is not a JSON object or has no `messages`. */
function parseMessages(text: string | undefined): v.InferOutput<typeof responseSchema>['messages'] {
  const value = parseJson(text);
  if (typeof value !== 'object' || value === null || !('messages' in value)) return [];
  const { messages } = value;
  const canonicalMessages = Array.isArray(messages) ? messages.map(withCanonicalPayload) : messages;
  const result = v.safeParse(responseSchema, { messages: canonicalMessages }, { abortEarly: true });
  if (!result.success) throw new InvalidWebhookResponse('answer_invalid', problemOf(result.issues[0]));
  return result.output.messages;
}

/** The wrong field and what was expected there, without its value and without the names in the metadata. */
function problemOf(issue: v.BaseIssue<unknown>): string {
  const path = (v.getDotPath(issue) ?? 'messages').replace(/\.metadata\..*$/s, '.metadata');
  return `${path}: ${explain(issue)}`;
}

function parseJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return undefined;
  }
}

const withCanonicalPayload = (message: unknown): unknown =>
  typeof message === 'object' && message !== null && 'payload' in message
    ? { ...message, payload: canonicalPayload(message.payload) }
    : message;

/** Milliseconds that one webhook request may take. */
const webhookTimeLimitMs = 15_000;

/** Returns a function that creates the handler of one event. `attempts`: how often it is sent, with this attempt. */
export function createWebhookHandlers({
  settings,
  webhookTimes: { timeLimit = webhookTimeLimitMs } = {},
  workspaceId,
  now,
}: Pick<BotRunnerOptions, 'settings' | 'webhookTimes' | 'workspaceId' | 'now'>) {
  const addressesOf = createAddressPolicy(settings.WEBHOOK_PRIVATE, workspaceId);
  return (context: EventContext, attempts: number): EventHandler => {
    const addresses = addressesOf(context.bot.workspaceId);
    return inProcess(createWebhookHandler({ timeLimit, now, addresses }, context, attempts)).handle;
  };
}
