// Generated from src/protocol/schemas/bots.ts by type-modules.test.ts (`npm run generate`). Do not edit.
// biome-ignore-all format: generated
// biome-ignore-all assist/source/organizeImports: generated
import type { Configuration } from '../page-api/config.ts';

/** A message of a visitor for which a search of the knowledge of the bot found no passage. */
export interface UnansweredQuestion {
  messageId: string;
  /** The id of the server. */
  conversationId: string;
  /** The beginning of the message as plain text. */
  text: string;
  askedAt: string;
}

/** The agent of a bot. Its key and the values of its headers cannot be read. */
export interface AgentDeployment {
  url: string;
  protocol: 'openai-chat' | 'openai-responses' | 'ag-ui' | 'ai-sdk';
  model?: string;
  /** Returned only to callers who may change it, like the next field. */
  instructions?: string;
  /** Merged into the body of each request last; null removes a field. */
  options?: Record<string, unknown>;
  show: ('status' | 'reasoning' | 'tools' | 'tool-input' | 'tool-output' | 'sources' | 'snippets')[];
  /**
   * Ids or names of knowledge bases, or `all`: the agent gets passages of their files, and may tell their content to
   * anybody who can open the chat.
   */
  knowledge?: 'all' | string[];
  /** Seconds without a byte after which a run fails; by default those of the setting `AGENT_TIMEOUT`. */
  timeout?: number;
  /** Whether requests have a key. */
  hasKey: boolean;
  /** The names of further headers. */
  headerNames: string[];
}

/** The code that a bot runs, the address of its chat, and the secrets that its application needs. */
export interface Deployment {
  /** The last part of the chat's address. */
  webhookId: string;
  /** The address of the chat, for `chatUrl` of the widget and of clients. */
  chatUrl: string;
  /** A module in the server's folder of bots, such as `shop.mjs`. */
  code?: string;
  /** The address that receives events, if the bot has no code. */
  webhookUrl?: string;
  /** The agent that answers, if the bot has neither code nor a webhook. */
  agent?: AgentDeployment;
  /** `hosted`: requests to the webhook are those of the hosted product. Left out for the format of this server. */
  webhookFormat?: 'hosted';
  /** True for a bot that also receives events about the messages and events that it sends itself. */
  outgoingEvents?: boolean;
  /** True if all visitors can ask for a person (`POST /conversations/{id}/handoff`), not only by a button of the bot. */
  visitorHandoff?: boolean;
  /** False if visitors are not asked for a rating when a conversation with a person is closed. */
  ratings?: boolean;
  /** True if visitors see what the person who answers has read, and members what the visitor has read. */
  readReceipts?: boolean;
  /** The page of the site to which links in mails lead visitors whom the site identifies. */
  returnUrl?: string;
  /** Passages of the knowledge bases that are searched for with each message of a user (`event.kb.results`). */
  knowledgeResults?: number;
  /** Signs the events sent to the webhook. Returned only to callers who may change it, like the next field. */
  signingSecret?: string;
  /** Signs user keys of this bot (HS256). Absent if that secret is the server setting. */
  userKeySecret?: string;
}

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

/** A bot of the workspace. */
export interface Bot {
  id: string;
  /** ISO 8601, like all other times. */
  createdAt: string;
  updatedAt: string;
  name: string;
  /** When the code, the webhook address or the agent of the bot last changed. Absent if it has none of them. */
  deployedAt?: string;
  /** The first answerer of visitors: as set for the bot, as the settings of the server say (`server`), or only people. */
  answeredBy?: 'agent' | 'webhook' | 'code' | 'server' | 'people';
  tags: Record<string, string>;
  /** How the bot is developed, as its creator declared it: `adk` (code) by default. It has no effect. */
  type: 'studio' | 'adk' | 'desk';
}

/** The parts of a bot that the server stores and returns as they were declared. Bot code does not depend on them. */
export interface BotDefinition {
  description?: string;
  /** Milliseconds that a run of the bot may take, as it was declared; the limit is a setting of the server. */
  maxExecutionTime?: number;
  user: { tags: Record<string, { title?: string; description?: string }> };
  conversation: { tags: Record<string, { title?: string; description?: string }> };
  message: { tags: Record<string, { title?: string; description?: string }> };
  states: Record<string, { type: 'conversation' | 'user' | 'bot'; schema: Record<string, unknown>; expiry?: number }>;
  events: Record<string, { title?: string; description?: string; schema: Record<string, unknown>; attributes?: Record<string, string> }>;
  actions: Record<string, { title?: string; description?: string; billable?: boolean; cacheable?: boolean; input: { schema: Record<string, unknown> }; output: { schema: Record<string, unknown> }; attributes?: Record<string, string> }>;
  subscriptions: { events: Record<string, Record<string, unknown>> | null };
  /** Only callers who may change the bot receive `data`; it is empty for all others. */
  configuration: { data: Record<string, unknown>; schema: Record<string, unknown> };
  medias: { url: string; name: string }[];
  alwaysAlive: boolean;
}

/** A bot with its definition. */
export interface BotDetails extends BotDefinition, Bot {
  /** True for a bot that is being developed; `listBots` filters by it. */
  dev: boolean;
  status: 'active';
  /**
   * Signs the events sent to the webhook; empty without a webhook. Only `getBot` returns it, to callers who may change the
   * bot.
   */
  signingSecret?: string;
  /** This server has no integrations, plugins, recurring events and secrets: these are always empty. */
  integrations: Record<string, never>;
  plugins: Record<string, never>;
  recurringEvents: Record<string, never>;
  secrets: string[];
}

/** The result of a test of an agent. */
export interface AgentTest {
  /** Milliseconds until the first text of the answer, or until the failure. */
  latencyMs: number;
  /** The beginning of the answer. */
  text?: string;
  /** The name of the model, as it is set. */
  model?: string;
  /** Why there is no answer, or only its beginning. */
  error?: {
    /** As `reason` in the log of the bot. */
    code: string;
    /** The HTTP status of the response, if it is the reason. */
    status?: number;
    /** The reason in words. */
    message: string;
  };
}

/** A page that has requested the chat of a bot. */
export interface BotOrigin {
  /** Such as `https://shop.example`. */
  origin: string;
  /** When it was last requested there. */
  seenAt: string;
}

/** A dashboard configuration of a bot as it was stored at a time. */
export interface WebchatVersion {
  id: string;
  createdAt: string;
  /** The member who stored it. Absent if no member did, or if it was stored by an earlier version. */
  memberId?: string;
  /** Their name or e-mail address. Absent if they were removed. */
  memberName?: string;
  configuration: Configuration;
}
