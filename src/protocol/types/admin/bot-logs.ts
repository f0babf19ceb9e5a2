// Generated from src/protocol/schemas/admin/bot-logs.ts by type-modules.test.ts (`npm run generate`). Do not edit.
// biome-ignore-all format: generated
// biome-ignore-all assist/source/organizeImports: generated

/** One entry of a bot's log. It contains ids, numbers and texts of the server, never content of users. */
export interface BotLog {
  id: string;
  timestamp: string;
  level: 'info' | 'warn' | 'error';
  type:
    | 'bot_failed'
    | 'agent_failed'
    | 'agent_state_dropped'
    | 'webhook_failed'
    | 'webhook_delivered'
    | 'webhook_answer_refused'
    | 'webhook_given_up';
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

/** An event that could not be delivered. */
export interface DeadLetter {
  eventId: string;
  conversationId: string;
  userId: string;
  /** The cause of the event. */
  type:
    | 'message'
    | 'custom'
    | 'conversation_started'
    | 'feedback'
    | 'user_merged'
    | 'resume'
    | 'handoff_requested'
    | 'conversation_assigned'
    | 'handoff_ended'
    | 'conversation_closed'
    | 'conversation_rated'
    | 'message_for_person';
  createdAt: string;
  failedAt: string;
  attempts: number;
  /** Why the last attempt failed: the HTTP status, or a short code. */
  reason: string;
}
