// The handlers of events that are sent to webhooks, with the settings of the server.
import type { BotRunnerOptions } from '../attempts/runner-interface.ts';
import type { EventContext } from '../event-context.ts';
import { type EventHandler, inProcess } from '../threads/load-bot.ts';
import { createAddressPolicy } from './addresses.ts';
import { createWebhookHandler } from './handler.ts';

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
