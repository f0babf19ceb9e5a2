// Which chat a request is for: the bot behind the address `/chat/{webhookId}`, and the keys that let users in there.
import type { Context, MiddlewareHandler } from 'hono';
import { ApiError } from '../api/errors.ts';
import { type BotRow, botById, botOfWebhook } from '../storage/bots/bots.ts';
import type { Database, Tx } from '../storage/database.ts';
import type { KeyRing, UserKeys } from './user-keys.ts';

export interface Chat {
  bot: BotRow;
  keys: UserKeys;
}

const chats = new WeakMap<Request, Chat>();
const missing = new WeakSet<Request>();

/** Finds the chat of every request, or refuses with 404. Read from the database each time: no copy can be old. */
export function findChat(db: Database, ring: KeyRing): MiddlewareHandler {
  return async (c, next) => {
    const webhookId = c.req.param('webhookId') ?? '';
    const bot = webhookId.includes('\0') ? undefined : await db.read((tx) => botOfWebhook(tx, webhookId));
    if (!bot) {
      missing.add(c.req.raw);
      throw noChat();
    }
    chats.set(c.req.raw, { bot, keys: ring.keysOf(bot) });
    await next();
  };
}

/** Throws when since its chat was found the bot was deleted (ResourceNotFound) or its keys ended (Unauthorized). */
export async function assertChat(tx: Tx, { bot }: Chat): Promise<void> {
  const found = await botById(tx, bot.id);
  if (!found) throw noChat();
  if (found.ownKeys !== bot.ownKeys) {
    throw new ApiError('Unauthorized', 'The user keys of this chat have just been changed.');
  }
}

const noChat = () =>
  new ApiError('ResourceNotFound', 'There is no chat at this address.', undefined, anyOrigin);

/** Read by any page: one that has the address of the chat wrong is to see that it is wrong. */
const anyOrigin = { 'access-control-allow-origin': '*' };

/** The chat that `findChat` found for this request; undefined outside of chats. */
export const chatOf = (c: Context): Chat | undefined => chats.get(c.req.raw);

/** True when `findChat` found none for this request. */
export const isChatMissing = (c: Context): boolean => missing.has(c.req.raw);
