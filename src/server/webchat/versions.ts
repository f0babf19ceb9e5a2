// Keeps the widget of each version, so that pages that pin a version survive an upgrade of the server: copies the server's
// own files into the data folder, and finds the files of all versions there. A copy with other files than the server's own
// version is kept and served: the hashes in pages that pin it belong to the copy.
import { createHash, randomBytes } from 'node:crypto';
import { cp, lstat, mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';

export interface WidgetVersions {
  /** The version that this server was built with; undefined when the widget is not built. */
  readonly current: string | undefined;
  /** The available versions, newest first. */
  readonly all: readonly string[];
  /**
   * The folder and path of a file of a version; undefined for an unknown version or file, and for a damaged file. Only
   * paths of files that were copied are found, so a path cannot leave the folder.
   */
  find(version: string, path: string): { root: string; path: string } | undefined;
}

export interface WidgetVersionsOptions {
  /** The folder of the built widget, which has a folder for each version that was built in it. */
  built: string;
  /** The folder of the copies. Created when it is missing; without it, only the built versions are available. */
  folder: string | undefined;
  /** Months that a version remains after it was last the server's own; the last three minor versions always remain. */
  months: number;
  logger: Logger;
  now(): number;
}

/** Minor versions that remain however old they are. */
const keptMinorVersions = 3;
const month = (365 / 12) * 24 * 60 * 60 * 1_000;
/** Milliseconds after which an unfinished copy belongs to no running server. */
const copyLifetimeMs = 60 * 60 * 1_000;
/** Attempts to put a copy in place, while other servers do the same. */
const maxAttempts = 10;
/** Lists the files of a copy with their hashes. Its time is that of the last start of a server of this version. */
const listName = 'files.json';

type Hashes = Record<string, string>;

/** Copies, removes expired versions, and checks all files. A folder that cannot be written is logged and not needed. */
export async function openWidgetVersions(options: WidgetVersionsOptions): Promise<WidgetVersions> {
  const { built, folder, logger } = options;
  const found = new Map<string, { root: string; files: Set<string> }>();
  const own = await versionsIn(built);
  const hashes = new Map<string, Hashes>();
  for (const version of own) {
    const root = join(built, version);
    const ofVersion = await hashesOf(root);
    hashes.set(version, ofVersion);
    found.set(version, { root, files: new Set(Object.keys(ofVersion)) });
  }
  const current = await currentVersion(built, own);
  const storedVersions = new Set<string>();
  if (folder !== undefined) {
    try {
      await mkdir(folder, { recursive: true });
      for (const [version, ofVersion] of hashes) {
        if (await hasOtherFiles(join(folder, version), ofVersion)) {
          storedVersions.add(version);
          logger.warn(
            { version, folder: join(folder, version) },
            'pages that pin this version get its earlier files, which are kept; the server has others of the same version',
          );
        } else await copy(join(built, version), ofVersion, folder, version, options);
      }
      if (current !== undefined) await touch(join(folder, current, listName), options.now());
      await removeExpired(folder, current, options);
    } catch (err) {
      logger.warn({ err }, 'versions of the widget cannot be kept in the data folder');
    }
    for (const version of await versionsIn(folder)) {
      // The server's own files were just read.
      if (!found.has(version) || storedVersions.has(version))
        found.set(version, await checked(folder, version, logger));
    }
  }
  const all = [...found.keys()].sort(compareVersions).reverse();
  return {
    current,
    all,
    find(version, path) {
      const entry = found.get(version);
      return entry?.files.has(path) ? { root: entry.root, path: `/${path}` } : undefined;
    },
  };
}

/** The names of folders that are versions. Links are not followed. */
async function versionsIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isDirectory() && isVersion(entry.name)).map(({ name }) => name);
}

/** The version that the build wrote; without it the newest. */
async function currentVersion(built: string, versions: string[]): Promise<string | undefined> {
  const text = await readFile(join(built, 'version.txt'), 'utf8').catch(() => '');
  const version = text.trim();
  return versions.includes(version) ? version : versions.sort(compareVersions).at(-1);
}

/** The SHA-384 of every file below a folder, by path. Links, and files that cannot be read, are left out. */
async function hashesOf(folder: string): Promise<Hashes> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const hashes: Hashes = {};
  for (const name of names) {
    const path = join(folder, name);
    // Another server may remove the version meanwhile.
    const isFile = name !== listName && (await lstat(path).catch(() => undefined))?.isFile();
    const content = isFile && (await readFile(path).catch(() => undefined));
    if (!content) continue;
    hashes[name.replaceAll('\\', '/')] = createHash('sha384').update(content).digest('base64');
  }
  return hashes;
}

const listOf = async (folder: string): Promise<Hashes | undefined> => {
  try {
    return JSON.parse(await readFile(join(folder, listName), 'utf8')) as Hashes;
  } catch {
    return undefined;
  }
};

