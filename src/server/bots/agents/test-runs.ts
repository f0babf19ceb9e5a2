// Tests of the agent of a bot by a member: one short question, with the addresses and the limits of the runs for visitors.
import { ApiError } from '../../api/errors.ts';
import type { SlotCounts } from '../../limits/slots.ts';
import type { AddressSettings } from '../../startup/address-settings.ts';
import { findAgent } from '../../storage/bots/agents.ts';
import type { BotRow } from '../../storage/bots/bots.ts';
import type { Database } from '../../storage/database.ts';
import type { BotSettings } from '../settings.ts';
import { createAddresses, createAddressPolicy } from '../webhooks/addresses.ts';
import type { Agent } from './agent.ts';
import { agentOf, createAgentFinder, type NewAgent, newAgentRow } from './deployment.ts';
import { createAgentRuns } from './limits.ts';
import type { AgentFailure } from './response.ts';
import type { AgentSettings } from './settings.ts';
import { sendTestMessage } from './test-message.ts';

/** Milliseconds that a test can take. */
const testTimeMs = 30_000;
/** Characters of the answer that are returned. */
const shownCharacters = 2_000;

export interface AgentTestResult {
  /** Milliseconds until the first text, or until the failure. */
  latencyMs: number;
  text?: string;
  model?: string;
  error?: { code: string; status?: number; message: string };
}

export interface AgentTests {
  /**
   * Asks the agent of a bot, or one that is not stored (`given`). Throws InvalidPayload if there is none, and RateLimited.
   * `memberId`: whose tests are counted.
   */
  run(
    bot: BotRow,
    question: { text: string; given: NewAgent | undefined; memberId: string },
  ): Promise<AgentTestResult>;
}

interface AgentTestsOptions {
  settings: AddressSettings & AgentSettings & BotSettings;
  db: Database;
  now(): number;
  /** The agent of the settings. */
  agent: Agent | undefined;
  slotCounts?: SlotCounts | undefined;
  /** The first workspace. */
  workspaceId: string;
}

export function createAgentTests({
  settings,
  db,
  now,
  workspaceId,
  ...options
}: AgentTestsOptions): AgentTests {
  const find = createAgentFinder(db, settings.WEBHOOK_ID, options.agent);
  const runs = createAgentRuns({ settings, db, now, counts: options.slotCounts });
  const policy = createAddressPolicy(settings.WEBHOOK_PRIVATE, workspaceId);
  const unrestricted = createAddresses(true);

  async function agentFor(bot: BotRow, given: NewAgent | undefined) {
    if (!given) return find(bot);
    const earlier = await db.read((tx) => findAgent(tx, bot.id));
    return { agent: agentOf(newAgentRow(bot.id, given, earlier)), isOfOperator: false };
  }

  return {
    async run(bot, { text, given, memberId }) {
      const found = await agentFor(bot, given);
      if (!found)
        throw new ApiError('InvalidPayload', 'The bot has no agent at an address that could be asked.');
      const { agent, isOfOperator } = found;
      const begun = await runs.begin({ userId: `test ${memberId}`, botId: bot.id });
      if ('exceeded' in begun) {
        const message = `The agent is not asked: a limit of the server is reached (${begun.exceeded}). Try again later.`;
        throw new ApiError('RateLimited', message, { retryAfter: 60 }, { 'retry-after': '60' });
      }
      const model = agent.model === undefined ? {} : { model: agent.model };
      const startedAt = performance.now();
      let firstAt: number | undefined;
      let tokens = 0;
      try {
        const idle = Math.min(testTimeMs, 1_000 * (agent.timeout ?? settings.AGENT_TIMEOUT));
        const answer = await sendTestMessage(agent, text, {
          signal: new AbortController().signal,
          addresses: isOfOperator ? unrestricted : policy(bot.workspaceId),
          // A member waits: what fails now is shown now.
          times: { idle, run: testTimeMs, retries: [], busy: [] },
          botId: bot.id,
          onText() {
            firstAt ??= performance.now();
          },
        });
        ({ tokens } = answer);
        const latencyMs = Math.round((firstAt ?? performance.now()) - startedAt);
        const shown = answer.text.slice(0, shownCharacters);
        return {
          latencyMs,
          ...model,
          ...(shown && { text: shown }),
          ...(answer.failure && { error: explain(answer.failure) }),
        };
      } finally {
        begun.release();
        await runs.addTokens(bot.id, tokens);
      }
    },
  };
}

/** Failures in words, by status or code. */
const reasons: Record<string, string> = {
  401: 'The address refused the key.',
  403: 'The address refused the key, or the key may not use this model.',
  404: 'The address was not found there, or it does not know this model.',
  400: 'The address did not accept the request: check the name of the model and the kind of the address.',
  422: 'The address did not accept the request: check the name of the model and the kind of the address.',
  429: 'The limit or the credit of this key is used up.',
  ECONNREFUSED: 'Nothing answers at this address: is the program running, and is the port right?',
  ENOTFOUND: 'The host of this address does not exist: check the spelling.',
  EAI_AGAIN: 'The host of this address could not be looked up. Try again.',
  ETIMEDOUT: 'No connection could be made to this address in time.',
  address_refused:
    'The server may not connect to this address, because it is in a private network (setting WEBHOOK_PRIVATE).',
  address_invalid: 'The address must begin with https:// or http://.',
  timeout: 'Nothing came in time: the model may be loading. Try again.',
  run_timeout: 'There was no answer within 30 seconds: the model may be loading. Try again.',
  content_type: 'What is at this address does not answer like a model: check the address and its kind.',
  incomplete: 'The answer ended too early: check the kind of the address.',
  empty: 'The answer was empty.',
  calls: 'The model called a tool instead of answering.',
  agent_error: 'The agent reported an error.',
  content_filter: 'The provider has blocked the answer by its content filter.',
};

function explain({ code, status }: AgentFailure): NonNullable<AgentTestResult['error']> {
  const message =
    reasons[status ?? code] ??
    (status === undefined
      ? `There was no whole answer (${code}).`
      : `The address answered with the status ${status}.`);
  return { code, ...(status !== undefined && { status }), message };
}
