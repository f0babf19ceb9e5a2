// What the first start makes and every later one finds: the workspace, and the bot with its user.

import { StartError } from '../start-error.ts';
import {
  firstWorkspace,
  insertMember,
  insertWorkspace,
  type MemberRow,
} from '../storage/admin/workspaces.ts';
import {
  adoptBots,
  type BotRow,
  botOfWebhook,
  clearDeployed,
  insertBot,
  setConfiguration,
  setDeployed,
  webhookTaken,
} from '../storage/bots/bots.ts';
import { insertUser } from '../storage/chat/users.ts';
import type { WriteTx } from '../storage/database.ts';
import { createId } from '../storage/ids.ts';

/** The workspace of this server. `hasFile`: the dashboard configuration has a file of its own. */
export async function ensureWorkspace(
  tx: WriteTx,
  webhookId: string,
  hasFile: boolean,
  now: number,
): Promise<string> {
  const found = await firstWorkspace(tx);
  if (found) return found.id;
  const { id } = await createWorkspace(tx, { name: 'Workspace', email: firstEmail, now, isFirst: 1 });
  await adoptBots(tx, id);
  // Earlier versions kept a copy of the file: it would hide what the file says now.
  const bot = await botOfWebhook(tx, webhookId);
  if (bot && hasFile) await setConfiguration(tx, bot.id, '{}', bot.updatedAt);
  return id;
}

/** Whom the first start makes the owner; the Admin API changes it. */
const firstEmail = 'owner@localhost';

/** A workspace with its owner. */
export async function createWorkspace(
  tx: WriteTx,
  { name, email, now, isFirst = 0 }: { name: string; email: string; now: number; isFirst?: 0 | 1 },
): Promise<{ id: string; owner: MemberRow }> {
  const id = createId('ws', now);
  await insertWorkspace(tx, { id, name, createdAt: now, updatedAt: now }, isFirst);
  const owner: MemberRow = {
    id: createId('member', now),
    workspaceId: id,
    email,
    displayName: null,
    role: 'owner',
    createdAt: now,
  };
  await insertMember(tx, owner);
  return { id, owner };
}

/** The bot behind the webhook id of the settings, made at the first start; its code starts now. */
export async function ensureBot(
  tx: WriteTx,
  workspaceId: string,
  webhookId: string,
  now: number,
): Promise<BotRow> {
  await clearDeployed(tx, webhookId);
  const found = await botOfWebhook(tx, webhookId);
  if (found && found.workspaceId !== workspaceId) {
    // Whoever may make bots may have taken the name before the operator did.
    throw new StartError(`WEBHOOK_ID: ${webhookId} is a bot of another workspace; take another name.`);
  }
  if (found) {
    await setDeployed(tx, found.id, now);
    return { ...found, deployedAt: now };
  }
  if (await webhookTaken(tx, webhookId)) {
    throw new StartError(`WEBHOOK_ID: the bot ${webhookId} was deleted; take another name.`);
  }
  const bot = await createBot(tx, { workspaceId, webhookId, name: webhookId, now });
  await setDeployed(tx, bot.id, now);
  return { ...bot, deployedAt: now };
}

/** A bot with the user that it speaks as, and nothing to run yet. */
export async function createBot(
  tx: WriteTx,
  { now, ...given }: Pick<BotRow, 'workspaceId' | 'webhookId' | 'name'> & Partial<BotRow> & { now: number },
): Promise<BotRow> {
  const times = { createdAt: now, updatedAt: now };
  const bot: BotRow = {
    id: createId('bot', now),
    userId: createId('user', now),
    code: null,
    webhookUrl: null,
    signingSecret: null,
    ownKeys: 0,
    ...times,
    deployedAt: 0,
    ...given,
  };
  await insertBot(tx, bot);
  const nothing = { foreignId: null, name: null, pictureUrl: null, profile: null, keysValidAfter: null };
  await insertUser(tx, { id: bot.userId, botId: bot.id, ...nothing, ...times, isBot: true });
  return bot;
}
