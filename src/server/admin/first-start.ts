// Creates the records that every server needs at its first start: the workspace, its owner, and the default bot with its user.
import { issueLink } from '../auth/tokens.ts';
import { StartError } from '../startup/start-error.ts';
import { insertServerEntry } from '../storage/admin/audit.ts';
import { memberWithPassword } from '../storage/admin/sign-in.ts';
import {
  firstOwner,
  firstWorkspace,
  insertMember,
  insertWorkspace,
  type NewMember,
} from '../storage/admin/workspaces.ts';
import {
  assignOrphanBots,
  type BotRow,
  botOfWebhook,
  insertBot,
  setConfiguration,
  setDeployed,
  webhookTaken,
} from '../storage/bots/bots.ts';
import { clearDeployed } from '../storage/bots/deployment.ts';
import { insertUser } from '../storage/chat/users.ts';
import type { Database, WriteTx } from '../storage/database.ts';
import { createId } from '../storage/ids.ts';

/** Creates the first workspace and the default bot if needed, and returns the id of the workspace. */
export async function ensureFirstWorkspace(
  db: Database,
  webhookId: string,
  hasFile: boolean,
  now: number,
): Promise<string> {
  return db.write(async (tx) => {
    const id = await ensureWorkspace(tx, webhookId, hasFile, now);
    await ensureBot(tx, id, webhookId, now);
    return id;
  });
}

/** Returns the first workspace and creates it if needed. `hasFile`: the setting CONFIGURATION names a file. */
async function ensureWorkspace(
  tx: WriteTx,
  webhookId: string,
  hasFile: boolean,
  now: number,
): Promise<string> {
  await tx.lock('start:');
  const found = await firstWorkspace(tx);
  if (found) return found.id;
  const { id } = await createWorkspace(tx, { name: 'Workspace', email: firstEmail, now, isFirst: 1 });
  await assignOrphanBots(tx, id);
  // Earlier versions stored a copy of the file, which would override its current content.
  const bot = await botOfWebhook(tx, webhookId);
  if (bot && hasFile) await setConfiguration(tx, bot.id, '{}', bot.updatedAt);
  return id;
}

/** The e-mail address of the first owner; the Admin API can change it. */
const firstEmail = 'owner@localhost';

/**
 * Creates the link with which the first owner chooses name, e-mail address and password, and so needs no token. Returns its
 * address; undefined when the owner has an address or a password of their own. `address`: of the server.
 */
export async function issueSetupLink(
  tx: WriteTx,
  workspaceId: string,
  { address, now }: { address: string; now: number },
): Promise<string | undefined> {
  const owner = await firstOwner(tx, workspaceId);
  const member = owner && (await memberWithPassword(tx, owner.id));
  if (!member || member.email !== firstEmail || member.hash !== null) return undefined;
  const { url } = await issueLink(tx, member, { purpose: 'setup', address, now });
  const target = { memberId: member.id, purpose: 'setup' };
  await insertServerEntry(tx, { workspaceId, now, operation: 'createSetupLink', target });
  return url;
}

/** Creates a workspace with its owner. */
export async function createWorkspace(
  tx: WriteTx,
  { name, email, now, isFirst = 0 }: { name: string; email: string; now: number; isFirst?: 0 | 1 },
): Promise<{ id: string; owner: NewMember }> {
  const id = createId('ws', now);
  await insertWorkspace(tx, { id, name, createdAt: now, updatedAt: now }, isFirst);
  const owner: NewMember = {
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

/** Returns the default bot, the one of WEBHOOK_ID, and creates it if needed. Its deployment time is now. */
export async function ensureBot(
  tx: WriteTx,
  workspaceId: string,
  webhookId: string,
  now: number,
): Promise<BotRow> {
  await clearDeployed(tx, webhookId);
  const found = await botOfWebhook(tx, webhookId);
  if (found && found.workspaceId !== workspaceId) {
    // A manager of another workspace can have created a bot of this name before.
    throw new StartError(`WEBHOOK_ID: ${webhookId} is a bot of another workspace; use another name.`);
  }
  if (found) {
    await setDeployed(tx, found.id, now);
    return { ...found, deployedAt: now };
  }
  if (await webhookTaken(tx, webhookId)) {
    throw new StartError(`WEBHOOK_ID: the bot ${webhookId} was deleted; use another name.`);
  }
  const bot = await createBot(tx, { workspaceId, webhookId, name: webhookId, now });
  await setDeployed(tx, bot.id, now);
  return { ...bot, deployedAt: now };
}

/** Creates a bot without code, and the user that is the author of its messages. */
export async function createBot(
  tx: WriteTx,
  { now, ...fields }: Pick<BotRow, 'workspaceId' | 'webhookId' | 'name'> & Partial<BotRow> & { now: number },
): Promise<BotRow> {
  const times = { createdAt: now, updatedAt: now };
  const bot: BotRow = {
    id: createId('bot', now),
    userId: createId('user', now),
    code: null,
    webhookUrl: null,
    hasAgent: 0,
    signingSecret: null,
    ownKeys: 0,
    ...times,
    deployedAt: 0,
    ...fields,
  };
  await insertBot(tx, bot);
  const emptyProfile = { foreignId: null, name: null, pictureUrl: null, profile: null, keysValidAfter: null };
  await insertUser(tx, { id: bot.userId, botId: bot.id, ...emptyProfile, ...times, isBot: true });
  return bot;
}
