// The declaration of a bot by a program: merges changes into the stored declaration, and returns bots with it.
import { limits } from '../../protocol/limits.ts';
import { isPermitted } from '../../protocol/permissions.ts';
import type { BotDefinition, BotDetails } from '../../protocol/types/bots.ts';
import type { Principal } from '../api/caller.ts';
import { ApiError, invalidField } from '../api/errors.ts';
import type { BotRow, DefinitionRow } from '../storage/bots/bots.ts';
import { serializeBot } from './serializers.ts';

type Named<T = unknown> = Record<string, T>;
/** Entries to set; null removes one of this name, and null instead of the entries removes all. */
type NamedChanges = Named | null | undefined;
type TagChanges = { tags?: NamedChanges } | null | undefined;

/** A validated body of createBot or updateBot. */
export interface DefinitionChanges {
  tags?: Named<string | null>;
  type?: string;
  dev?: boolean;
  description?: string;
  maxExecutionTime?: number;
  alwaysAlive?: boolean;
  medias?: BotDefinition['medias'];
  configuration?: Partial<BotDefinition['configuration']>;
  user?: TagChanges;
  conversation?: TagChanges;
  message?: TagChanges;
  states?: NamedChanges;
  events?: NamedChanges;
  actions?: NamedChanges;
  subscriptions?: { events?: NamedChanges } | null;
}

/** The fields that replace the stored value. */
const replaced = ['description', 'maxExecutionTime', 'alwaysAlive', 'medias'] as const;
const tagged = ['user', 'conversation', 'message'] as const;
const named = ['states', 'events', 'actions'] as const;

/**
 * Returns the row with these changes; the same row if there are none. Throws InvalidPayload for too many entries, and
 * PayloadTooLarge when the whole is too large.
 */
export function changedDefinition(row: DefinitionRow, changes: DefinitionChanges): DefinitionRow {
  const { tags: newTags, type = row.type, dev } = changes;
  const stored = JSON.parse(row.definition) as Partial<Record<keyof BotDefinition, unknown>>;
  const tags = merged('tags', JSON.parse(row.tags) as Named, newTags, limits.fileTags);
  for (const field of replaced) if (changes[field] !== undefined) stored[field] = changes[field];
  for (const field of tagged) {
    const change = changes[field];
    if (change === undefined) continue;
    const { tags: before = {} } = (stored[field] ?? {}) as { tags?: Named };
    stored[field] = { tags: merged(`${field}.tags`, before, change === null ? null : change.tags) };
  }
  for (const field of named) {
    if (changes[field] === undefined) continue;
    stored[field] = merged(field, (stored[field] ?? {}) as Named, changes[field]);
  }
  const { configuration, subscriptions } = changes;
  if (configuration) stored.configuration = { ...(stored.configuration as object), ...configuration };
  if (subscriptions !== undefined) {
    const { events: before } = (stored.subscriptions ?? {}) as { events?: Named | null };
    const events = subscriptions?.events;
    const isAll = subscriptions === null || events === null;
    stored.subscriptions = { events: isAll ? null : merged('subscriptions.events', before ?? {}, events) };
  }
  const definition = JSON.stringify(stored);
  const bytes = Buffer.byteLength(definition);
  if (bytes > limits.botDefinitionBytes) {
    throw new ApiError(
      'PayloadTooLarge',
      `The declaration of the bot has ${bytes} bytes; at most ${limits.botDefinitionBytes} are taken.`,
    );
  }
  return { tags: JSON.stringify(tags), type, isDev: (dev ?? row.isDev === 1) ? 1 : 0, definition };
}

function merged(path: string, before: Named, changes: NamedChanges, most: number = limits.botNames): Named {
  if (changes === null) return {};
  // Without a prototype, so that every name is an ordinary one.
  const result: Named = Object.assign(Object.create(null), before);
  for (const [name, value] of Object.entries(changes ?? {})) {
    if (value === null) delete result[name];
    else result[name] = value;
  }
  if (Object.keys(result).length > most) {
    throw invalidField(path, `Expected at most ${most} entries in all.`);
  }
  return result;
}

/** True for callers who may read the secrets of a bot, because they may change them. */
export const seesSecrets = ({ kind }: Pick<Principal, 'kind'>): boolean => isPermitted(kind, 'bots.update');

/**
 * A bot with its definition. `withSecret`: with the secret that signs its webhook requests, if the caller may read it.
 * Responses that are stored for a repeated request must not contain it.
 */
export function serializeBotDetails(
  bot: BotRow,
  row: DefinitionRow,
  caller: Pick<Principal, 'kind'>,
  withSecret = false,
): BotDetails {
  const {
    configuration: { data = {}, schema = {} } = {},
    ...declared
  }: Partial<Omit<BotDefinition, 'configuration'>> & { configuration?: DefinitionChanges['configuration'] } =
    JSON.parse(row.definition);
  return {
    ...serializeBot({ ...bot, ...row }),
    dev: row.isDev === 1,
    status: 'active',
    ...(withSecret && seesSecrets(caller) ? { signingSecret: bot.signingSecret ?? '' } : {}),
    user: { tags: {} },
    conversation: { tags: {} },
    message: { tags: {} },
    states: {},
    events: {},
    actions: {},
    subscriptions: { events: null },
    medias: [],
    alwaysAlive: true,
    ...declared,
    // It often contains keys of other services.
    configuration: { data: seesSecrets(caller) ? data : {}, schema },
    integrations: {},
    plugins: {},
    recurringEvents: {},
    secrets: [],
  };
}
