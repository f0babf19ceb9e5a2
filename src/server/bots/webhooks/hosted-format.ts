// Requests to a webhook as the SDK of the hosted product reads them: headers say what the body is, and a message arrives
// with its conversation and its user in an event of the type `message_created`.
import type { WebhookBody } from '../../../protocol/webhook.ts';
import { type BotRow, readDefinition } from '../../storage/bots/bots.ts';
import { findEventOptions } from '../../storage/bots/deployment.ts';
import type { ConversationRow } from '../../storage/chat/conversations.ts';
import type { Tx } from '../../storage/database.ts';

/** The content of the request beyond the body of the standard format. */
export interface HostedContext {
  /** The id of the bot's own user. */
  botUserId: string;
  /** The channel of the conversation. */
  channel: string;
  /** `configuration.data` of the bot. */
  configuration: unknown;
}

/** Returns undefined for a bot whose webhook reads the standard format. */
export async function hostedContextOf(
  tx: Tx,
  { id, userId }: BotRow,
  { channel }: ConversationRow,
): Promise<HostedContext | undefined> {
  const { webhookFormat } = await findEventOptions(tx, id);
  if (webhookFormat !== 'hosted') return undefined;
  const { definition } = await readDefinition(tx, id);
  const { configuration } = JSON.parse(definition) as { configuration?: { data?: unknown } };
  return { botUserId: userId, channel, configuration: configuration?.data };
}

/** Events of this server that the hosted product's chat for web pages has under a name of its own. */
const names: Readonly<Record<string, string>> = { conversation_started: 'webchat:conversationStarted' };

/** Returns the body and the headers of a request. */
export function hostedRequest(
  webhookBody: WebhookBody,
  { botUserId, channel, configuration }: HostedContext,
): { body: object; headers: Record<string, string> } {
  const { event } = webhookBody;
  const { type, payload } = contentOf(webhookBody, channel);
  return {
    headers: {
      'x-bot-id': event.botId,
      'x-bot-user-id': botUserId,
      'x-bp-operation': 'event_received',
      'x-bp-type': type,
      'x-bp-configuration': Buffer.from(JSON.stringify(configuration ?? {})).toString('base64'),
    },
    body: {
      event: {
        id: event.id,
        createdAt: event.createdOn.toISOString(),
        type,
        payload,
        conversationId: event.conversationId,
        userId: event.userId,
        messageId: event.messageId,
        status: 'pending',
        failureReason: null,
      },
    },
  };
}

function contentOf(
  { event, conversation, user, message }: WebhookBody,
  channel: string,
): { type: string; payload: object } {
  const { conversationId, userId, integration } = event;
  if (!message) {
    const type = names[event.type] ?? `${integration}:${event.type}`;
    // A custom event of the page is in a field of its own, because it can have any names.
    const message = event.type === 'resume' ? { messageId: event.messageId } : {};
    const content = event.type === 'custom' ? { payload: event.payload } : { ...message, ...event.payload };
    return { type, payload: { ...content, conversationId, userId } };
  }
  const { tags } = event;
  return {
    type: 'message_created',
    payload: {
      conversation: { ...conversation, channel, integration, tags: tags?.conversation ?? {} },
      user: { ...user, tags: tags?.user ?? {} },
      message: {
        ...message,
        updatedAt: message.createdAt,
        type: event.type,
        direction: event.direction,
        tags: tags?.message ?? {},
      },
    },
  };
}
