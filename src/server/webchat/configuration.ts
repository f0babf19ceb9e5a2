// The configuration of the widget per bot: defaults from a file, overridden field by field by what an administrator
// stored. Secrets must neither be stored nor returned. Responses are cached per version.
import { limits } from '../../protocol/limits.ts';
import { type Configuration, type FieldName, secretFields } from '../../protocol/page-api/config.ts';
import { readLayer } from '../../protocol/page-api/config-layers.ts';
import { type Feature, features, type Webchat } from '../../protocol/webchat.ts';
import { type Asset, createAsset } from '../api/asset.ts';
import { ApiError } from '../api/errors.ts';
import type { BotFileLimits, FileLimits } from '../files/index.ts';
import type { BotRow } from '../storage/bots/bots.ts';
import { configurationVersion, readConfiguration } from '../storage/bots/configurations.ts';
import type { Database } from '../storage/database.ts';
import { commonTypes, fileLimitsOf } from './file-limits.ts';
import { createVersionCache } from './version-cache.ts';

/**
 * Bytes of cached responses of all bots together. One response can have half of it, so every configuration that the Admin
 * API accepts (50 MB) fits.
 */
const maxCacheBytes = 128_000_000;

/** The response of `GET {chat}/webchat`, as bytes. */
export interface WebchatAsset extends Asset {
  /** The field `botName` of the configuration. */
  botName: string | undefined;
  fileLimits: BotFileLimits;
}

type BotKey = Pick<BotRow, 'id' | 'webhookId'>;

/** Each method reads the version from the database, so that the next request sees a change. */
export interface ConfigurationStore {
  /** The public configuration of a bot, as JSON. */
  webchat(bot: BotKey): Promise<WebchatAsset>;
  /** JSON that `make` creates from the stored configuration of a bot; `name` is the cache key. */
  stored(bot: BotKey, name: string, make: (configuration: Configuration) => object): Promise<Asset>;
  /** An asset that `make` creates from the response of `webchat`; `name` is the cache key. */
  derived(bot: BotKey, name: string, make: (webchat: WebchatAsset) => Promise<Asset>): Promise<Asset>;
}

/**
 * `defaults`: the values of the default bot for fields that are not stored. `allowed`: the features that
 * depend on settings, and whether the server has them.
 */
export function createConfigurationStore(
  db: Database,
  webhookId: string,
  defaults: Configuration,
  serverLimits: FileLimits,
  allowed: Partial<Record<Feature, boolean>>,
): ConfigurationStore {
  const cache = createVersionCache<Asset>(
    maxCacheBytes,
    ({ plain, brotli, gzip, botName = '' }: Asset & Partial<WebchatAsset>) =>
      plain.length + (brotli?.length ?? 0) + (gzip?.length ?? 0) + 2 * botName.length,
  );
  const versionOf = (bot: BotKey) => db.read((tx) => configurationVersion(tx, bot.id));
  const read = async (bot: BotKey): Promise<Configuration> => {
    const text = await db.read((tx) => readConfiguration(tx, bot.id));
    return withoutSecrets(JSON.parse(text) as Configuration);
  };

  const store: ConfigurationStore = {
    async webchat(bot) {
      return cache.get(`webchat ${bot.id}`, await versionOf(bot), async () => {
        const values = bot.webhookId === webhookId ? withoutSecrets(defaults) : {};
        const configuration = { ...values, ...(await read(bot)) };
        const fileLimits = fileLimitsOf(serverLimits, configuration);
        const webchat: Webchat = {
          configuration,
          features: features.filter((feature) => allowed[feature] ?? true),
          limits: {
            messageBytes: limits.messageBytes,
            fileBytes: fileLimits.maxBytes,
            fileTypes: commonTypes(fileLimits.types),
            ...(fileLimits.perMessage !== undefined && { filesPerMessage: fileLimits.perMessage }),
          },
        };
        return { ...(await jsonAsset(webchat)), botName: configuration.botName, fileLimits };
      });
    },
    async stored(bot, name, make) {
      return cache.get(`stored ${bot.id} ${name}`, await versionOf(bot), async () =>
        jsonAsset(make(await read(bot))),
      );
    },
    async derived(bot, name, make) {
      return cache.get(`derived ${bot.id} ${name}`, await versionOf(bot), async () =>
        make(await store.webchat(bot)),
      );
    },
  };
  return store;
}

const jsonAsset = (value: object): Promise<Asset> =>
  createAsset(Buffer.from(JSON.stringify(value)), 'application/json');

/**
 * A configuration to be stored, without blank fields. Throws InvalidPayload when a field is invalid, unknown or a secret:
 * the message is that of the first issue, `metadata.issues` lists up to ten.
 */
export function checkConfiguration(given: unknown): Configuration {
  const issues: { path: string; message: string }[] = [];
  const addIssue = (field: string, message: string): void => {
    // The name of an unknown field can be as long as the body.
    if (issues.length < 10)
      issues.push({ path: `configuration.${field}`.slice(0, 200), message: message.slice(0, 400) });
  };
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new ApiError('InvalidPayload', 'configuration: Expected Object.');
  }
  const configuration = readLayer(given, ({ field, message }) => addIssue(field, message));
  for (const name of secretFields) {
    if (name in configuration) addIssue(name, `Configuration: '${name}' is a secret and cannot be stored.`);
  }
  const [first] = issues;
  if (first) throw new ApiError('InvalidPayload', first.message, { issues });
  return configuration;
}

function withoutSecrets(configuration: Configuration): Configuration {
  const entries = Object.entries(configuration).filter(([name]) => !secretFields.includes(name as FieldName));
  return Object.fromEntries(entries) as Configuration;
}
