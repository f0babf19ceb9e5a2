// Serializes rows to the types of the Admin API. Callers must have checked permissions.
import { isPermitted } from '../../protocol/permissions.ts';
import type { Account, ApiKey, Token, Workspace, WorkspaceProfile } from '../../protocol/types/admin.ts';
import type { Bot, Deployment } from '../../protocol/types/bots.ts';
import type { Principal } from '../api/caller.ts';
import { serializeMember, timestamp } from '../api/serializers.ts';
import type { TokenRow } from '../storage/admin/tokens.ts';
import type { MemberRow, WorkspaceRow } from '../storage/admin/workspaces.ts';
import type { BotRow, ListedBot } from '../storage/bots/bots.ts';
import type { AdminServices } from './operations/services.ts';

export function serializeWorkspace(row: WorkspaceRow): Workspace {
  return {
    id: row.id,
    createdAt: timestamp(row.createdAt),
    updatedAt: timestamp(row.updatedAt),
    name: row.name,
    ownerId: row.ownerId ?? '',
    botCount: Number(row.botCount),
    billingVersion: 'v4',
    plan: 'community',
    blocked: false,
    spendingLimit: 0,
    activeTrialId: null,
    isPublic: false,
    ...(JSON.parse(row.profile) as WorkspaceProfile),
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

export function serializeBot(bot: ListedBot): Bot {
  const { id, name, createdAt, updatedAt, deployedAt, tags, type } = bot;
  return {
    id,
    createdAt: timestamp(createdAt),
    updatedAt: timestamp(updatedAt),
    name,
    ...(deployedAt > 0 ? { deployedAt: timestamp(deployedAt) } : {}),
    answeredBy: answererOf(bot),
    tags: JSON.parse(tags) as Record<string, string>,
    type: type as Bot['type'],
  };
}

/** A bot without its own code, webhook or agent is deployed only if the settings of the server say what answers. */
function answererOf({ code, webhookUrl, hasAgent, deployedAt }: BotRow): NonNullable<Bot['answeredBy']> {
  if (code !== null) return 'code';
  if (webhookUrl !== null) return 'webhook';
  if (hasAgent === 1) return 'agent';
  return deployedAt > 0 ? 'server' : 'people';
}

/** A token under the names of the hosted product. */
export function serializeApiKey({ id, name, createdAt }: TokenRow): ApiKey {
  return { id, createdAt: timestamp(createdAt), note: name };
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
