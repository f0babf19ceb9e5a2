// Requests to the server of a bot in a test, as a visitor and as the bot.
import { issueToken } from '../auth/tokens.ts';
import type { Composition } from '../composition/options.ts';
import { listBots } from '../storage/bots/bots.ts';
import type { Database } from '../storage/database.ts';

/** Returns the body of a response. Rejects with the method, the path and the error for any other than a success. */
export async function request<T>(
  app: Composition['app'],
  method: string,
  path: string,
  headers: Record<string, string>,
  body: unknown,
): Promise<T> {
  const response = await app.request(path, {
    method,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const result = (await response.json()) as T & { message?: string };
  const short = path.replace(/^\/(?:chat\/[^/]+|v1\/chat)/, '');
  if (!response.ok) throw new Error(`${method} ${short}: ${response.status} ${result.message ?? ''}`);
  return result;
}

/** The headers of requests of the bot to the Runtime API. */
export async function createBotHeaders(db: Database, workspaceId: string): Promise<Record<string, string>> {
  const [bot] = await db.read((tx) => listBots(tx, workspaceId, undefined, 1));
  const botId = bot?.id ?? '';
  const row = { workspaceId, kind: 'bot', memberId: null, botId, integration: null } as const;
  const { token } = await db.write((tx) =>
    issueToken(tx, { ...row, name: 'Test', createdAt: Date.now(), expiresAt: null }),
  );
  return { authorization: `Bearer ${token}`, 'x-bot-id': botId, 'content-type': 'application/json' };
}
