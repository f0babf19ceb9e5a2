// Compares a folder with the files of a bot, and plans which files a push sends and deletes.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { PlatformFile } from '../../protocol/types/files.ts';
import { type Folder, isHidden, type LocalFile } from './folder.ts';

/** How a push uploads files. */
export interface PushSettings {
  /** The beginning of each key. */
  prefix: string;
  /** Their text is searchable. */
  index: boolean;
  /** Everybody who has the address of a file may read it. */
  isPublic: boolean;
  /** Includes files whose names begin with a dot. */
  all: boolean;
  /** The id of the knowledge base of the files; `null` for one that does not exist yet, and otherwise they keep theirs. */
  knowledgeBase?: string | null;
}

export interface Plan {
  send: (LocalFile & { before: PlatformFile | undefined })[];
  /** Files with the same bytes, whose index or policy changes. */
  change: (LocalFile & { before: PlatformFile })[];
  unchanged: LocalFile[];
  /** Files that an earlier push sent and that are no longer in the folder. */
  toDelete: PlatformFile[];
}

/**
 * Compares a folder with the files of the bot. The bytes of a file are unchanged when size and SHA-256 (in its metadata)
 * are equal; its content is read only if the size is. Throws the abort reason when aborted.
 */
export async function makePlan(
  { files, isPartial }: Folder,
  remote: readonly PlatformFile[],
  settings: PushSettings,
  signal: AbortSignal,
): Promise<Plan> {
  // Files of integrations are never replaced or deleted.
  const uploaded = new Map(
    remote.filter(({ owner }) => owner.type !== 'integration').map((file) => [file.key, file]),
  );
  const plan: Plan = { send: [], change: [], unchanged: [], toDelete: [] };
  for (const file of files) {
    signal.throwIfAborted();
    const before = uploaded.get(file.key);
    if (!before || !hasBytes(file, before, settings) || (await hashOf(file.path, signal)) !== sha(before)) {
      plan.send.push({ ...file, before });
    } else if (hasSettings(before, settings)) plan.unchanged.push(file);
    else plan.change.push({ ...file, before });
  }
  // Files may be in the part of the folder that could not be read.
  if (isPartial) return plan;
  const keys = new Set(files.map(({ key }) => key));
  plan.toDelete = [...uploaded.values()].filter(
    (file) =>
      !keys.has(file.key) &&
      file.key.startsWith(settings.prefix) &&
      sha(file) !== undefined &&
      (settings.all || !isHidden(file.key.slice(settings.prefix.length))),
  );
  return plan;
}

/** The policies of a file after the push: the existing ones, with `public_content` set or removed. */
export const policiesOf = (before: PlatformFile | undefined, { isPublic }: PushSettings) => [
  ...(before?.accessPolicies ?? []).filter((policy) => policy !== 'public_content'),
  ...(isPublic ? (['public_content'] as const) : []),
];

/** The SHA-256 of a file, hexadecimal. */
export async function hashOf(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash, { signal });
  return hash.digest('hex');
}

/** True if the stored file is complete and has the same size. One that could not be indexed is sent again. */
function hasBytes(file: LocalFile, before: PlatformFile, { index }: PushSettings): boolean {
  const failed = index
    ? ['upload_pending', 'upload_failed', 'indexing_failed']
    : ['upload_pending', 'upload_failed'];
  return before.size === file.size && !failed.includes(before.status);
}

const hasSettings = (before: PlatformFile, { index, isPublic, knowledgeBase }: PushSettings): boolean =>
  before.index === index &&
  before.accessPolicies.includes('public_content') === isPublic &&
  (knowledgeBase === undefined || before.tags.kbId === knowledgeBase);

/** The hash that an earlier push stored in the metadata. */
function sha({ metadata }: PlatformFile): string | undefined {
  return typeof metadata.sha256 === 'string' ? metadata.sha256 : undefined;
}
