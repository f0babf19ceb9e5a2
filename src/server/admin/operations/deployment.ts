// What a bot runs: a module in the server's folder of bots, or a webhook; and its secrets. Code itself never comes in
// this way.

import { deployment } from '../../../protocol/operations/admin/deployment.ts';
import { isPermitted } from '../../../protocol/permissions.ts';
import { ApiError } from '../../api/errors.ts';
import { createSigningSecret } from '../../bots/index.ts';
import { type BotRow, setDeployment, setSecrets } from '../../storage/bots/bots.ts';
import { existingBot } from '../find.ts';
import { serializeDeployment } from '../serializers.ts';
import { handle } from './services.ts';

type Runs = Pick<BotRow, 'code' | 'webhookUrl' | 'signingSecret'>;

/** A bot that runs this from now on. The secret that signs what goes to a webhook stays while there is one. */
export function deployed(runs: Runs, now: number): Runs & Pick<BotRow, 'deployedAt'> {
  const { code, webhookUrl, signingSecret } = runs;
  return {
    code,
    webhookUrl,
    signingSecret: webhookUrl === null ? null : (signingSecret ?? createSigningSecret()),
    deployedAt: code === null && webhookUrl === null ? 0 : now,
  };
}

export const deploymentHandlers = [
  handle(
    deployment.getBotDeployment,
    async ({ tx, caller, params, ...call }) => {
      return {
        body: { deployment: serializeDeployment(await existingBot(tx, caller, params.id), caller, call) },
      };
    },
    {
      // It shows the secrets of the bot to those who may change them.
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
        changed = { ...bot, ...deployed({ ...bot, code, webhookUrl }, now), updatedAt: now };
        // Without either the default bot runs what they say.
        if (services.botCode.isDefaultBot(bot)) changed.deployedAt = now;
        await setDeployment(tx, changed);
      }
      return { body: { deployment: serializeDeployment(changed, caller, { services, address }) } };
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
        'The user keys of this bot are signed with the secret of the server: who runs it changes the setting ' +
          'USER_KEY_SECRET. For another signing secret, take the webhook away and set it again.',
      );
    }
    await setSecrets(tx, {
      id: bot.id,
      ownKeys: bot.ownKeys + 1,
      signingSecret: bot.signingSecret === null ? null : createSigningSecret(),
      updatedAt: services.now(),
    });
    tx.afterCommit(() => services.onKeysEnded(bot.id));
    // Not in the answer, which is kept for who asks again with the same Idempotency-Key.
    return { body: {} };
  }),
];
