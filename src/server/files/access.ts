// Access rules for files of the Files API (docs/guides/files.md): one function for a single file, and the same rule as
// a filter for lists.
import type { BotPrincipal } from '../api/caller.ts';
import type { FileVisibility } from '../storage/files/file-lists.ts';
import type { FileRow } from '../storage/files/files.ts';
import { isConversationFile } from '../storage/files/owners.ts';

/** The caller, for files of the bot `botId`. */
export type FilePrincipal = Pick<BotPrincipal, 'kind' | 'botId' | 'memberId' | 'integration'>;

export type FileAction = 'read' | 'search' | 'list' | 'update' | 'delete';

/** The fields of a file that the decision depends on: its owner and its policies. */
export type FileFacts = Pick<FileRow, 'botId' | 'ownerType' | 'space' | 'isPublic' | 'forIntegrations'>;

/** The actions that the members of a role, and the bot itself, can perform on the files of a bot. */
const everything: readonly FileAction[] = ['read', 'search', 'list', 'update', 'delete'];
const seeing: readonly FileAction[] = ['read', 'search', 'list'];
const ofBot: Record<Exclude<BotPrincipal['kind'], 'integration'>, readonly FileAction[]> = {
  billing: [],
  viewer: seeing,
  support: seeing,
  bot: everything,
  developer: everything,
  manager: everything,
  administrator: everything,
  owner: everything,
  operator: everything,
};

/**
 * Returns whether a principal can perform this action on a file. Files in conversations are excluded: they are accessible by
 * address only. download.ts decides that everyone can read the bytes of a public file.
 */
export function mayUse(principal: FilePrincipal, file: FileFacts, action: FileAction): boolean {
  if (file.botId !== principal.botId || isConversationFile(file)) return false;
  if (principal.kind !== 'integration')
    return file.space === botSpace && ofBot[principal.kind].includes(action);
  if (file.space === spaceOf(principal)) return true;
  return file.forIntegrations === 1 && seeing.includes(action);
}

/** The same rule for lists: the files that the principal can read, search and list. */
export function visibleFiles(principal: FilePrincipal): FileVisibility | 'none' {
  const { kind, botId } = principal;
  if (kind === 'integration') return { botId, space: spaceOf(principal), sharedWithIntegrations: true };
  if (!ofBot[kind].includes('list')) return 'none';
  return { botId, space: botSpace, sharedWithIntegrations: false };
}

/** The files of a bot and of the members who work on it share one space, in which keys are unique. */
const botSpace = 'bot';

/** The space of a principal's own files. */
export function spaceOf({ kind, integration }: FilePrincipal): string {
  if (kind !== 'integration') return botSpace;
  return `integration ${integration}`;
}

/** The owner of a new file. */
export function ownerOf(
  principal: FilePrincipal,
): Pick<FileRow, 'ownerType' | 'ownerId' | 'ownerName' | 'space'> {
  const { kind, botId, memberId, integration } = principal;
  const nobody = { ownerId: null, ownerName: null, space: spaceOf(principal) };
  if (kind === 'integration') return { ...nobody, ownerType: 'integration', ownerName: integration ?? '' };
  if (kind === 'bot') return { ...nobody, ownerType: 'bot', ownerId: botId };
  return { ...nobody, ownerType: 'user', ownerId: memberId ?? null };
}
