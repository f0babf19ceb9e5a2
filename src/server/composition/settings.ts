// The settings of the server: one table from which reading, validation, --help and the documentation are derived.
import * as v from 'valibot';
import { memberSettings, userKeySettings } from '../auth/settings.ts';
import { agentSettings, botSettings } from '../bots/index.ts';
import { chatSettings } from '../chat/index.ts';
import { relaySettings } from '../cluster/relay/settings.ts';
import {
  embeddingSettings,
  readEmbeddings,
  readS3,
  s3Settings,
  visitorFileSettings,
} from '../files/index.ts';
import { usersPerAddress, viewsPerAddress } from '../http/rate-limit.ts';
import { inboxSettings } from '../inbox/index.ts';
import { operationSettings, quotaSettings } from '../limits/settings.ts';
import { retentionSettings } from '../maintenance/cleanup/index.ts';
import { mailSettings, pushSettings, readMail, readPush } from '../notifications/settings.ts';
import { oidcSettings, readOidc } from '../session/index.ts';
import { addressSettings } from '../startup/address-settings.ts';
import { oneOf, readTable, type SettingsOf, setting, wholeNumber } from '../startup/setting.ts';
import { databaseSettings } from '../storage/open.ts';
import { computedSettings } from '../tables/index.ts';
import { webchatSettings } from '../webchat/index.ts';

export const settingsTable = {
  ...addressSettings,
  DATA_DIR: setting({
    doc: 'Folder of the database, the files and the generated secret; created if it is missing.',
    default: './data',
    schema: v.string(),
  }),
  ...databaseSettings,
  ...relaySettings,
  ...userKeySettings,
  ...chatSettings,
  ...botSettings,
  ...webchatSettings,
  ...memberSettings,
  ...inboxSettings,
  ...mailSettings,
  ...pushSettings,
  ...oidcSettings,
  ...retentionSettings,
  ...visitorFileSettings,
  ...s3Settings,
  ...embeddingSettings,
  RATE_LIMIT: setting({
    doc: `API requests per minute of one user key; one address can make ${usersPerAddress} times as many, and ${viewsPerAddress} times as many requests for scripts, pages and files. \`0\` for no limit.`,
    default: '600',
    schema: wholeNumber(0, 9_999_999),
  }),
  ...agentSettings,
  ...computedSettings,
  ...quotaSettings,
  MAX_CONNECTIONS: setting({
    doc: 'Concurrent connections; one address can have a tenth of them (any number with `TRUST_PROXY`). Each open chat uses one.',
    default: '10000',
    schema: wholeNumber(1, 999_999),
  }),
  ...operationSettings,
  TRUST_PROXY: setting({
    doc: 'Number of trusted proxies in front of this server. The server uses this many entries of `X-Forwarded-For`, from the right; with `0` it ignores the header.',
    default: '0',
    schema: wholeNumber(0, 9),
  }),
  LOG_LEVEL: setting({
    doc: 'Level of the JSON log on stderr: `fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`.',
    default: 'info',
    schema: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
  }),
};

/** The values of all settings. */
export type Settings = SettingsOf<typeof settingsTable>;

/** Reads the settings; a blank text counts as unset. Throws StartError with one line for the first invalid one. */
export const readSettings = (env: Record<string, string | undefined>): Settings =>
  readTable(settingsTable, env);

export type ExternalServices = ReturnType<typeof readExternalServices>;

/**
 * Reads the settings of other services: object store, embedding model, mail server, push services, sign-in. Each is undefined
 * unless it is set. Throws StartError for settings that do not fit together.
 */
export const readExternalServices = (settings: Settings) => ({
  s3: readS3(settings),
  embeddings: readEmbeddings(settings),
  mail: readMail(settings),
  push: readPush(settings),
  oidc: readOidc(settings),
});
