// Types of the stream: the signals that the server sends to the listeners of a conversation. Types and one guard.
import type { Activity, Handling, ReadMark } from './handling.ts';
import type { Message, SidedMessage } from './message.ts';
import type { Configuration } from './page-api/config.ts';
import type { Part, PartChange } from './parts.ts';
import type { Event } from './types/chat.ts';
import type { Rating } from './types/handling.ts';

/** The commands of a bot to the window. */
export const visibilities = ['show', 'hide', 'toggle'] as const;
export type Visibility = (typeof visibilities)[number];

/** The data of each signal, by type. Those after `participant_removed` are additions; plain clients can ignore them. */
export interface Signals {
  message_created: SidedMessage;
  message_deleted: { id: string; conversationId: string; userId: string };
  event_created: Omit<Event, 'id'> & { id: string | null; isBot: boolean };
  participant_added: { conversationId: string; participantId: string };
  participant_removed: { conversationId: string; participantId: string };
  message_stream_delta: {
    streamId: string;
    conversationId: string;
    userId: string;
    createdAt: string;
    clientMessageId?: string;
    /** Counts from 0 within one stream. */
    sequence: number;
    delta: string;
    /** A change of a part; `delta` is empty. */
    part?: PartChange;
    /** All parts, with the whole text in `delta`: they replace what was received before. */
    parts?: Part[];
  };
  message_stream_complete: { streamId: string; message: Message };
  message_stream_abort: { streamId: string; conversationId: string };
  /** `timeout`: milliseconds after which the indicator ends by itself. */
  typing_started: { conversationId: string; userId: string; timeout?: number };
  typing_stopped: { conversationId: string; userId: string };
  /** The handling has changed. `activities`: the new lines of the transcript. */
  handling_changed: Handling & { activities: Activity[] };
  /** Somebody has read more. It is neither stored nor replayed, and sent only where the bot has `readReceipts`. */
  conversation_read: ReadMark & { conversationId: string; reader: 'visitor' | 'person' };
  /** The visitor is asked how helpful the person was, who has answered and finished. */
  rating_requested: { conversationId: string; rating: Rating };
  /** They have rated, or do not want to, in any tab. */
  rating_given: { conversationId: string; rating: Rating };
  /** An existing message has changed: its feedback, its payload or its parts. */
  message_updated: SidedMessage;
  /** The bot opens or closes the window. */
  webchat_visibility: { conversationId: string; visibility: Visibility };
  /** The bot changes the configuration, as the page does with `config()`. */
  webchat_config: { conversationId: string; config: Configuration };
}

export type SignalType = keyof Signals;
export type Signal = { [T in SignalType]: { type: T; data: Signals[T] } }[SignalType];

/** The data of the keep-alive frame: plain text and not JSON (existing clients reset their watchdog with it). */
export const ping = 'ping';

/** Parses the data of one frame. Returns undefined if it is not `{type, data}` in JSON (a ping, or text of a proxy). */
export function parseSignal(data: string): Signal | undefined {
  if (data === ping) return undefined;
  try {
    const parsed: unknown = JSON.parse(data);
    if (typeof parsed !== 'object' || parsed === null) return undefined;
    const { type, data: body } = parsed as { type?: unknown; data?: unknown };
    if (typeof type !== 'string' || typeof body !== 'object' || body === null) return undefined;
    return parsed as Signal;
  } catch {
    return undefined;
  }
}
