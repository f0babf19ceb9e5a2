// What the first start makes and every later one finds: the workspace, and the bot with its user.
import { adoptBots, type BotRow, botOfWebhook, insertBot, setConfiguration, setDeployed } from './db/bots.ts';
import type { WriteTx } from './db/database.ts';
import { insertUser } from './db/users.ts';
import { firstWorkspace, insertWorkspace } from './db/workspaces.ts';
import { createId } from './ids.ts';

/** The workspace of this server. `hasFile`: the dashboard configuration has a file of its own. */
export async function openWorkspace(
  tx: WriteTx,
  webhookId: string,
  hasFile: boolean,
  now: number,
): Promise<string> {
  const found = await firstWorkspace(tx);
  if (found) return found.id;
  const id = createId('ws', now);
  await insertWorkspace(tx, id, now);
  await adoptBots(tx, id);
  // Earlier versions kept a copy of the file: it would hide what the file says now.
  const bot = await botOfWebhook(tx, webhookId);
  if (bot && hasFile) await setConfiguration(tx, bot.id, '{}', bot.updatedAt);
  return id;
}

/** The bot behind the webhook id, made at the first start; its code starts now. */
export async function openBot(
  tx: WriteTx,
  workspaceId: string,
  webhookId: string,
  now: number,
): Promise<BotRow> {
  const found = await botOfWebhook(tx, webhookId);
  if (found) {
    await setDeployed(tx, found.id, now);
    return { ...found, deployedAt: now };
  }
  const times = { createdAt: now, updatedAt: now };
  const bot: BotRow = {
    id: createId('bot', now),
    webhookId,
    workspaceId,
    userId: createId('user', now),
    name: webhookId,
    configuration: '{}',
    ...times,
    deployedAt: now,
  };
  await insertBot(tx, bot);
  const nothing = { foreignId: null, name: null, pictureUrl: null, profile: null };
  await insertUser(tx, { id: bot.userId, ...nothing, ...times, isBot: true });
  return bot;
}
