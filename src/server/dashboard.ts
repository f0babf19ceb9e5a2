// The dashboard configuration: the first values, which a file may give, and over them, field by field, what an
// administrator stored. It lets no secret out and none in.
import { type Configuration, type FieldName, readLayer, secretFields } from '../protocol/config.ts';
import { limits } from '../protocol/limits.ts';
import type { Feature, Webchat } from '../protocol/webchat.ts';
import type { BotRow } from './db/bots.ts';
import { ApiError } from './errors.ts';
import type { FileLimits } from './files/service.ts';

/** What every server can do; renewal only where it issues keys. */
const features: readonly Feature[] = ['replay', 'idempotency', 'stream', 'typing', 'files', 'feedback'];

export interface Dashboard {
  /** What every visitor of a bot may know, as its row has it now. */
  webchat(bot: BotRow): Webchat;
}

/**
 * `first`: the values that stand, for the bot of the settings, where nothing is stored. `isRenewing`: whether issued user
 * keys are renewed.
 */
export function createDashboard(
  webhookId: string,
  first: Configuration,
  { maxBytes, types }: FileLimits,
  isRenewing: boolean,
): Dashboard {
  return {
    webchat(bot) {
      const values = bot.webhookId === webhookId ? withoutSecrets(first) : {};
      return {
        configuration: { ...values, ...storedConfiguration(bot) },
        features: isRenewing ? [...features, 'renewal'] : [...features],
        limits: { messageBytes: limits.payloadBytes, fileBytes: maxBytes, fileTypes: [...types] },
      };
    },
  };
}

/** What an administrator stored for this bot. */
export function storedConfiguration(bot: BotRow): Configuration {
  return withoutSecrets(JSON.parse(bot.configuration) as Configuration);
}

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
