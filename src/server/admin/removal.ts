// Deletes bots and workspaces. The transaction deletes tokens and access; a background job removes the remaining data.
import { deleteSignInOfMember } from '../storage/admin/sign-in.ts';
import { deleteToken, tokensOfBot, tokensOfWorkspace } from '../storage/admin/tokens.ts';
import { deleteWorkspace, membersOfWorkspace } from '../storage/admin/workspaces.ts';
import { botsOfWorkspace, deleteBot } from '../storage/bots/bots.ts';
import type { WriteTx } from '../storage/database.ts';
import { redactResponsesOf } from '../storage/idempotency.ts';
import { deleteAnswersOfWorkspace } from '../storage/inbox/canned-answers.ts';
import { deleteInboxMembers } from '../storage/inbox/members.ts';
import { deleteInboxSettings, deleteTeamsOfWorkspace } from '../storage/inbox/teams.ts';
import type { AdminServices } from './operations/services.ts';

type RemovalServices = Pick<AdminServices, 'now' | 'onBotRemoved'>;

/**
 * Deletes a bot and its tokens. After the commit its streams are closed, and its users, conversations, files and tables
 * are deleted in batches.
 */
export async function removeBot(tx: WriteTx, botId: string, services: RemovalServices): Promise<void> {
  const tokens = await tokensOfBot(tx, botId);
  for (const id of tokens) await deleteToken(tx, id);
  await deleteBot(tx, botId, services.now());
  await redactResponsesOf(tx, [...tokens, botId]);
  tx.afterCommit(() => services.onBotRemoved(botId));
}

/** Deletes a workspace with its bots, members and tokens. */
export async function removeWorkspace(
  tx: WriteTx,
  workspaceId: string,
  services: RemovalServices,
): Promise<void> {
  for (const id of await botsOfWorkspace(tx, workspaceId)) await removeBot(tx, id, services);
  const members = await membersOfWorkspace(tx, workspaceId);
  for (const id of members) await deleteSignInOfMember(tx, id);
  const answers = await deleteAnswersOfWorkspace(tx, workspaceId);
  const teams = await deleteTeamsOfWorkspace(tx, workspaceId);
  await deleteInboxMembers(tx, members);
  const resources = [...(await tokensOfWorkspace(tx, workspaceId)), ...members, ...answers, ...teams];
  await deleteInboxSettings(tx, workspaceId);
  await deleteWorkspace(tx, workspaceId);
  await redactResponsesOf(tx, [...resources, workspaceId]);
}
