// The settings of the server: one table from which reading, validation, --help and the documentation are derived.
import * as v from 'valibot';
import { limits } from '../protocol/limits.ts';
import { isRandomEnough } from './auth/entropy.ts';
import { userKeySettings } from './auth/settings.ts';
import { agentSettings, botSettings } from './bots/index.ts';
import { pushSettings } from './chat/index.ts';
import { relaySettings } from './cluster/settings.ts';
import { embeddingSettings, s3Settings, typePattern } from './files/index.ts';
import { usersPerAddress, viewsPerAddress } from './http/rate-limit.ts';
import { operationSettings } from './limits/operation-settings.ts';
import { quotaSettings } from './limits/quota-settings.ts';
import { mailSettings } from './mail/settings.ts';
import { modelSettings } from './model-settings.ts';
import { oidcSettings } from './session/index.ts';
import {
  listOf,
  matching,
  oneOf,
  parseSetting,
  type Setting,
  setting,
  wholeNumber,
} from './startup/setting.ts';
import { StartError } from './startup/start-error.ts';
import { databaseSettings } from './storage/settings.ts';

const adminTokenMessage =
  'must be 32 to 1000 random ASCII characters without spaces: use the output of `openssl rand -hex 32`';

export const settingsTable = {
  PORT: setting({
    doc: 'Port to listen on; `0` takes any free one.',
    default: '3000',
    schema: wholeNumber(0, 65_535),
  }),
  HOST: setting({
    doc: 'Address to listen on; `0.0.0.0` for all addresses of this machine.',
    default: '127.0.0.1',
    schema: matching(/^[\w.:-]+$/, 'must be a host name or an IP address'),
  }),
  PUBLIC_URL: setting({
    doc: 'Address that browsers use to reach this server. Links in bot messages and addresses of files begin with it.',
    defaultDoc: '`http://127.0.0.1:PORT`',
    schema: v.pipe(
      v.string(),
      v.check(
        (text) => /^https?:\/\/[^/?#]+/.test(text) && URL.canParse(text),
        'must be an http or https address',
      ),
      v.transform((text) => text.replace(/\/+$/, '')),
    ),
  }),
  DATA_DIR: setting({
    doc: 'Folder of the database, the files and the generated secret; created if it is missing.',
    default: './data',
    schema: v.string(),
  }),
  ...databaseSettings,
  ...relaySettings,
  ...userKeySettings,
  WEBHOOK_ID: setting({
    doc: 'The last part of the chat address `/chat/WEBHOOK_ID`.',
    default: 'demo',
    schema: matching(/^[\w-]{1,70}$/, 'must be 1 to 70 letters, digits, `_` or `-`'),
  }),
  PARTICIPANTS: setting({
    doc: '`invited`: a user joins the conversation of another user by accepting an invitation. `direct`: the owner adds users without an invitation, and can then read their profiles (docs/concepts/security.md).',
    default: 'invited',
    schema: oneOf('invited', 'direct'),
  }),
  ...botSettings,
  CONFIGURATION: setting({
    doc: 'Path of a JSON file with the dashboard configuration of the widget; fields that an administrator has stored take precedence.',
    defaultDoc: '`{}`',
    schema: v.string(),
  }),
  ADMIN_TOKEN: setting({
    doc: 'The administrator’s token, at least 32 random characters, such as the output of `openssl rand -hex 32`; it permanently replaces the previous one.',
    defaultDoc: 'generated at the first start',
    schema: v.pipe(
      matching(/^[\x21-\x7e]{32,1000}$/, adminTokenMessage),
      v.check(isRandomEnough, adminTokenMessage),
    ),
    isSecret: true,
  }),
  ...mailSettings,
  ...pushSettings,
  ...oidcSettings,
  WORKSPACES: setting({
    doc: 'Who can create workspaces: `operator` (only the owners of the first workspace) or `owners` (the owners of all workspaces).',
    default: 'operator',
    schema: oneOf('operator', 'owners'),
  }),
  AUDIT_RETENTION_DAYS: setting({
    doc: 'Days that the audit trail of administrator actions is kept.',
    default: '365',
    schema: wholeNumber(1, 99_999),
  }),
  VISITOR_LOCALE: setting({
    doc: 'Whether bots get the language of the page, the language of the chat and the time zone of the visitor: `on` or `off`. With `off` the widget does not send them ([security.md](../concepts/security.md#languages-and-time-zone)).',
    default: 'on',
    schema: oneOf('on', 'off'),
  }),
  ALLOWED_ORIGINS: setting({
    doc: 'Origins of the pages that can use the Chat, Files, Tables and Runtime APIs, separated by commas.',
    defaultDoc: 'all',
    schema: listOf(isOrigin, 'must be origins such as `https://example.com`, separated by commas'),
  }),
  SANDBOX_ORIGIN: setting({
    doc: 'Origin in which apps of bots run, such as `https://apps.example.net`: another host name of this server, under which it serves nothing else ([apps.md](../guides/apps.md)).',
    defaultDoc: 'none: apps are shown as text',
    schema: v.pipe(
      v.string(),
      v.check(
        (text) => /^https?:/.test(text) && isOrigin(text),
        'must be an origin such as `https://apps.example.net`',
      ),
    ),
  }),
  PROOF_OF_WORK: setting({
    doc: 'Difficulty of the proof of work that a client computes before `POST /users` creates a user: the number of leading zero bits, at most 24. `0` turns it off, `16` is recommended ([security.md](../concepts/security.md#proof-of-work)).',
    default: '0',
    schema: wholeNumber(0, 24),
  }),
  MAX_FILE_BYTES: setting({
    doc: `Maximum size of one file of a visitor in bytes, at most ${limits.maxFileBytes}.`,
    default: String(limits.fileBytes),
    schema: wholeNumber(1, limits.maxFileBytes),
  }),
  FILE_TYPES: setting({
    doc: 'Media types of files that visitors can send, separated by commas, such as `image/*,application/pdf`.',
    defaultDoc: 'all',
    schema: v.pipe(
      v.string(),
      v.toLowerCase(),
      listOf(
        (type) => typePattern.test(type),
        'must be media types such as `image/*` or `application/pdf`, separated by commas',
      ),
    ),
  }),
  ...s3Settings,
  ...embeddingSettings,
  RETENTION_DAYS: setting({
    doc: 'Days after which inactive conversations, visitors without a conversation, and files and unused e-mail addresses of visitors are deleted; `0` keeps everything. Bots can have other periods (`bots retention`).',
    default: '0',
    schema: wholeNumber(0, 99_999),
  }),
  RATE_LIMIT: setting({
    doc: `API requests per minute of one user key; one address can make ${usersPerAddress} times as many, and ${viewsPerAddress} times as many requests for scripts, pages and files. \`0\` for no limit.`,
    default: '600',
    schema: wholeNumber(0, 9_999_999),
  }),
  WEBCHAT_KEEP_VERSIONS: setting({
    doc: 'Months that the widget of an earlier version remains at `/webchat/VERSION/` after an upgrade. The last three minor versions always remain; with `0` only they do.',
    default: '12',
    schema: wholeNumber(0, 1_200),
  }),
  DEV_ERRORS: setting({
    doc: 'Development: `on` shows the error and the stack of a bot that fails in the chat window. The flag is `--dev`. The server does not start with it if `NODE_ENV` is `production`.',
    default: 'off',
    schema: oneOf('off', 'on'),
    switch: { flag: '--dev', text: 'on' },
  }),
  ...agentSettings,
  ...modelSettings,
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

type ValueOf<S extends Setting<unknown>> = v.InferOutput<S['schema']>;
type Table = typeof settingsTable;

/** The values of the settings. Those without a default can be undefined. */
export type Settings = {
  [N in keyof Table]: ValueOf<Table[N]> | (Table[N] extends { default: unknown } ? never : undefined);
};

/** Reads the settings; a blank text counts as unset. Throws StartError with one line for the first invalid one. */
export function readSettings(env: Record<string, string | undefined>): Settings {
  const values = Object.entries(settingsTable).map(([name, row]: [string, Setting<unknown>]) => {
    const text = env[name]?.trim() || row.default;
    if (text === undefined) return [name, undefined];
    const result = parseSetting(row, text);
    if ('problem' in result) throw new StartError(`${name} ${result.problem}.`);
    return [name, result.value];
  });
  return Object.fromEntries(values) as Settings;
}

function isOrigin(text: string): boolean {
  return text === 'null' || (URL.canParse(text) && new URL(text).origin === text);
}
