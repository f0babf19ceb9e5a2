// Says whether dist was built from the present sources: a build that has ended stores the hash of everything that it reads.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Folders of which each file counts, files of the root, and figures that the documentation shows. */
const folders = ['demo', 'docs', 'public', 'scripts', 'src'];
const rootFiles = /^(index\.html|LICENSE|package(-lock)?\.json|tsconfig\.json|vite\.config\.ts|.*\.md)$/;
const figures = ['bench/field.json', 'bench/last.json'];
/** npm writes this list when it has installed packages: package-lock.json can be newer than they are. */
const installedPackages = 'node_modules/.package-lock.json';

const stampOf = (dist) => join(dist, 'build.json');

/** Returns the hash of all inputs of a build: contents, not times, which a checkout changes. */
export function hashInputs(root = '.') {
  const files = [
    ...folders.flatMap((folder) => list(root, folder)),
    ...readdirSync(root).filter((name) => rootFiles.test(name)),
    ...figures,
    installedPackages,
  ];
  const [major] = process.versions.node.split('.');
  const hash = createHash('sha256').update(`node ${major}\n`);
  for (const file of files.sort()) {
    const path = join(root, file);
    if (!existsSync(path)) continue;
    const content = readFileSync(path);
    hash.update(`${file}\n${content.length}\n`).update(content);
  }
  return hash.digest('hex');
}

function list(root, folder) {
  const names = readdirSync(join(root, folder), { recursive: true }).map((name) => join(folder, name));
  return names.filter((name) => statSync(join(root, name), { throwIfNoEntry: false })?.isFile());
}

/** Whether a build of these inputs has ended, and none of its folders was removed since. */
export function isBuilt(dist, inputs) {
  try {
    const stamp = JSON.parse(readFileSync(stampOf(dist), 'utf8'));
    return stamp.inputs === inputs && stamp.outputs.every((name) => existsSync(join(dist, name)));
  } catch {
    return false;
  }
}

/** Removes the result of an earlier build first of all, so that a build that is interrupted does not count. */
export function beginBuild(dist) {
  rmSync(stampOf(dist), { force: true });
}

/** @param inputs as they were before the build, so that a change during the build causes another one. */
export function endBuild(dist, inputs) {
  const outputs = readdirSync(dist).filter((name) => name !== 'build.json');
  writeFileSync(stampOf(dist), `${JSON.stringify({ inputs, outputs })}\n`);
}
