// The words for what went wrong with a bot: entries of its log, and events that could not be delivered. No behaviour.

/** What an entry of a bot's log tells. */
export const botLogTypes = [
  /** Bot code of the server threw, hung, or sent what is not a message. */
  'bot_failed',
  /** An attempt at the bot's webhook failed. */
  'webhook_failed',
  /** The webhook took an event at last, after attempts that failed. */
  'webhook_delivered',
  /** The webhook took the event, but what it answered could not be sent to the visitor. */
  'webhook_answer_refused',
  /** An event was given up: it is a dead letter now. */
  'webhook_given_up',
] as const;
export type BotLogType = (typeof botLogTypes)[number];

/** One entry of a bot's log. It holds ids, numbers and words of the server, never what somebody wrote. */
export interface BotLog {
  id: string;
  timestamp: string;
  level: 'info' | 'warn' | 'error';
  type: BotLogType;
  /** The entry in words. */
  message: string;
  eventId: string;
  conversationId: string;
  /** Counts from 1. */
  attempt: number;
  /** The HTTP status that came, if one did. */
  status?: number;
  /** A word for what happened where no status came, such as `timeout` or `ECONNREFUSED`. */
  reason?: string;
  /** Kind and place of what bot code threw: its type, code and stack, never its message. */
  error?: Record<string, unknown>;
}

/** An event that could not be delivered. */
export interface DeadLetter {
  eventId: string;
  conversationId: string;
  userId: string;
  /** What caused the event. */
  type: 'message' | 'custom' | 'conversation_started' | 'feedback';
  createdAt: string;
  failedAt: string;
  attempts: number;
  /** Why the last attempt failed: the HTTP status, or a word. */
  reason: string;
}
