// Generated from src/protocol/schemas/bots.ts by type-modules.test.ts (`npm run generate`). Do not edit.
// biome-ignore-all format: generated
// biome-ignore-all assist/source/organizeImports: generated

/** A bot of the workspace. */
export interface Bot {
  id: string;
  /** ISO 8601, like all other times. */
  createdAt: string;
  updatedAt: string;
  name: string;
  /** When the code, the webhook address or the agent of the bot last changed. Absent if it has none of them. */
  deployedAt?: string;
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
