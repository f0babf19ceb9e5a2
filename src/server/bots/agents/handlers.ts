// The handler of a bot with an agent: answers each message of a visitor with one run.
import type { Logger } from 'pino';
import { textsFor } from '../../../locales/index.ts';
import { appBlock } from '../../../protocol/apps.ts';
import type { SlotCounts } from '../../limits/slots.ts';
import type { AddressSettings } from '../../startup/address-settings.ts';
import type { DeliveryRow } from '../../storage/bots/deliveries.ts';
import { streamedMessages } from '../../storage/chat/messages.ts';
import type { Database } from '../../storage/database.ts';
import { noteEmptySearch } from '../../storage/inbox/reports.ts';
import type { EventContext } from '../event-context.ts';
import type { BotLogs } from '../log.ts';
import type { BotSettings } from '../settings.ts';
import type { EventHandler } from '../threads/load-bot.ts';
import { createAddresses, createAddressPolicy } from '../webhooks/addresses.ts';
import { type Agent, protocolOf } from './agent.ts';
import { createBatchScheduler } from './batch-scheduler.ts';
import { createAgentFinder, type FoundAgent } from './deployment.ts';
import { readHistory } from './history.ts';
import { answersOf, unansweredState } from './interrupts.ts';
import { groundingOf, searchToolName } from './knowledge/grounding.ts';
import { createKnowledgeSearch, type KnowledgeSearchOptions } from './knowledge/search.ts';
import { type AgentConcurrency, createAgentRuns } from './limits.ts';
import { namesOfOptions, pageToolsOf } from './page-tools.ts';
import type { RequestTimes } from './request.ts';
import { runAgent, runTimeMs, uuidOf } from './run.ts';
import type { AgentSettings } from './settings.ts';

/** Milliseconds that a handler can take: a run ends before, and then its answer is stored. */
export const agentTimeLimitMs = runTimeMs + 60_000;

/** The tokens that an agent is asked to write at most. */
const maxOutputTokens = 2_048;

/** The name of the state of a conversation that an agent keeps between its runs, and its bytes as JSON. */
const stateName = 'agent';
const maxStateBytes = 64_000;

export interface AgentHooks {
  concurrency?: Partial<AgentConcurrency> | undefined;
  /** `search`: milliseconds of a search in the knowledge bases before a run. */
  times?: (Partial<RequestTimes> & { run?: number; search?: number }) | undefined;
}

export interface AgentHandlersOptions {
  settings: AddressSettings & AgentSettings & BotSettings;
  db: Database;
  logger: Logger;
  logs: BotLogs;
  now(): number;
  /** The agent of the settings. It answers for the default bot unless the bot has a deployment. */
  agent: Agent | undefined;
  agentHooks?: AgentHooks | undefined;
  /** The slots of all processes, if there can be several. */
  slotCounts?: SlotCounts | undefined;
  knowledge: KnowledgeSearchOptions['files'];
  publicUrl(): string;
  /** The first workspace. */
  workspaceId: string;
}

