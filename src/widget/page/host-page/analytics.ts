// Makes the event `analytics` from the events of the page: names and numbers, without texts, names of files, addresses
// or ids.
import type { SidedMessage } from '../../../protocol/message.ts';
import type { AnalyticsEvent, AnyPlatformEvent } from '../../../protocol/page-api/page-api.ts';
import { isFileType } from '../../../protocol/payloads.ts';

/** The events without data. */
const names = new Map<AnyPlatformEvent['type'], AnalyticsEvent['name']>([
  ['webchat:initialized', 'loaded'],
  ['webchat:opened', 'opened'],
  ['webchat:closed', 'closed'],
  ['conversation', 'conversation_started'],
]);

type Handler = (event: AnalyticsEvent) => void;

/** When the visitor has sent the message that is not answered yet, for each handler, on the server's clock. */
const askedAt = new WeakMap<Handler, number>();

/** Calls a handler of `analytics` for one event. Never throws. */
export function count(handler: Handler, event: AnyPlatformEvent): void {
  try {
    for (const entry of analyticsOf(handler, event)) handler(entry);
  } catch (error) {
    // A throwing handler must not stop the others.
    console.error(error);
  }
}

function analyticsOf(handler: Handler, event: AnyPlatformEvent): AnalyticsEvent[] {
  const { type, payload } = event;
  const name = names.get(type);
  if (name) return [{ name }];
  if (type === 'error') return [{ name: 'error', code: payload.code }];
  if (type === 'feedback') return payload.value ? [{ name: 'feedback_given', value: payload.value }] : [];
  return type === 'message' ? messageEvents(handler, payload) : [];
}

function messageEvents(handler: Handler, message: SidedMessage): AnalyticsEvent[] {
  const { payload, isBot, createdAt, metadata } = message;
  // A bot may send a payload of any type, so the type itself could be a text.
  const isKnown = typeof payload.type === 'string' && Object.hasOwn(isFileType, payload.type);
  const type = isKnown ? payload.type : 'other';
  const time = Date.parse(createdAt);
  // A person who has joined the conversation is not a bot, and does not use the widget.
  if (isBot || !metadata?.clientMessageId) {
    const replyMs = time - (askedAt.get(handler) ?? Number.NaN);
    askedAt.delete(handler);
    return [{ name: 'message_received', type, ...(replyMs >= 0 && { replyMs }) }];
  }
  // Every tab receives the message, and the visitor has written it in the visible one.
  if (document.visibilityState === 'hidden') return [];
  askedAt.set(handler, time);
  const isButton = type === 'text' && 'value' in payload && payload.value !== undefined;
  return [
    { name: 'message_sent', type },
    ...(isButton ? [{ name: 'button_clicked' } as const] : []),
    ...(type !== 'other' && isFileType[type] ? [{ name: 'file_sent', type } as const] : []),
  ];
}
