// The settings of bots.
import * as v from 'valibot';
import { oneOf, type SettingsOf, setting, wholeNumber } from '../startup/setting.ts';
import { defaultWebhookSlots } from './webhooks/concurrency-limiter.ts';

export const botSettings = {
  BOT: setting({
    doc: 'Path of the ES module with the bot (docs/guides/bots.md).',
    defaultDoc: 'the demo bot',
    schema: v.string(),
  }),
  BOTS: setting({
    doc: 'Folder of the ES modules of all other bots; administrators select the module of each bot.',
    defaultDoc: 'none',
    schema: v.string(),
  }),
  BOT_THREADS: setting({
    doc: '`on`: each module of `BOT` and `BOTS` runs in a thread of its own, so that code which blocks disturbs no other bot (docs/guides/bots.md). `off`: in the process of the server.',
    default: 'on',
    schema: oneOf('on', 'off'),
  }),
  WEBHOOK_PRIVATE: setting({
    doc: 'Which bots can have webhooks in private networks and on this machine: `refuse` for none, `first` for those of the first workspace, `allow` for all. Link-local and other special addresses are always rejected.',
    default: 'refuse',
    schema: oneOf('refuse', 'first', 'allow'),
  }),
  WEBHOOK_REQUESTS: setting({
    doc: 'Concurrent requests of one process to the webhooks of all bots. Several processes have the sum. A bot has at most as many as are free, so that receivers which are slow leave some to others.',
    default: String(defaultWebhookSlots.total),
    schema: wholeNumber(1, 9_999),
  }),
  WEBHOOK_REQUESTS_PER_BOT: setting({
    doc: 'Concurrent requests of one process to the webhook of one bot, at most half of `WEBHOOK_REQUESTS`. With a receiver that takes a second, 10 are 10 events a second for each process.',
    default: String(defaultWebhookSlots.perBot),
    schema: wholeNumber(1, 9_999),
  }),
  DEV_ERRORS: setting({
    doc: 'Development: `on` shows the error and the stack of a bot that fails in the chat window. The flag is `--dev`. The server does not start with it if `NODE_ENV` is `production`.',
    default: 'off',
    schema: oneOf('off', 'on'),
    switch: { flag: '--dev', text: 'on' },
  }),
};

export type BotSettings = SettingsOf<typeof botSettings>;