/** Returns a function that creates the handler of one event; undefined for a bot without an agent. */
export function createAgentHandlers(
  options: AgentHandlersOptions,
): (context: EventContext, delivery: DeliveryRow) => Promise<EventHandler | undefined> {
  const { settings, db, logger, now, workspaceId } = options;
  const { concurrency, times } = options.agentHooks ?? {};
  const find = createAgentFinder(db, settings.WEBHOOK_ID, options.agent);
  const runs = createAgentRuns({ settings, db, now, counts: options.slotCounts, concurrency });
  const search = createKnowledgeSearch({
    db,
    logger,
    files: options.knowledge,
    publicUrl: options.publicUrl,
    searchTime: times?.search,
  });
  const thinking = createThinkingModels();
  const scheduler = createBatchScheduler();
  const policy = createAddressPolicy(settings.WEBHOOK_PRIVATE, workspaceId);
  // Without a sandbox origin, apps cannot be shown, and agents send none.
  const hasApps = settings.SANDBOX_ORIGIN !== undefined;
  // The operator of the server decides where its own agent is.
  const unrestricted = createAddresses(true);

  /** Whether an earlier delivery of the event has stored an answer, also one that a visitor has stopped. */
  const isAnswered = async ({ eventId, attempts }: DeliveryRow): Promise<boolean> =>
    attempts > 1 && (await db.read((tx) => streamedMessages(tx, eventId))).length > 0;

  function handlerOf(
    { agent, isOfOperator }: FoundAgent,
    context: EventContext,
    delivery: DeliveryRow,
  ): EventHandler {
    return async (event, api) => {
      const { message } = context;
      const answers = event.type === 'resume' ? answersOf(event) : undefined;
      const storeState = (state: unknown) =>
        saveState(state, (value) => api.bot.setState('conversation', stateName, value));
      // The next message tells the agent that nobody has answered. A killed process may not have stored what that needs.
      if (event.type === 'resume' && !answers && agent.protocol === 'ag-ui')
        await storeState(unansweredState(event));
      if ((!message && !answers) || event.direction === 'outgoing' || (await isAnswered(delivery))) return;
      const protocol = protocolOf(agent.protocol);
      const { conversation, user } = context;
      const owner = { userId: user.id, botId: context.bot.id };
      const warn = (error: unknown) => {
        logger.warn(
          { ...owner, err: error },
          'the usage, the state or an unanswered message of an agent was not stored',
        );
      };
      const { agents: texts } = textsFor([event.locale?.chat, event.locale?.page]).texts;
      const begun = await runs.begin(owner);
      if ('exceeded' in begun) {
        const fields = { botId: owner.botId, conversationId: conversation.id, limit: begun.exceeded };
        logger.warn(fields, 'agent not asked: a limit is reached');
        await api.bot.reply({ type: 'text', text: texts.limit }, { metadata: { error: 'agent_limit' } });
        return;
      }
      let tokens = 0;
      try {
        api.bot.typing(true);
        const { seq } = delivery;
        const answered = { conversationId: conversation.id, message, seq };
        const history = await db.read((tx) => readHistory(tx, answered));
        const { knowledge: bases } = agent;
        const grounding =
          bases &&
          (await groundingOf({ search, botId: owner.botId, bases, protocol: agent.protocol, history }));
        if (grounding?.isUnknown && message && !answers)
          await db.write((tx) => noteEmptySearch(tx, message, owner.botId, now())).catch(warn);
        const round = answers?.round ?? 0;
        const reserved = [...namesOfOptions(agent.options), searchToolName];
        const { tools, refused } = pageToolsOf(event.client, reserved, round);
        if (refused.length > 0) {
          const fields = { ...owner, tools: refused };
          logger.warn(fields, 'tools of the page not offered: the agent has tools of the same name');
        }
        const { state } = await runAgent({
          agent,
          protocol,
          handle: api.openStream(),
          addresses: isOfOperator ? unrestricted : policy(context.bot.workspaceId),
          times: { idle: 1_000 * (agent.timeout ?? settings.AGENT_TIMEOUT), ...times },
          scheduler,
          botId: owner.botId,
          steps: settings.AGENT_STEPS,
          tools: [...(grounding?.tools ?? []), ...tools],
          passages: grounding?.runPassages,
          onThinking: () => thinking.add(agent),
          unknownQuestion: texts.unknownQuestion,
          run: {
            runId: uuidOf(`${event.id}-${delivery.attempts}`),
            conversationId: conversation.id,
            threadId: uuidOf(conversation.id),
            model: agent.model,
            instructions: agent.instructions,
            history,
            knowledge: grounding?.passages ?? [],
            context: event.client?.context ?? [],
            blocks: [...(event.client?.blocks ?? []), ...(hasApps ? [appBlock] : [])],
            state: answers ? answers.state : savedState(event.state.conversation),
            resume: answers?.resume ?? [],
            isThinking: thinking.has(agent),
            maxOutputTokens,
          },
          earlier: answers && {
            parts: answers.parts,
            // The answer does not depend on it.
            update: (partId, fields) =>
              void api.bot.updatePart(event.messageId ?? '', partId, fields).catch(warn),
          },
          mayContinue: (used) => runs.mayContinue(owner.botId, used),
          onStateDropped(bytes) {
            logger.warn(
              { ...owner, conversationId: conversation.id, bytes },
              'the state of an agent is too large',
            );
            const { eventId, conversationId, attempts: attempt } = delivery;
            const entry = {
              botId: owner.botId,
              kind: 'agent_state_dropped' as const,
              eventId,
              conversationId,
              attempt,
            };
            void db.write((tx) => options.logs.add(tx, { ...entry, reason: `${bytes} bytes` })).catch(warn);
          },
          onToolError(name, error) {
            logger.warn({ ...owner, tool: name, err: error }, 'tool of an agent failed');
          },
          onFirst: () => api.bot.typing(false),
          onUsage(used) {
            tokens = used;
          },
        });
        await storeState(state).catch(warn);
      } finally {
        begun.release();
        await runs.addTokens(owner.botId, tokens).catch(warn);
      }
    };
  }

  return async (context, delivery) => {
    const found = await find(context.bot);
    return found && handlerOf(found, context, delivery);
  };
}

const savedState = (states: Record<string, unknown> | undefined): unknown =>
  (states?.[stateName] as { state?: unknown } | undefined)?.state;

async function saveState(
  state: unknown,
  store: (value: Record<string, unknown>) => Promise<void>,
): Promise<void> {
  if (state === undefined || Buffer.byteLength(JSON.stringify(state) ?? '') > maxStateBytes) return;
  await store({ state });
}

export interface ThinkingModels {
  has(agent: ModelOfAgent): boolean;
  add(agent: ModelOfAgent): void;
}

type ModelOfAgent = Pick<Agent, 'url' | 'model'>;

/** The most models that are remembered, the newest. */
const most = 1_000;

const keyOf = ({ url, model = '' }: ModelOfAgent): string => `${model} ${url}`;

/**
 * Remembers the models that write reasoning as text which only a closing tag ends. The text of their next answers waits for the
 * tag.
 */
export function createThinkingModels(): ThinkingModels {
  const models = new Set<string>();
  return {
    has: (agent) => models.has(keyOf(agent)),
    add(agent) {
      const key = keyOf(agent);
      models.delete(key);
      models.add(key);
      const [oldest = ''] = models;
      if (models.size > most) models.delete(oldest);
    },
  };
}
