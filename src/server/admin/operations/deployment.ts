// Admin operations on the deployment of a bot: the module in the BOTS folder or the webhook that it runs, and its secrets.
// Code cannot be uploaded through the API.
import type { Deployment } from '../../../protocol/admin/admin.ts';
import { isPermitted } from '../../../protocol/admin/permissions.ts';
import { deployment } from '../../../protocol/operations/admin/deployment.ts';
import { ApiError } from '../../api/errors.ts';
import { createSigningSecret } from '../../bots/index.ts';
import type { BotRow } from '../../storage/bots/bots.ts';
import { setDeployment, setSecrets } from '../../storage/bots/deployment.ts';
import { findEventOptions, setEventOptions } from '../../storage/bots/event-options.ts';
import type { Tx } from '../../storage/database.ts';
import { existingBot } from '../find.ts';
import { serializeDeployment } from '../serializers.ts';
import { handle } from './services.ts';

type DeploymentFields = Pick<BotRow, 'code' | 'webhookUrl' | 'signingSecret'>;

/** Returns the deployment columns of a bot that runs this code or webhook. A webhook keeps its signing secret when its URL changes. */
export function withDeployment(
  fields: DeploymentFields,
  now: number,
): DeploymentFields & Pick<BotRow, 'deployedAt'> {
  const { code, webhookUrl, signingSecret } = fields;
  return {
    code,
    webhookUrl,
    signingSecret: webhookUrl === null ? null : (signingSecret ?? createSigningSecret()),
    deployedAt: code === null && webhookUrl === null ? 0 : now,
  };
}

/** Adds what the bot receives beyond the events of its users, and the format of requests to its webhook. */
async function withEvents(tx: Tx, botId: string, deployment: Deployment): Promise<Deployment> {
  const { outgoingEvents, knowledgeResults, webhookFormat } = await findEventOptions(tx, botId);
  return {
    ...deployment,
    ...(webhookFormat === 'hosted' ? { webhookFormat } : {}),
    ...(outgoingEvents ? { outgoingEvents: true } : {}),
    ...(knowledgeResults > 0 ? { knowledgeResults } : {}),
  };
}

export const deploymentHandlers = [
  handle(
    deployment.getBotDeployment,
    async ({ tx, caller, params, ...call }) => {
      const bot = await existingBot(tx, caller, params.id);
      return { body: { deployment: await withEvents(tx, bot.id, serializeDeployment(bot, caller, call)) } };
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
      const { code = typeof input.webhookUrl === 'string' ? null : bot.code } = input;
      const { webhookUrl = typeof input.code === 'string' ? null : bot.webhookUrl } = input;
      let changed = bot;
      if (code !== bot.code || webhookUrl !== bot.webhookUrl) {
        const now = services.now();
        changed = { ...bot, ...withDeployment({ ...bot, code, webhookUrl }, now), updatedAt: now };
        // Without code and webhook, the default bot runs what the settings of the server configure.
        if (services.botCode.isDefaultBot(bot)) changed.deployedAt = now;
        await setDeployment(tx, changed);
      }
      const { outgoingEvents, knowledgeResults, webhookFormat } = input;
      if ([outgoingEvents, knowledgeResults, webhookFormat].some((option) => option !== undefined)) {
        const stored = await findEventOptions(tx, bot.id);
        await setEventOptions(tx, bot.id, {
          outgoingEvents: outgoingEvents === undefined ? stored.outgoingEvents : Number(outgoingEvents),
          knowledgeResults: knowledgeResults ?? stored.knowledgeResults,
          webhookFormat: webhookFormat ?? stored.webhookFormat,
        });
      }
      const serialized = serializeDeployment(changed, caller, { services, address });
      return { body: { deployment: await withEvents(tx, bot.id, serialized) } };
    },
    {
      async beforeTransaction({ caller, input: { code }, services }) {
        if (typeof code === 'string') await services.botCode.assertLoadable(code, caller.workspaceId);
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
