// Decides what a push has to do: which files are sent, which are as they should be, which are gone. It sends nothing.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { PlatformFile } from '../../protocol/platform-file.ts';
import { type Folder, isHidden, type LocalFile } from './folder.ts';

/** How the files are to be. */
export interface Wish {
  prefix: string;
  /** Their words can be searched. */
  index: boolean;
  /** Everybody who has the address may read them. */
  isPublic: boolean;
  /** Those whose names begin with a dot are meant, too. */
  all: boolean;
}

export interface Plan {
  send: (LocalFile & { before: PlatformFile | undefined })[];
  unchanged: LocalFile[];
  /** Files that an earlier push has sent and whose file is not in the folder any more. */
  gone: PlatformFile[];
}

/**
 * Compares a folder with the files of the bot. A file is unchanged when size, SHA-256 (in its metadata), policy and
 * index are; only then is its content read. The abort reason is thrown when aborted.
 */
export async function makePlan(
  { files, isPartial }: Folder,
  remote: readonly PlatformFile[],
  wish: Wish,
  signal: AbortSignal,
): Promise<Plan> {
  // What an integration owns is not ours: its keys are its own.
  const theirs = new Map(
    remote.filter(({ owner }) => owner.type !== 'integration').map((file) => [file.key, file]),
  );
  const plan: Plan = { send: [], unchanged: [], gone: [] };
  for (const file of files) {
    signal.throwIfAborted();
    const before = theirs.get(file.key);
    const isSame =
      before && looksSame(file, before, wish) && (await hashOf(file.path, signal)) === sha(before);
    if (isSame) plan.unchanged.push(file);
    else plan.send.push({ ...file, before });
  }
  // A folder that could not be read as a whole says nothing about what is gone.
  if (isPartial) return plan;
  const keys = new Set(files.map(({ key }) => key));
  plan.gone = [...theirs.values()].filter(
    (file) =>
      !keys.has(file.key) &&
      file.key.startsWith(wish.prefix) &&
      sha(file) !== undefined &&
      (wish.all || !isHidden(file.key.slice(wish.prefix.length))),
  );
  return plan;
}

/** The policies that a file is to have: those that it had, but for the one that is asked for. */
export const policiesOf = (before: PlatformFile | undefined, { isPublic }: Wish) => [
  ...(before?.accessPolicies ?? []).filter((policy) => policy !== 'public_content'),
  ...(isPublic ? (['public_content'] as const) : []),
];

/** The SHA-256 of a file, hexadecimal. */
export async function hashOf(path: string, signal: AbortSignal): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash, { signal });
  return hash.digest('hex');
}

function looksSame(file: LocalFile, before: PlatformFile, { index, isPublic }: Wish): boolean {
  return (
    before.size === file.size &&
    !['upload_pending', 'upload_failed', 'indexing_failed'].includes(before.status) &&
    before.index === index &&
    before.accessPolicies.includes('public_content') === isPublic
  );
}

/** The hash that a push has noted. */
function sha({ metadata }: PlatformFile): string | undefined {
  return typeof metadata.sha256 === 'string' ? metadata.sha256 : undefined;
}
