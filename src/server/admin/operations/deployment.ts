// Admin operations on the deployment of a bot: the module in the BOTS folder, the webhook or the agent that it runs, and its secrets.
// Code cannot be uploaded through the API.
import { deployment } from '../../../protocol/operations/admin/bots.ts';
import { isPermitted } from '../../../protocol/permissions.ts';
import type { Deployment } from '../../../protocol/types/bots.ts';
import type { Principal } from '../../api/caller.ts';
import { ApiError } from '../../api/errors.ts';
import { createSigningSecret, newAgentRow, serializeAgent } from '../../bots/index.ts';
import { deleteAgent, findAgent, storeAgent } from '../../storage/bots/agents.ts';
import { type BotRow, botById } from '../../storage/bots/bots.ts';
import {
  findEventOptions,
  setDeployment,
  setEventOptions,
  setSecrets,
} from '../../storage/bots/deployment.ts';
import type { Tx } from '../../storage/database.ts';
import { returnUrlOf, setReturnUrl } from '../../storage/notifications/return-links.ts';
import { existingBot, missing } from '../find.ts';
import { serializeDeployment } from '../serializers.ts';
import { handle, handleDecorated } from './services.ts';

type DeploymentFields = Pick<BotRow, 'code' | 'webhookUrl' | 'hasAgent' | 'signingSecret'>;

/** Returns the deployment columns of a bot that has this code or webhook, or an agent. A webhook keeps its signing secret when its URL changes. */
export function withDeployment(
  fields: DeploymentFields,
  now: number,
): DeploymentFields & Pick<BotRow, 'deployedAt'> {
  const { code, webhookUrl, hasAgent, signingSecret } = fields;
  return {
    code,
    webhookUrl,
    hasAgent,
    signingSecret: webhookUrl === null ? null : (signingSecret ?? createSigningSecret()),
    deployedAt: code === null && webhookUrl === null && hasAgent === 0 ? 0 : now,
  };
}

/** Adds the agent, what the bot receives beyond the events of its users, and the format of requests to its webhook. */
async function withOptions(
  tx: Tx,
  { id, hasAgent }: BotRow,
  { kind }: Principal,
  deployment: Deployment,
): Promise<Deployment> {
  const options = await findEventOptions(tx, id);
  const { outgoingEvents, visitorHandoff, ratings, readReceipts, knowledgeResults, webhookFormat } = options;
  const returnUrl = await returnUrlOf(tx, id);
  const agent = hasAgent === 1 ? await findAgent(tx, id) : undefined;
  return {
    ...deployment,
    ...(agent ? { agent: serializeAgent(agent, isPermitted(kind, 'bots.update')) } : {}),
    ...(webhookFormat === 'hosted' ? { webhookFormat } : {}),
    ...(outgoingEvents ? { outgoingEvents: true } : {}),
    ...(visitorHandoff ? { visitorHandoff: true } : {}),
    ...(ratings ? {} : { ratings: false }),
    ...(readReceipts ? { readReceipts: true } : {}),
    ...(returnUrl === null ? {} : { returnUrl }),
    ...(knowledgeResults > 0 ? { knowledgeResults } : {}),
  };
}

