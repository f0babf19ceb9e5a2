// Finds the chat endpoint of a request: the bot behind the address `/chat/{webhookId}`, and its user keys.
import type { Context, MiddlewareHandler } from 'hono';
import type { KeyClaims } from '../api/caller.ts';
import { ApiError } from '../api/errors.ts';
import type { ChatEndpoint } from '../api/handler.ts';
import {
  type EndpointRequest,
  findBotAndUser,
  findBotsAndUsers,
  type KeyState,
} from '../storage/admin/user-keys.ts';
import { type BotRow, botById, botOfWebhook } from '../storage/bots/bots.ts';
import type { Database, Tx } from '../storage/database.ts';
import { createReads } from '../storage/groups.ts';
import { type KeyRing, readUnverified } from './user-keys.ts';

const endpoints = new WeakMap<Request, ChatEndpoint>();
const missing = new WeakSet<Request>();

/** Finds the endpoint of each request or responds with 404. Reads the database each time, so it is never outdated. */
export function findChatEndpoint(db: Database, ring: KeyRing): MiddlewareHandler {
  const find = createFinding(db);
  return async (c, next) => {
    const webhookId = c.req.param('webhookId') ?? '';
    const key = readUnverified(c.req.header('x-user-key') ?? '');
    const found = webhookId.includes('\0') ? undefined : await find(webhookId, key);
    if (!found) {
      missing.add(c.req.raw);
      throw endpointNotFound();
    }
    const { bot, user } = found;
    const claimed = key && user && { key, state: user };
    endpoints.set(c.req.raw, { bot, keys: ring.keysOf(bot), claimed });
    await next();
  };
}

type Key = Pick<KeyClaims, 'id' | 'isIssued' | 'hash'>;
type Found = { bot: BotRow; user?: KeyState | undefined } | undefined;

/** Returns a function that finds the bot of a chat address and the user of a key, in a remote database for several requests together. */
function createFinding(db: Database): (webhookId: string, key: Key | undefined) => Promise<Found> {
  const findAlone = ({ webhookId, ...key }: EndpointRequest): Promise<Found> =>
    db.read((tx) => findBotAndUser(tx, webhookId, key));
  const findOne = db.isRemote ? createReads(db, findBotsAndUsers, findAlone) : findAlone;
  return async (webhookId, key) => {
    if (key) return findOne({ webhookId, ...key });
    const bot = await db.read((tx) => botOfWebhook(tx, webhookId));
    return bot && { bot };
  };
}

/** Throws when the bot was deleted (ResourceNotFound) or its keys were revoked (Unauthorized) since the lookup. */
export async function assertChatEndpoint(tx: Tx, { bot }: ChatEndpoint): Promise<void> {
  const found = await botById(tx, bot.id);
  if (!found) throw endpointNotFound();
  if (found.ownKeys !== bot.ownKeys) {
    throw new ApiError('Unauthorized', 'The user keys of this chat were revoked.');
  }
}

const endpointNotFound = () =>
  new ApiError('ResourceNotFound', 'No chat exists at this address.', undefined, anyOriginHeaders);

/** Readable by pages of any origin, so that a page with a wrong chat address can see the error. */
const anyOriginHeaders = { 'access-control-allow-origin': '*' };

/** The endpoint that `findChatEndpoint` found for this request; undefined outside of the Chat API. */
export const chatEndpointOf = (c: Context): ChatEndpoint | undefined => endpoints.get(c.req.raw);

/** True when `findChatEndpoint` found none for this request. */
export const isChatEndpointMissing = (c: Context): boolean => missing.has(c.req.raw);
