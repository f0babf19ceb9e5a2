// The dashboard configuration: the first values, which a file may give, and over them, field by field, what an
// administrator stored. It lets no secret out and none in, and makes each answer once per version.
import { type Configuration, type FieldName, readLayer, secretFields } from '../../protocol/config.ts';
import { limits } from '../../protocol/limits.ts';
import type { Feature, Webchat } from '../../protocol/webchat.ts';
import { type Asset, createAsset } from '../api/asset.ts';
import { ApiError } from '../api/errors.ts';
import type { FileLimits } from '../files/index.ts';
import type { BotRow } from '../storage/bots/bots.ts';
import { configurationVersion, readConfiguration } from '../storage/bots/configurations.ts';
import type { Database } from '../storage/database.ts';
import { createVersionCache } from './version-cache.ts';

/** What every server can do; renewal only where it issues keys. */
const features: readonly Feature[] = ['replay', 'idempotency', 'stream', 'typing', 'files', 'feedback'];

/**
 * Bytes of answers that are kept for all bots together. One answer may have half of it, which every configuration fits
 * into that the Admin API takes (50 MB).
 */
const keptBytes = 128_000_000;

/** The answer of `GET {chat}/webchat`, as bytes. */
export interface WebchatAsset extends Asset {
  /** The name that the configuration gives the bot. */
  botName: string | undefined;
}

type Keyed = Pick<BotRow, 'id' | 'webhookId'>;

/** All of it asks the database for the version each time, so that a change is seen by the next request. */
export interface Dashboard {
  /** What every visitor of a bot may know, as JSON. */
  webchat(bot: Keyed): Promise<WebchatAsset>;
  /** JSON that `make` makes of the configuration that is stored for a bot; `name` says which one it is. */
  stored(bot: Keyed, name: string, make: (configuration: Configuration) => object): Promise<Asset>;
  /** What `make` makes of the answer of `webchat`; `name` says which one it is. */
  derived(bot: Keyed, name: string, make: (webchat: WebchatAsset) => Promise<Asset>): Promise<Asset>;
}

/**
 * `first`: the values that stand, for the bot of the settings, where nothing is stored. `isRenewing`: whether issued user
 * keys are renewed.
 */
export function createDashboard(
  db: Database,
  webhookId: string,
  first: Configuration,
  { maxBytes, types }: FileLimits,
  isRenewing: boolean,
): Dashboard {
  const cache = createVersionCache<Asset>(
    keptBytes,
    ({ plain, brotli, gzip, botName = '' }: Asset & Partial<WebchatAsset>) =>
      plain.length + (brotli?.length ?? 0) + (gzip?.length ?? 0) + 2 * botName.length,
  );
  const versionOf = (bot: Keyed) => db.read((tx) => configurationVersion(tx, bot.id));
  const read = async (bot: Keyed): Promise<Configuration> => {
    const text = await db.read((tx) => readConfiguration(tx, bot.id));
    return withoutSecrets(JSON.parse(text) as Configuration);
  };

  const dashboard: Dashboard = {
    async webchat(bot) {
      return cache.get(`webchat ${bot.id}`, await versionOf(bot), async () => {
        const values = bot.webhookId === webhookId ? withoutSecrets(first) : {};
        const webchat: Webchat = {
          configuration: { ...values, ...(await read(bot)) },
          features: isRenewing ? [...features, 'renewal'] : [...features],
          limits: { messageBytes: limits.payloadBytes, fileBytes: maxBytes, fileTypes: [...types] },
        };
        return { ...(await jsonAsset(webchat)), botName: webchat.configuration.botName };
      });
    },
    async stored(bot, name, make) {
      return cache.get(`stored ${bot.id} ${name}`, await versionOf(bot), async () =>
        jsonAsset(make(await read(bot))),
      );
    },
    async derived(bot, name, make) {
      return cache.get(`derived ${bot.id} ${name}`, await versionOf(bot), async () =>
        make(await dashboard.webchat(bot)),
      );
    },
  };
  return dashboard;
}

const jsonAsset = (value: object): Promise<Asset> =>
  createAsset(Buffer.from(JSON.stringify(value)), 'application/json');

/**
 * A configuration to be stored: blank fields left out. Throws InvalidPayload when a field is wrong, unknown or a secret;
 * the message is that of the first one, `metadata.issues` has ten at most.
 */
export function checkConfiguration(given: unknown): Configuration {
  const issues: { path: string; message: string }[] = [];
  const refuse = (field: string, message: string): void => {
    // The name of an unknown field can be as long as the body.
    if (issues.length < 10)
      issues.push({ path: `configuration.${field}`.slice(0, 200), message: message.slice(0, 400) });
  };
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    throw new ApiError('InvalidPayload', 'configuration: Expected Object.');
  }
  const configuration = readLayer(given, ({ field, message }) => refuse(field, message));
  for (const name of secretFields) {
    if (name in configuration) refuse(name, `Configuration: '${name}' is a secret; it is not stored here.`);
  }
  const [first] = issues;
  if (first) throw new ApiError('InvalidPayload', first.message, { issues });
  return configuration;
}

function withoutSecrets(configuration: Configuration): Configuration {
  const entries = Object.entries(configuration).filter(([name]) => !secretFields.includes(name as FieldName));
  return Object.fromEntries(entries) as Configuration;
}
