// The settings: one table from which reading, checking, --help and the documentation are derived. A wrong value
// stops the start; an unknown variable of the environment is none of our business.
import { limits } from '../protocol/limits.ts';
import { isRandomEnough } from './auth/entropy.ts';
import { typePattern } from './files/index.ts';
import { usersPerAddress, viewsPerAddress } from './http/rate-limit.ts';
import { quotaSettings } from './limits/quota-settings.ts';
import type { Setting } from './setting.ts';
import { StartError } from './start-error.ts';

const setting = <const S extends Setting<unknown>>(row: S): S => row;
const path = (text: string): string => text;

export const settingsTable = {
  PORT: setting({
    doc: 'Port to listen on; `0` takes any free one.',
    default: '3000',
    read: (text) => (/^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : undefined),
    must: 'must be a whole number from 0 to 65535',
  }),
  HOST: setting({
    doc: 'Address to listen on; `0.0.0.0` for all of this machine.',
    default: '127.0.0.1',
    read: (text) => (/^[\w.:-]+$/.test(text) ? text : undefined),
    must: 'must be a host name or an IP address',
  }),
  PUBLIC_URL: setting({
    doc: 'Address under which browsers reach this server, for links in bot messages and to files.',
    defaultDoc: '`http://127.0.0.1:PORT`',
    read: (text) =>
      /^https?:\/\/[^/?#]+/.test(text) && URL.canParse(text) ? text.replace(/\/+$/, '') : undefined,
    must: 'must be an http or https address',
  }),
  DATA_DIR: setting({
    doc: 'Folder of the database, the files and the generated secret; made when it is missing.',
    default: './data',
    read: path,
    must: 'must be a path',
  }),
  USER_KEY_SECRET: setting({
    doc: 'Secret that signs user keys (HS256): at least 16 random characters, such as `openssl rand -hex 32` prints.',
    defaultDoc: 'made at the first start and kept in `DATA_DIR/user-key-secret`',
    read: (text) => (text.length >= 16 && isRandomEnough(text) ? text : undefined),
    must: 'must be at least 16 random characters: take what `openssl rand -hex 32` prints',
    isSecret: true,
  }),
  USER_KEY_SECRET_PREVIOUS: setting({
    doc: 'The secret before this one: what it signed is still accepted, and nothing is signed with it.',
    defaultDoc: 'none',
    // Not checked for randomness: to replace a weak secret is what this is for.
    read: (text) => (text.length >= 16 ? text : undefined),
    must: 'must be the secret before, which had at least 16 characters',
    isSecret: true,
  }),
  USER_KEYS: setting({
    doc: '`issued`: this server gives out user keys. `personal`: your application signs them with `USER_KEY_SECRET`, and `POST /users` is refused.',
    default: 'issued',
    read: (text) => (text === 'issued' || text === 'personal' ? text : undefined),
    must: 'must be `issued` or `personal`',
  }),
  ANONYMOUS_USER_IDS: setting({
    doc: 'Whether `POST /users` takes an `id` that the caller chooses: `refuse` or `allow`. With `allow` anybody can take an id before your application signs a key for it.',
    default: 'refuse',
    read: (text) => (text === 'refuse' || text === 'allow' ? text : undefined),
    must: 'must be `refuse` or `allow`',
  }),
  USER_KEY_LIFETIME: setting({
    doc: 'Seconds until a user key that this server issues expires, at least 60; `0` for keys that do not expire. The widget renews its key in time.',
    default: '0',
    read: (text) => (/^(0|[6-9]\d|[1-9]\d{2,8})$/.test(text) ? Number(text) : undefined),
    must: 'must be 0 or a whole number from 60 to 999999999',
  }),
  WEBHOOK_ID: setting({
    doc: 'The last part of the chat address `/chat/WEBHOOK_ID`.',
    default: 'demo',
    read: (text) => (/^[\w-]{1,70}$/.test(text) ? text : undefined),
    must: 'must be 1 to 70 letters, digits, `_` or `-`',
  }),
  PARTICIPANTS: setting({
    doc: '`invited`: a user joins a conversation of another by accepting an invitation. `direct`: its owner adds users without asking them, and so reads their profiles (docs/concepts/security.md).',
    default: 'invited',
    read: (text) => (text === 'invited' || text === 'direct' ? text : undefined),
    must: 'must be `invited` or `direct`',
  }),
  BOT: setting({
    doc: 'Path of the ES module with the bot (docs/guides/bots.md).',
    defaultDoc: 'the demo bot',
    read: path,
    must: 'must be a path',
  }),
  BOTS: setting({
    doc: 'Folder of the ES modules of all other bots; an administrator says which bot runs which of them.',
    defaultDoc: 'none',
    read: path,
    must: 'must be a path',
  }),
  WEBHOOK_PRIVATE: setting({
    doc: 'Which bots may have webhooks in private networks and on this machine: `refuse` for none, `first` for those of the first workspace, `allow` for all. Link-local and other special addresses are always refused.',
    default: 'refuse',
    read: (text) => (text === 'refuse' || text === 'first' || text === 'allow' ? text : undefined),
    must: 'must be `refuse`, `first` or `allow`',
  }),
  CONFIGURATION: setting({
    doc: 'Path of a JSON file with the dashboard configuration of the widget; what an administrator stores takes precedence, field by field.',
    defaultDoc: '`{}`',
    read: path,
    must: 'must be a path',
  }),
  ADMIN_TOKEN: setting({
    doc: 'The administrator’s token, at least 32 random characters, such as `openssl rand -hex 32` prints; it takes the place of the one before, for good.',
    defaultDoc: 'made at the first start',
    read: (text) => (/^[\x21-\x7e]{32,1000}$/.test(text) && isRandomEnough(text) ? text : undefined),
    must: 'must be 32 to 1000 random ASCII characters without spaces: take what `openssl rand -hex 32` prints',
    isSecret: true,
  }),
  WORKSPACES: setting({
    doc: 'Who creates workspaces: `operator` (only the owners of the first workspace) or `owners` (the owners of all workspaces).',
    default: 'operator',
    read: (text) => (text === 'operator' || text === 'owners' ? text : undefined),
    must: 'must be `operator` or `owners`',
  }),
  AUDIT_RETENTION_DAYS: setting({
    doc: 'Days that the audit trail of administrator actions is kept.',
    default: '365',
    read: (text) => (/^[1-9]\d{0,4}$/.test(text) ? Number(text) : undefined),
    must: 'must be a whole number from 1 to 99999',
  }),
  ALLOWED_ORIGINS: setting({
    doc: 'Origins of the pages that may use the Chat API, separated by commas.',
    defaultDoc: 'all',
    read: readOrigins,
    must: 'must be origins such as `https://example.com`, separated by commas',
  }),
  PROOF_OF_WORK: setting({
    doc: 'Zero bits of the proof of work that a client computes before `POST /users` creates a user, at most 24; `0` for none, `16` is a good value ([security.md](../concepts/security.md#proof-of-work)).',
    default: '0',
    read: (text) => (/^\d{1,2}$/.test(text) && Number(text) <= 24 ? Number(text) : undefined),
    must: 'must be a whole number from 0 to 24',
  }),
  MAX_FILE_BYTES: setting({
    doc: `Bytes that one file of a visitor may have, at most ${limits.maxFileBytes}.`,
    default: String(limits.fileBytes),
    read: (text) =>
      /^[1-9]\d{0,9}$/.test(text) && Number(text) <= limits.maxFileBytes ? Number(text) : undefined,
    must: `must be a whole number from 1 to ${limits.maxFileBytes}`,
  }),
  FILE_TYPES: setting({
    doc: 'Media types of files that visitors may send, separated by commas, such as `image/*,application/pdf`.',
    defaultDoc: 'all',
    read: readTypes,
    must: 'must be media types such as `image/*` or `application/pdf`, separated by commas',
  }),
  RETENTION_DAYS: setting({
    doc: 'Days after which a conversation in which nothing happened is deleted, and then visitors without a conversation and files of visitors; `0` keeps everything.',
    default: '0',
    read: (text) => (/^\d{1,5}$/.test(text) ? Number(text) : undefined),
    must: 'must be a whole number from 0 to 99999',
  }),
  RATE_LIMIT: setting({
    doc: `Requests to the APIs that one user key may make in a minute, and one address ${usersPerAddress} times as many, and ${viewsPerAddress} times as many for scripts, pages and files; \`0\` for no limit.`,
    default: '600',
    read: (text) => (/^\d{1,7}$/.test(text) ? Number(text) : undefined),
    must: 'must be a whole number from 0 to 9999999',
  }),
  ...quotaSettings,
  MAX_CONNECTIONS: setting({
    doc: 'Connections at a time, of which one address may have a tenth (any number with `TRUST_PROXY`). Each open chat holds one.',
    default: '10000',
    read: (text) => (/^[1-9]\d{0,5}$/.test(text) ? Number(text) : undefined),
    must: 'must be a whole number from 1 to 999999',
  }),
  TRUST_PROXY: setting({
    doc: 'Proxies in front of this server. Of `X-Forwarded-For` so many entries are believed, from the right; with `0` none.',
    default: '0',
    read: (text) => (/^\d$/.test(text) ? Number(text) : undefined),
    must: 'must be a whole number from 0 to 9',
  }),
  LOG_LEVEL: setting({
    doc: 'What is logged to stderr, as JSON: `fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`.',
    default: 'info',
    read: (text) =>
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'].includes(text) ? text : undefined,
    must: 'must be one of fatal, error, warn, info, debug, trace, silent',
  }),
};

type SettingName = keyof typeof settingsTable;

type ValueOf<S extends Setting<unknown>> = Exclude<ReturnType<S['read']>, undefined>;
type Table = typeof settingsTable;

/** The settings as values. Those without a default may be undefined. */
export type Settings = {
  [N in SettingName]: ValueOf<Table[N]> | (Table[N] extends { default: unknown } ? never : undefined);
};

/** Reads the settings; blank means unset. Throws StartError with one line for the first wrong one. */
export function readSettings(env: Record<string, string | undefined>): Settings {
  const values = Object.entries(settingsTable).map(([name, row]: [string, Setting<unknown>]) => {
    const text = env[name]?.trim() || row.default;
    if (text === undefined) return [name, undefined];
    const value = row.read(text);
    if (value === undefined) throw new StartError(`${name} ${row.must}.`);
    return [name, value];
  });
  return Object.fromEntries(values) as Settings;
}

function readTypes(text: string): string[] | undefined {
  const types = text.split(',').map((part) => part.trim().toLowerCase());
  return types.every((type) => typePattern.test(type)) ? types : undefined;
}

function readOrigins(text: string): string[] | undefined {
  const origins = text.split(',').map((part) => part.trim());
  const valid = origins.every(
    (origin) => origin === 'null' || (URL.canParse(origin) && new URL(origin).origin === origin),
  );
  return valid ? origins : undefined;
}
