// Serializes rows to the types of the Admin API. Callers must have checked permissions.
import type { Account, Deployment, Member, Token, Workspace } from '../../protocol/admin/admin.ts';
import { isPermitted } from '../../protocol/admin/permissions.ts';
import { timestamp } from '../api/serializers.ts';
import type { Principal } from '../auth/principal.ts';
import type { MemberRow, WorkspaceRow } from '../storage/admin/workspaces.ts';
import type { TokenRow } from '../storage/auth/tokens.ts';
import type { BotRow } from '../storage/bots/bots.ts';
import type { AdminServices } from './operations/services.ts';

export function serializeWorkspace({ id, name, createdAt, updatedAt }: WorkspaceRow): Workspace {
  return { id, createdAt: timestamp(createdAt), updatedAt: timestamp(updatedAt), name };
}

export function serializeMember({ id, email, role, displayName, createdAt }: MemberRow): Member {
  return {
    id,
    createdAt: timestamp(createdAt),
    email,
    role,
    ...(displayName === null ? {} : { displayName }),
  };
}

export function serializeAccount(row: MemberRow): Account {
  const { role: _, ...member } = serializeMember(row);
  return { ...member, emailVerified: false };
}

export function serializeToken(row: TokenRow): Token {
  const { id, name, kind, memberId, botId, integration, createdAt, expiresAt } = row;
  return {
    id,
    createdAt: timestamp(createdAt),
    name,
    kind,
    ...(memberId === null ? {} : { memberId }),
    ...(botId === null ? {} : { botId }),
    ...(integration === null ? {} : { integration }),
    ...(expiresAt === null ? {} : { expiresAt: timestamp(expiresAt) }),
  };
}

/** Includes the secrets of the bot for callers that can change them. */
export function serializeDeployment(
  bot: BotRow,
  { kind }: Principal,
  { services, address }: { services: Pick<AdminServices, 'keys'>; address(): string },
): Deployment {
  const { webhookId, code, webhookUrl, signingSecret } = bot;
  const userKeySecret = services.keys.secretOf(bot);
  const secrets = {
    ...(signingSecret === null ? {} : { signingSecret }),
    ...(userKeySecret === undefined ? {} : { userKeySecret }),
  };
  return {
    webhookId,
    chatUrl: `${address()}/chat/${webhookId}`,
    ...(code === null ? {} : { code }),
    ...(webhookUrl === null ? {} : { webhookUrl }),
    ...(isPermitted(kind, 'bots.update') ? secrets : {}),
  };
}
