// Generated from src/protocol/schemas/admin/deployment.ts by type-modules.test.ts (`npm run generate`). Do not edit.
// biome-ignore-all format: generated
// biome-ignore-all assist/source/organizeImports: generated
import type { AgentDeployment } from './agents.ts';

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
