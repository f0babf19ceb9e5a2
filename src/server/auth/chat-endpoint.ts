// Finds the chat endpoint of a request: the bot behind the address `/chat/{webhookId}`, and its user keys.
import type { Context, MiddlewareHandler } from 'hono';
import { ApiError } from '../api/errors.ts';
import { type BotRow, botById, botOfWebhook } from '../storage/bots/bots.ts';
import type { Database, Tx } from '../storage/database.ts';
import type { KeyRing, UserKeys } from './user-keys.ts';

export interface ChatEndpoint {
  bot: BotRow;
  keys: UserKeys;
}

const endpoints = new WeakMap<Request, ChatEndpoint>();
const missing = new WeakSet<Request>();

/** Finds the endpoint of each request or responds with 404. Reads the database each time, so it is never outdated. */
export function findChatEndpoint(db: Database, ring: KeyRing): MiddlewareHandler {
  return async (c, next) => {
    const webhookId = c.req.param('webhookId') ?? '';
    const bot = webhookId.includes('\0') ? undefined : await db.read((tx) => botOfWebhook(tx, webhookId));
    if (!bot) {
      missing.add(c.req.raw);
      throw endpointNotFound();
    }
    endpoints.set(c.req.raw, { bot, keys: ring.keysOf(bot) });
    await next();
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
