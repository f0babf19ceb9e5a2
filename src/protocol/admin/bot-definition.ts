// Types of what a program declares about a bot: its tags, states, events, actions and configuration. Types only.
import type { Bot } from './admin.ts';

/** A JSON schema. */
type Schema = Record<string, unknown>;
/** The tags that the bot sets on its users, conversations or messages, by name. */
interface TagDefinitions {
  tags: Record<string, { title?: string; description?: string }>;
}

/** The parts of a bot that the server stores and returns as they were declared. Bot code does not depend on them. */
export interface BotDefinition {
  description?: string;
  /** Milliseconds that a run of the bot may take, as it was declared; the limit is a setting of the server. */
  maxExecutionTime?: number;
  user: TagDefinitions;
  conversation: TagDefinitions;
  message: TagDefinitions;
  states: Record<string, { type: 'conversation' | 'user' | 'bot'; schema: Schema; expiry?: number }>;
  events: Record<
    string,
    { title?: string; description?: string; schema: Schema; attributes?: Record<string, string> }
  >;
  actions: Record<
    string,
    {
      title?: string;
      description?: string;
      billable?: boolean;
      cacheable?: boolean;
      input: { schema: Schema };
      output: { schema: Schema };
      attributes?: Record<string, string>;
    }
  >;
  subscriptions: { events: Record<string, Record<string, unknown>> | null };
  /** Only callers who may change the bot receive `data`; it is empty for all others. */
  configuration: { data: Record<string, unknown>; schema: Schema };
  medias: { url: string; name: string }[];
  alwaysAlive: boolean;
}

/** A bot with its definition. */
export interface BotDetails extends Bot, BotDefinition {
  /** True for a bot that is being developed; `listBots` filters by it. */
  dev: boolean;
  status: 'active';
  /**
   * Signs the events sent to the webhook; empty without a webhook. Only `getBot` returns it, to callers who may change
   * the bot.
   */
  signingSecret?: string;
  /** This server has no integrations, plugins, recurring events and secrets: these are always empty. */
  integrations: Record<string, never>;
  plugins: Record<string, never>;
  recurringEvents: Record<string, never>;
  secrets: string[];
}
