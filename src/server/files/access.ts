// Who may do what with a file of the platform (SPEC "File access policies", "File permissions by principal"): one
// function for one file, and the same rule as SQL for lists. It knows nothing of tokens.

import type { BotPrincipal } from '../auth/principal.ts';
import type { Condition } from '../storage/files/condition.ts';
import type { FileRow } from '../storage/files/files.ts';

/** Who asks, for files of the bot `botId`. */
export type FilePrincipal = Pick<BotPrincipal, 'kind' | 'botId' | 'memberId' | 'integration'>;

export type FileAction = 'read' | 'search' | 'list' | 'update' | 'delete';

/** What decides: whose file it is, and its policies. */
export type FileFacts = Pick<FileRow, 'botId' | 'ownerType' | 'space' | 'isPublic' | 'forIntegrations'>;

/** What the members of a role, and a bot itself, may do with the files of a bot. */
const everything: readonly FileAction[] = ['read', 'search', 'list', 'update', 'delete'];
const seeing: readonly FileAction[] = ['read', 'search', 'list'];
const ofBot: Record<Exclude<BotPrincipal['kind'], 'integration'>, readonly FileAction[]> = {
  billing: [],
  viewer: seeing,
  bot: everything,
  developer: everything,
  manager: everything,
  administrator: everything,
  owner: everything,
  operator: everything,
};

/**
 * Whether a principal may do this with a file. Files of visitors belong to nobody here: they go by their addresses
 * alone. That everybody may read the bytes of a public file is decided where bytes are sent (download.ts).
 */
export function mayUse(who: FilePrincipal, file: FileFacts, action: FileAction): boolean {
  if (file.botId !== who.botId || file.ownerType === 'visitor') return false;
  if (who.kind !== 'integration') return file.space === botSpace && ofBot[who.kind].includes(action);
  if (file.space === spaceOf(who)) return true;
  return file.forIntegrations === 1 && seeing.includes(action);
}

/** The same for files `f` in SQL: those that the principal may read, search and list. */
export function visibleFiles(who: FilePrincipal): Condition {
  const of = "f.bot_id = ? AND f.owner_type <> 'visitor' AND f.status <> 'deleted'";
  if (who.kind === 'integration') {
    return { sql: `${of} AND (f.space = ? OR f.for_integrations = 1)`, values: [who.botId, spaceOf(who)] };
  }
  if (!ofBot[who.kind].includes('list')) return { sql: '1 = 0', values: [] };
  return { sql: `${of} AND f.space = ?`, values: [who.botId, botSpace] };
}

/** The files of a bot and of the members who work on it are one space: a key is there once. */
const botSpace = 'bot';

/** Where the keys of a principal's own files are unique. */
export function spaceOf({ kind, integration }: FilePrincipal): string {
  if (kind !== 'integration') return botSpace;
  return `integration ${integration}`;
}

/** Who a new file belongs to. */
export function ownerOf(who: FilePrincipal): Pick<FileRow, 'ownerType' | 'ownerId' | 'ownerName' | 'space'> {
  const { kind, botId, memberId, integration } = who;
  const nobody = { ownerId: null, ownerName: null, space: spaceOf(who) };
  if (kind === 'integration') return { ...nobody, ownerType: 'integration', ownerName: integration ?? '' };
  if (kind === 'bot') return { ...nobody, ownerType: 'bot', ownerId: botId };
  return { ...nobody, ownerType: 'user', ownerId: memberId ?? null };
}
