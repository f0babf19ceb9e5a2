// The words of the stream: what the server tells listeners of a conversation. Types and one guard; no I/O.
import type { Configuration } from './config.ts';
import type { Event } from './event.ts';
import type { Message, SidedMessage } from './message.ts';

/** What a bot can do with the window. */
export const visibilities = ['show', 'hide', 'toggle'] as const;
export type Visibility = (typeof visibilities)[number];

/** The data of every signal, by type. Those after `participant_removed` are additions a plain client may ignore. */
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
  };
  message_stream_complete: { streamId: string; message: Message };
  message_stream_abort: { streamId: string; conversationId: string };
  /** `timeout`: milliseconds after which the indicator ends by itself. */
  typing_started: { conversationId: string; userId: string; timeout?: number };
  typing_stopped: { conversationId: string; userId: string };
  /** A message that was there has changed: its feedback. */
  message_updated: SidedMessage;
  /** The bot opens or closes the window. */
  webchat_visibility: { conversationId: string; visibility: Visibility };
  /** The bot changes the configuration, as the page does with `config()`. */
  webchat_config: { conversationId: string; config: Configuration };
}

export type SignalType = keyof Signals;
export type Signal = { [T in SignalType]: { type: T; data: Signals[T] } }[SignalType];

/** The keep-alive frame's data: a word, not JSON (existing clients feed their watchdog with it). */
export const ping = 'ping';

/** Reads one frame's data: the signal, or undefined when it is not `{type, data}` JSON (a ping, a proxy's words). */
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
