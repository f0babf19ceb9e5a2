// The configuration of the widget per bot: defaults from a file, overridden field by field by what an administrator
// stored. Secrets must neither be stored nor returned. Responses are cached per version.
import { readFile, stat } from 'node:fs/promises';
import * as v from 'valibot';
import { type Configuration, type FieldName, secretFields } from '../../protocol/page-api/config.ts';
import { fields, readLayer } from '../../protocol/page-api/config-layers.ts';
import { unsupported } from '../../protocol/page-api/field-kinds.ts';
import type { EmbedType } from '../../protocol/types/chat.ts';
import { type Feature, features } from '../../protocol/webchat.ts';
import type { Asset } from '../api/asset.ts';
import { ApiError } from '../api/errors.ts';
import { type FileStore, readFileLimits, type VisitorFileSettings } from '../files/index.ts';
import type { AddressSettings } from '../startup/address-settings.ts';
import { setting, wholeNumber } from '../startup/setting.ts';
import { type BotRow, hasChosenName } from '../storage/bots/bots.ts';
import {
  configurationFileOf,
  configurationVersion,
  readConfiguration,
} from '../storage/bots/configurations.ts';
import type { Database } from '../storage/database.ts';
import { createDocument, type DocumentRequest, type WebchatAsset } from './documents.ts';
import { createVersionCache } from './version-cache.ts';

/** Bytes of cached responses of all bots together. */
const maxCacheBytes = 128_000_000;

type BotKey = Pick<BotRow, 'id' | 'userId' | 'webhookId' | 'name' | 'code' | 'webhookUrl' | 'hasAgent'>;

/** Each method reads the version from the database, so that the next request sees a change. */
export interface ConfigurationStore {
  /** The public configuration of a bot, as JSON. */
  webchat(bot: BotKey): Promise<WebchatAsset>;
  /** The stored configuration of a bot, as JSON; with `embed`, also the code that adds its chat to a page. */
  stored(bot: BotKey, embed?: { type: EmbedType; address: string }): Promise<Asset>;
  /** The script of the widget with the configuration of a bot; undefined when the file does not exist. */
  script(bot: BotKey, file: string): Promise<Asset | undefined>;
  /** An asset that `make` creates from the response of `webchat`; `name` is the cache key. */
  derived(bot: BotKey, name: string, make: (webchat: WebchatAsset) => Promise<Asset>): Promise<Asset>;
}

export interface ConfigurationStoreOptions {
  db: Database;
  /** The files with configurations of more than 1 MB, which earlier versions have stored. */
  store: FileStore;
  settings: AddressSettings & VisitorFileSettings;
  /** The values of the default bot for fields that are not stored. */
  defaults: Configuration;
  /** Whether an agent at an address answers: then the chat says so, unless the configuration of the bot decides. */
  isAnsweredByAgent(bot: BotKey): boolean;
  /** The features that depend on settings, and whether the server has them. */
  allowed: Partial<Record<Feature, boolean>>;
}