const isSame = (a: Hashes, b: Hashes | undefined): boolean =>
  b !== undefined &&
  Object.keys(a).length === Object.keys(b).length &&
  Object.entries(a).every(([name, hash]) => b[name] === hash);

/** True for a copy that was made of other files. A folder without a list was not copied. */
async function hasOtherFiles(copied: string, hashes: Hashes): Promise<boolean> {
  const listed = await listOf(copied);
  return listed !== undefined && Object.keys(listed).length > 0 && !isSame(hashes, listed);
}

/** Copies a version that is missing or damaged. The folder appears in one step, complete. */
async function copy(
  from: string,
  hashes: Hashes,
  folder: string,
  version: string,
  { now }: WidgetVersionsOptions,
): Promise<void> {
  const target = join(folder, version);
  const isCopied = async () => isSame(hashes, await listOf(target)) && isSame(hashes, await hashesOf(target));
  if (await isCopied()) return;
  const unfinished = join(folder, `.${version}-${randomBytes(8).toString('hex')}`);
  const replaced = `${unfinished}-replaced`;
  try {
    await cp(from, unfinished, { recursive: true, preserveTimestamps: true });
    await writeFile(join(unfinished, listName), JSON.stringify(hashes));
    await touch(join(unfinished, listName), now());
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await rename(unfinished, target);
      } catch (error) {
        // Another server that starts at the same time has put it or another build there, or a damaged one is there.
        if ((await isCopied()) || (await hasOtherFiles(target, hashes))) return;
        if (attempt === maxAttempts) throw error;
        await rename(target, replaced).catch(() => {});
        await rm(replaced, { recursive: true, force: true });
      }
    }
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

const touch = (path: string, time: number): Promise<void> => utimes(path, time / 1_000, time / 1_000);

async function removeExpired(
  folder: string,
  current: string | undefined,
  { months, now, logger }: WidgetVersionsOptions,
): Promise<void> {
  const versions = (await versionsIn(folder)).sort(compareVersions);
  const recent = minorsOf(versions, keptMinorVersions);
  for (const version of versions) {
    const used = (await stat(join(folder, version, listName)).catch(() => undefined))?.mtimeMs;
    if (version === current || recent.has(version) || used === undefined || used > now() - months * month)
      continue;
    await rm(join(folder, version), { recursive: true, force: true });
    logger.info({ version }, 'a version of the widget has expired');
  }
  for (const name of (await readdir(folder)).filter((one) => one.startsWith('.'))) {
    const { mtimeMs = now() } = (await stat(join(folder, name)).catch(() => undefined)) ?? {};
    if (mtimeMs < now() - copyLifetimeMs) await rm(join(folder, name), { recursive: true, force: true });
  }
}

/** The undamaged files of a copy. Without a list of files nothing can be checked, and nothing is served. */
async function checked(folder: string, version: string, logger: Logger) {
  const root = join(folder, version);
  const expected = (await listOf(root)) ?? {};
  const actual = await hashesOf(root);
  const files = Object.keys(actual).filter((name) => actual[name] === expected[name]);
  const damaged = Object.keys(expected).filter((name) => actual[name] !== expected[name]);
  if (damaged.length > 0 || files.length === 0)
    logger.error({ version, files: damaged.slice(0, 20) }, 'a version of the widget is damaged');
  // A damaged file would be served as a compressed variant of a sound one, or the other way round.
  const isSound = (name: string) => !damaged.some((one) => one.replace(/\.(br|gz)$/, '') === name);
  return { root, files: new Set(files.filter(isSound)) };
}

/** True for a version such as `0.3.0` or `0.3.0-beta.1`. */
export const isVersion = (name: string): boolean =>
  /^\d{1,6}\.\d{1,6}\.\d{1,6}(?:-[0-9A-Za-z][0-9A-Za-z.-]{0,30})?$/.test(name) && !name.includes('..');

/** Sorts by number; a version with a suffix comes before the one without. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [parse(a), parse(b)];
  for (const i of [0, 1, 2] as const)
    if (left.numbers[i] !== right.numbers[i]) return (left.numbers[i] ?? 0) - (right.numbers[i] ?? 0);
  if (left.suffix === right.suffix) return 0;
  if (left.suffix === '' || right.suffix === '') return left.suffix === '' ? 1 : -1;
  return left.suffix.localeCompare(right.suffix, 'en', { numeric: true });
}

/** The versions of the last `count` minor versions (0.3.x, 0.2.x, …) of a list. */
export function minorsOf(versions: readonly string[], count: number): Set<string> {
  const minor = (version: string) => parse(version).numbers.slice(0, 2).join('.');
  const newest = [...versions].sort(compareVersions).reverse();
  const last = [...new Set(newest.map(minor))].slice(0, count);
  return new Set(versions.filter((version) => last.includes(minor(version))));
}

function parse(version: string): { numbers: number[]; suffix: string } {
  const [, core = '', suffix = ''] = /^([\d.]+)-?(.*)$/.exec(version) ?? [];
  return { numbers: core.split('.').map(Number), suffix };
}
