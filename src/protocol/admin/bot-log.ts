// Types of a bot's log and of events that could not be delivered.

export type { BotLog, DeadLetter } from '../types/bots.ts';

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
