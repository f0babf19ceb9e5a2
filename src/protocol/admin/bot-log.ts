// Types of a bot's log and of events that could not be delivered.

/** The types of log entries. */
export const botLogTypes = [
  /** Bot code in the server threw, did not end, or sent an invalid message. */
  'bot_failed',
  /** The bot's agent gave no answer, or only a part of one. */
  'agent_failed',
  /** The state of the bot's agent is too large to be kept: its next run begins without one. */
  'agent_state_dropped',
  /** An attempt at the bot's webhook failed. */
  'webhook_failed',
  /** The webhook accepted an event after failed attempts. */
  'webhook_delivered',
  /** The webhook accepted the event, but its response could not be sent to the visitor. */
  'webhook_answer_refused',
  /** All delivery attempts have failed: the event is a dead letter now. */
  'webhook_given_up',
] as const;
export type BotLogType = (typeof botLogTypes)[number];

/** One entry of a bot's log. It contains ids, numbers and texts of the server, never content of users. */
export interface BotLog {
  id: string;
  timestamp: string;
  level: 'info' | 'warn' | 'error';
  type: BotLogType;
  /** A description of the entry. */
  message: string;
  eventId: string;
  conversationId: string;
  /** Counts from 1. */
  attempt: number;
  /** The HTTP status of the response, if there was one. */
  status?: number;
  /** The cause if there was no response, such as `timeout` or `ECONNREFUSED`. */
  reason?: string;
  /** The type, code and stack of an error that bot code threw. Its message only if the server wrote it, without values. */
  error?: Record<string, unknown>;
}

/** What can have caused an event. */
export const deadLetterTypes = [
  'message',
  'custom',
  'conversation_started',
  'feedback',
  'user_merged',
  'resume',
  'handoff_requested',
  'conversation_assigned',
  'handoff_ended',
  'conversation_closed',
  'conversation_rated',
  'message_for_person',
] as const;
type DeadLetterType = (typeof deadLetterTypes)[number];

/** An event that could not be delivered. */
export interface DeadLetter {
  eventId: string;
  conversationId: string;
  userId: string;
  /** What caused the event. */
  type: DeadLetterType;
  createdAt: string;
  failedAt: string;
  attempts: number;
  /** Why the last attempt failed: the HTTP status, or a short code. */
  reason: string;
}