export const deploymentHandlers = [
  handle(
    deployment.getBotDeployment,
    async ({ tx, caller, params, ...call }) => {
      const bot = await existingBot(tx, caller, params.id);
      const serialized = serializeDeployment(bot, caller, call);
      return { body: { deployment: await withOptions(tx, bot, caller, serialized) } };
    },
    {
      // The response includes the secrets of the bot for callers that can change them.
      audit: ({ kind }) => isPermitted(kind, 'bots.update'),
    },
  ),

  handle(
    deployment.setBotDeployment,
    async ({ tx, caller, params, input, services, address }) => {
      const bot = await existingBot(tx, caller, params.id);
      const { agent } = input;
      // At most one of them is given.
      const isReplaced = [input.code, input.webhookUrl, agent].some((one) => one != null);
      const { code = isReplaced ? null : bot.code } = input;
      const { webhookUrl = isReplaced ? null : bot.webhookUrl } = input;
      const keepsAgent = agent === undefined && !isReplaced;
      const hasAgent = agent ? 1 : keepsAgent ? bot.hasAgent : 0;
      let changed = bot;
      if (agent) await storeAgent(tx, newAgentRow(bot.id, agent, await findAgent(tx, bot.id)));
      else if (bot.hasAgent > hasAgent) await deleteAgent(tx, bot.id);
      if (code !== bot.code || webhookUrl !== bot.webhookUrl || hasAgent !== bot.hasAgent || agent) {
        const now = services.now();
        changed = { ...bot, ...withDeployment({ ...bot, code, webhookUrl, hasAgent }, now), updatedAt: now };
        // Without any of them, the default bot runs what the settings of the server configure.
        if (services.botCode.isDefaultBot(bot)) changed.deployedAt = now;
        await setDeployment(tx, changed);
      }
      const { outgoingEvents, visitorHandoff, ratings, readReceipts, knowledgeResults, webhookFormat } =
        input;
      const flags = [outgoingEvents, visitorHandoff, ratings, readReceipts];
      const options = [...flags, knowledgeResults, webhookFormat];
      if (options.some((option) => option !== undefined)) {
        const stored = await findEventOptions(tx, bot.id);
        await setEventOptions(tx, bot.id, {
          outgoingEvents: outgoingEvents === undefined ? stored.outgoingEvents : Number(outgoingEvents),
          visitorHandoff: visitorHandoff === undefined ? stored.visitorHandoff : Number(visitorHandoff),
          ratings: ratings === undefined ? stored.ratings : Number(ratings),
          readReceipts: readReceipts === undefined ? stored.readReceipts : Number(readReceipts),
          knowledgeResults: knowledgeResults ?? stored.knowledgeResults,
          webhookFormat: webhookFormat ?? stored.webhookFormat,
        });
      }
      if (input.returnUrl !== undefined) await setReturnUrl(tx, bot.id, input.returnUrl);
      const serialized = serializeDeployment(changed, caller, { services, address });
      return { body: { deployment: await withOptions(tx, changed, caller, serialized) } };
    },
    {
      async beforeTransaction({ caller, input: { code }, services }) {
        if (typeof code === 'string') await services.botCode.assertLoadable(code, caller.workspaceId);
      },
    },
  ),

  handleDecorated(
    deployment.testBotAgent,
    async ({ tx, caller, params }) => {
      const bot = await existingBot(tx, caller, params.id);
      return { body: { memberId: caller.memberId ?? caller.credentialId }, resource: bot.id };
    },
    {
      // Afterwards: no transaction waits for an agent.
      async decorateResponse({ memberId }, { input: { agent, question = 'Hello' }, resource, services }) {
        const bot = (await services.db.read((tx) => botById(tx, resource))) ?? missing('bot');
        return { test: await services.agentTests.run(bot, { text: question, given: agent, memberId }) };
      },
    },
  ),

  handle(deployment.rotateBotSecrets, async ({ tx, caller, params, services }) => {
    const bot = await existingBot(tx, caller, params.id);
    if (bot.ownKeys === 0) {
      throw new ApiError(
        'ReferenceConstraint',
        'The user keys of this bot are signed with the secret of the server. To rotate it, change the setting ' +
          'USER_KEY_SECRET. To rotate the signing secret, remove the webhook and set it again.',
      );
    }
    await setSecrets(tx, {
      id: bot.id,
      ownKeys: bot.ownKeys + 1,
      signingSecret: bot.signingSecret === null ? null : createSigningSecret(),
      updatedAt: services.now(),
    });
    tx.afterCommit(() => services.onKeysEnded(bot.id));
    // The response omits the new secrets, because responses are stored for retries with the same Idempotency-Key.
    return { body: {} };
  }),
];