export function createConfigurationStore(options: ConfigurationStoreOptions): ConfigurationStore {
  const { db, store: files, settings } = options;
  const fileLimits = readFileLimits(settings);
  const cache = createVersionCache<Asset>(
    maxCacheBytes,
    ({ plain, brotli, gzip, botName = '' }: Asset & Partial<WebchatAsset>) =>
      plain.length + (brotli?.length ?? 0) + (gzip?.length ?? 0) + 2 * botName.length,
  );
  /** The version changes neither with the name of the bot nor when another agent, or code, answers. */
  const keyOf = (name: string, bot: BotKey) =>
    `${name} ${bot.id} ${options.isAnsweredByAgent(bot)} ${bot.name}`;
  const versionOf = (bot: BotKey) => db.read((tx) => configurationVersion(tx, bot.id));
  const webchatOptions = (bot: BotKey) => ({
    botUserId: bot.userId,
    defaults: {
      ...(hasChosenName(bot) && { botName: bot.name }),
      ...(options.isAnsweredByAgent(bot) && { aiNotice: true }),
      ...(bot.webhookId === settings.WEBHOOK_ID && options.defaults),
    },
    features: features.filter((feature) => options.allowed[feature] ?? true),
    fileLimits,
    sandboxOrigin: settings.SANDBOX_ORIGIN,
  });

  async function documentOf(bot: BotKey, request: DocumentRequest): Promise<Asset | WebchatAsset> {
    const { text, contentId } = await db.read(async (tx) => ({
      text: await readConfiguration(tx, bot.id),
      contentId: await configurationFileOf(tx, bot.id),
    }));
    if (contentId === undefined) return createDocument(text, request);
    try {
      const stored = await files.withLocalFile(contentId, (path) => readFile(path, 'utf8'));
      return await createDocument(stored, request);
    } catch (error) {
      // The configuration was replaced in the meantime, and its file removed.
      const current = await db.read((tx) => configurationFileOf(tx, bot.id));
      if (current === contentId) throw error;
      return documentOf(bot, request);
    }
  }

  const store: ConfigurationStore = {
    async webchat(bot) {
      return cache.get(keyOf('webchat', bot), await versionOf(bot), async () => {
        const request = { kind: 'webchat', options: webchatOptions(bot) } as const;
        return (await documentOf(bot, request)) as WebchatAsset;
      });
    },
    async stored(bot, embed) {
      const request = embed
        ? ({ kind: 'embed', webhookId: bot.webhookId, ...embed } as const)
        : ({ kind: 'stored' } as const);
      const name = embed ? `${embed.type} ${embed.address}` : '';
      return cache.get(`stored ${bot.id} ${name}`, await versionOf(bot), () => documentOf(bot, request));
    },
    async script(bot, file) {
      const found = await stat(file).catch(() => undefined);
      if (!found) return undefined;
      return cache.get(keyOf(`script ${found.mtimeMs}`, bot), await versionOf(bot), async () => {
        const { plain } = await store.webchat(bot);
        const request = { kind: 'script', script: await readFile(file, 'utf8') } as const;
        return createDocument(Buffer.from(plain).toString(), request);
      });
    },
    async derived(bot, name, make) {
      return cache.get(keyOf(`derived ${name}`, bot), await versionOf(bot), async () =>
        make(await store.webchat(bot)),
      );
    },
  };
  return store;
}

/** A configuration to be stored, and a warning for each deprecated field, which is left out. */
export interface CheckedConfiguration {
  configuration: Configuration;
  warnings: string[];
}

/**
 * A configuration to be stored, without blank and deprecated fields. Throws InvalidPayload when a field is invalid,
 * unknown or a secret: the message is that of the first issue, `metadata.issues` lists up to ten.
 */
export function checkConfiguration(input: unknown): CheckedConfiguration {
  const issues: { path: string; message: string }[] = [];
  const warnings: string[] = [];
  const addIssue = (field: string, message: string): void => {
    // The name of an unknown field can be as long as the body.
    if (issues.length < 10)
      issues.push({ path: `configuration.${field}`.slice(0, 200), message: message.slice(0, 400) });
  };
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    throw new ApiError('InvalidPayload', 'configuration: Expected Object.');
  }
  const configuration = readLayer(input, ({ field, message }) => {
    if (isDeprecated(field)) warnings.push(message);
    else addIssue(field, message);
  });
  for (const name of secretFields) {
    if (name in configuration) addIssue(name, `Configuration: '${name}' is a secret and cannot be stored.`);
  }
  const [first] = issues;
  if (first) throw new ApiError('InvalidPayload', first.message, { issues });
  return { configuration, warnings };
}

/** True for a field that had an effect in earlier versions of the hosted product, so that stored configurations have it. */
const isDeprecated = (field: string): boolean =>
  Object.hasOwn(fields, field) && fields[field as FieldName][0] === unsupported;

/** The settings of the widget: its configuration, and its earlier versions. */
export const webchatSettings = {
  CONFIGURATION: setting({
    doc: 'Path of a JSON file with the dashboard configuration of the widget; fields that an administrator has stored take precedence.',
    defaultDoc: '`{}`',
    schema: v.string(),
  }),
  WEBCHAT_KEEP_VERSIONS: setting({
    doc: 'Months that the widget of an earlier version remains at `/webchat/VERSION/` after an upgrade. The last three minor versions always remain; with `0` only they do.',
    default: '12',
    schema: wholeNumber(0, 1_200),
  }),
};
