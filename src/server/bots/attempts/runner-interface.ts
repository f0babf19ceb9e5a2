// The interface of the runner of bots, and its options.
import type { Logger } from 'pino';
import type { Transcript, WrittenEvent } from '../../chat/index.ts';
import type { Processes } from '../../jobs/processes.ts';
import type { SlotCounts } from '../../limits/slots.ts';
import type { Presence } from '../../realtime/presence.ts';
import type { AddressSettings } from '../../startup/address-settings.ts';
import type { BotRow } from '../../storage/bots/bots.ts';
import type { PostClaim } from '../../storage/chat/new-messages.ts';
import type { Database } from '../../storage/database.ts';
import type { Agent } from '../agents/agent.ts';
import type { AgentHooks } from '../agents/handlers.ts';
import type { AgentSettings } from '../agents/settings.ts';
import type { KnowledgeIndexes } from '../knowledge.ts';
import type { BotSettings } from '../settings.ts';
import type { EventHandler } from '../threads/load-bot.ts';
import type { RetryPlan } from '../webhooks/retry.ts';
import type { Claims, ClaimsOptions } from './claims.ts';

export interface BotRunner {
  /** Delivers the pending events of a conversation, unless a worker is doing so. */
  wake(conversationId: string): void;
  /** The delivery of the event of a message to this bot, unless others of its conversation come first. */
  claimFor(bot: BotRow): PostClaim;
  /** Delivers an event that was just written, without reading it, unless others of its conversation come first. */
  deliver(written: WrittenEvent): void;
  /** Delivers the events that are pending since the previous run of the server. */
  start(): Promise<void>;
  /** Cancels the running handler of a deleted conversation, at all processes. */
  cancel(conversationId: string): void;
  /** Cancels the handler of an event that was deleted, if it is running, at all processes. */
  cancelEvent(conversationId: string, eventId: string): void;
  /** A person has taken a conversation over: ends what its bot writes, and cancels its handler, at all processes. */
  takeOver(conversationId: string): void;
  /** Cancels the running handlers of a deleted user's conversations, at all processes. */
  cancelOwner(ownerId: string): void;
  /** Another user now owns the conversations of this one, in all processes. Running handlers continue. */
  changeOwner(ownerId: string, toOwnerId: string): void;
  /** Takes no further events; resolves when the running handlers have finished, after `timeLimit` ms at the latest. */
  drain(timeLimit: number): Promise<void>;
  /** Cancels all handlers. Other processes deliver unfinished events, otherwise the next start. */
  close(): Promise<void>;
}

/** The handler of an event. */
export type HandlerKind = 'code' | 'webhook' | 'agent';

export interface WebhookTimes {
  /** Milliseconds of one attempt; the default is 15,000. */
  timeLimit?: number;
  plan?: RetryPlan;
}

export interface BotRunnerOptions {
  settings: AddressSettings & AgentSettings & BotSettings;
  db: Database;
  presence: Presence;
  transcript: Transcript;
  knowledge: KnowledgeIndexes;
  /** The processes of the server. They share the entries of the bots' logs. */
  processes: Pick<Processes, 'count' | 'broadcasts'>;
  /** Creates the claims of one of several processes; by default, this is the only one. */
  createClaims?: ((options: ClaimsOptions) => Claims) | undefined;
  /** The code of a bot; undefined when it has none, and its events are dropped. */
  handlerOf(bot: BotRow): Promise<EventHandler | undefined>;
  logger: Logger;
  now(): number;
  /** Milliseconds; the default is 60,000. */
  timeLimit?: number | undefined;
  webhookTimes?: WebhookTimes | undefined;
  /** Called when an event was handled, or failed, with its milliseconds. */
  onHandled?: ((kind: HandlerKind, ms: number) => void) | undefined;
  /** The agent of the settings. It answers for the default bot unless the bot has a deployment. */
  agent: Agent | undefined;
  agentHooks?: AgentHooks | undefined;
  /** The slots of all processes, if there can be several. */
  slotCounts?: SlotCounts | undefined;
  /** The first workspace. */
  workspaceId: string;
  /** The address of this server for links, without a slash at the end. Called for each event: the port is known late. */
  publicUrl(): string;
}
