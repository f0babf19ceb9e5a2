// Compares a folder with the files of a bot, and plans which files a push sends and deletes.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { PlatformFile } from '../protocol/types/files.ts';

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

export interface LocalFile {
  /** The prefix and the path in the folder, with `/`. */
  key: string;
  path: string;
  size: number;
}

export interface Folder {
  /** Sorted by key. */
  files: LocalFile[];
  /** Entries that cannot be read or are not files, with the reason. */
  skipped: { path: string; reason: string }[];
  /** True when a part could not be read. Files missing from the list may then still exist. */
  isPartial: boolean;
}

/** True for a path with a name that begins with a dot. */
export const isHidden = (path: string): boolean => path.split('/').some((part) => part.startsWith('.'));

/**
 * All files below a folder. A link to a file is included when that file is in the folder, too; links to folders are not
 * followed. Rejects with the error of the file system when the folder itself cannot be read.
 */
export async function readFolder(root: string, { prefix = '', all = false } = {}): Promise<Folder> {
  const found: Folder = { files: [], skipped: [], isPartial: false };
  const realRoot = await realpath(root);
  await walk(realRoot, '');
  found.files.sort((a, b) => (a.key < b.key ? -1 : 1));
  return found;

  async function walk(folder: string, relativePath: string): Promise<void> {
    const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
      if (relativePath === '') throw error;
      found.skipped.push({ path: relativePath, reason: `cannot be read (${error.code})` });
      found.isPartial = true;
      return [];
    });
    for (const entry of entries) {
      const name = relativePath + entry.name;
      if (!all && entry.name.startsWith('.')) continue;
      const path = join(folder, entry.name);
      if (entry.isDirectory()) await walk(path, `${name}/`);
      else if (entry.isFile() || entry.isSymbolicLink()) await addFile(path, name, entry.isSymbolicLink());
      else found.skipped.push({ path: name, reason: 'not a file' });
    }
  }

  async function addFile(path: string, name: string, isLink: boolean): Promise<void> {
    try {
      if (isLink && !(await realpath(path)).startsWith(realRoot + sep)) {
        found.skipped.push({ path: name, reason: 'link out of the folder' });
        return;
      }
      const target = await stat(path);
      if (target.isFile()) found.files.push({ key: prefix + name, path, size: target.size });
      else found.skipped.push({ path: name, reason: 'link to something that is not a file' });
    } catch (error) {
      found.skipped.push({ path: name, reason: `cannot be read (${(error as NodeJS.ErrnoException).code})` });
      found.isPartial = true;
    }
  }
}
