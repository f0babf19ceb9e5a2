// The bot of a test server, with clients that act as its administrator and as the bot.
import { AdminClient, RuntimeClient } from '../../../src/client/index.ts';
import type { PlatformServer } from '../server.ts';

export interface BotClients {
  /** The id of the bot. */
  botId: string;
  admin: AdminClient;
  runtime: RuntimeClient;
}

/** Finds the first bot of a server. Throws if there is none. */
export async function botClientsOf({ url, admin: credentials }: PlatformServer): Promise<BotClients> {
  const admin = new AdminClient({ apiUrl: url, ...credentials });
  const [bot] = await admin.list.bots({}).collect();
  if (!bot) throw new Error('The server has no bot.');
  return {
    botId: bot.id,
    admin,
    runtime: new RuntimeClient({ apiUrl: url, token: credentials.token, botId: bot.id }),
  };
}
