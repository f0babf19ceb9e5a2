// What a bot runs: a module in the server's folder of bots, or a webhook; and its secrets. Code itself never comes in
// this way.
import * as v from 'valibot';
import { isPermitted } from '../../../protocol/permissions.ts';
import { ApiError } from '../../api/errors.ts';
import { schemas } from '../../api/schemas.ts';
import { createSigningSecret } from '../../bots/index.ts';
import { reading, writing } from '../../operations/operation.ts';
import { type BotRow, setDeployment, setSecrets } from '../../storage/bots/bots.ts';
import { existingBot } from '../find.ts';
import { admin } from '../schemas.ts';
import { toDeployment } from '../serializers.ts';

const response = v.object({ deployment: admin.deployment });

type Given = { code?: string | null; webhookUrl?: string | null };

/** Code and webhook exclude each other. */
export const oneOfBoth = <T extends Given>() =>
  v.check<T, string>(
    ({ code, webhookUrl }) => typeof code !== 'string' || typeof webhookUrl !== 'string',
    'A bot runs code or has a webhookUrl, not both.',
  );

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

export const deployment = [
  reading({
    id: 'getBotDeployment',
    // It shows the secrets of the bot to those who may change them.
    audit: ({ kind }) => isPermitted(kind, 'bots.update'),
    method: 'GET',
    path: '/bots/{id}/deployment',
    summary: 'Tells what a bot runs and where its chat is; its secrets only to who may change them.',
    auth: 'workspace',
    permission: 'bots.read',
    errors: ['ResourceNotFound'],
    status: 200,
    response,
    async run({ tx, caller, params, ...call }) {
      return { body: { deployment: toDeployment(await existingBot(tx, caller, params.id), caller, call) } };
    },
  }),

  writing({
    id: 'setBotDeployment',
    method: 'PUT',
    path: '/bots/{id}/deployment',
    summary:
      'Says what a bot runs: a module of the server’s folder of bots, or a webhook, each in place of the other. ' +
      'What is left out stays, null takes it away.',
    auth: 'workspace',
    permission: 'bots.update',
    errors: ['ResourceNotFound'],
    status: 200,
    body: v.pipe(
      v.object({
        code: v.exactOptional(v.nullable(admin.code)),
        webhookUrl: v.exactOptional(v.nullable(admin.webhookUrl)),
      }),
      oneOfBoth(),
    ),
    response,
    async ahead({ caller, body: { code }, services }) {
      if (typeof code === 'string') await services.botCode.assertLoadable(code, caller.workspaceId);
    },
    async run({ tx, caller, params, body, services, address }) {
      const bot = await existingBot(tx, caller, params.id);
      const { code = typeof body.webhookUrl === 'string' ? null : bot.code } = body;
      const { webhookUrl = typeof body.code === 'string' ? null : bot.webhookUrl } = body;
      let changed = bot;
      if (code !== bot.code || webhookUrl !== bot.webhookUrl) {
        const now = services.now();
        changed = { ...bot, ...deployed({ ...bot, code, webhookUrl }, now), updatedAt: now };
        // Without either the bot of the settings runs what they say.
        if (services.botCode.isDefaultBot(bot)) changed.deployedAt = now;
        await setDeployment(tx, changed);
      }
      return { body: { deployment: toDeployment(changed, caller, { services, address }) } };
    },
  }),

  writing({
    id: 'rotateBotSecrets',
    method: 'POST',
    path: '/bots/{id}/deployment/rotate',
    summary:
      'Ends the secrets of a bot and makes others, which getBotDeployment tells: user keys that were signed before are ' +
      'good no more, streams that they opened end, and what goes to the webhook is signed anew.',
    auth: 'workspace',
    // Like the end of a token: it puts people out.
    permission: 'tokens.write',
    errors: ['ResourceNotFound', 'ReferenceConstraint'],
    status: 200,
    response: schemas.nothing,
    async run({ tx, caller, params, services }) {
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
    },
  }),
];
