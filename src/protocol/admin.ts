// Constants and types of the Admin API: agents, logs of bots, dead letters, retention.
export type { BotLog, DeadLetter } from './types/bots.ts';

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

/** Possible causes of an event. */
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

/** Days that data can be kept at most: a hundred years. */
export const maxRetentionDays = 36_500;

export type { AgentDeployment } from './types/bots.ts';

/** The protocols of agents. */
export const protocolNames = ['openai-chat', 'openai-responses', 'ag-ui', 'ai-sdk'] as const;
export type ProtocolName = (typeof protocolNames)[number];

/**
 * Details of the work of an agent that visitors can see besides its text. `tools`: their names and states. `snippets`: the passages of
 * `sources`.
 */
export const agentShown = [
  'status',
  'reasoning',
  'tools',
  'tool-input',
  'tool-output',
  'sources',
  'snippets',
] as const;
export type AgentShown = (typeof agentShown)[number];

/** Without reasoning and values of tools: they have data of others and internal names more often than a visitor needs them. */
export const defaultAgentShown: readonly AgentShown[] = ['status', 'tools', 'sources'];

/** Seconds of a run of an agent, and of the longest silence within one. */
export const maxAgentTimeout = 300;

/** Headers of the connection and of the body, which the server sets itself. */
const ownHeaders = [
  'connection',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/** Whether a header has a valid name (RFC 9110, 5.1) and a value of printable ASCII characters. */
export const isAllowedHeader = (name: string, value: unknown): boolean =>
  /^[\w!#$%&'*+.^`|~-]{1,100}$/.test(name) &&
  !ownHeaders.includes(name.toLowerCase()) &&
  typeof value === 'string' &&
  /^[\x21-\x7e](?:[\x20-\x7e]{0,3998}[\x21-\x7e])?$/.test(value);
