// Tests that a start builds again when an input of the build has changed, and only then (scripts/build/inputs.mjs).
import { cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import * as inputs from '../scripts/build/inputs.mjs';

const { beginBuild, endBuild, hashInputs, isBuilt } = inputs as unknown as {
  beginBuild(dist: string): void;
  endBuild(dist: string, hash: string): void;
  hashInputs(root: string): string;
  isBuilt(dist: string, hash: string): boolean;
};

const files = [
  'src/widget/launcher/main.ts',
  'demo/site/index.html',
  'public/llms.txt',
  'scripts/build.mjs',
  'scripts/build/tsconfig.node.json',
  'docs/guides/bots.md',
  'README.md',
  'LICENSE',
  'index.html',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'vite.config.ts',
  'node_modules/.package-lock.json',
];

let root: string;
let dist: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'webchat-inputs-'));
  dist = join(root, 'dist');
  for (const file of files) write(file, `content of ${file}`);
});
afterEach(() => rmSync(root, { recursive: true }));

function write(file: string, content: string): void {
  mkdirSync(dirname(join(root, file)), { recursive: true });
  writeFileSync(join(root, file), content);
}

/** Does what a build does: hashes the inputs, writes results, and stores the hash. */
function build(): void {
  const hash = hashInputs(root);
  beginBuild(dist);
  write('dist/node/main.js', 'server');
  write('dist/webchat/webchat.js', 'widget');
  endBuild(dist, hash);
}
const isFresh = () => isBuilt(dist, hashInputs(root));

test('nothing is built yet: dist is not fresh', () => {
  expect(isFresh()).toBe(false);
});

test('a build that has ended is fresh, also for a copy with other times of its files', () => {
  build();
  expect(isFresh()).toBe(true);
  const copy = `${root}-copy`;
  cpSync(root, copy, { recursive: true });
  expect(isBuilt(join(copy, 'dist'), hashInputs(copy))).toBe(true);
  rmSync(copy, { recursive: true });
});

test.each(files)('a change of %s causes a build, and its end makes dist fresh again', (file) => {
  build();
  write(file, 'something else');
  expect(isFresh()).toBe(false);
  build();
  expect(isFresh()).toBe(true);
  rmSync(join(root, file));
  expect(isFresh()).toBe(false);
});

test('a new, a renamed and an empty file cause a build', () => {
  build();
  write('src/new.ts', '');
  expect(isFresh()).toBe(false);
  build();
  renameSync(join(root, 'src/new.ts'), join(root, 'src/renamed.ts'));
  expect(isFresh()).toBe(false);
});

test('text that moves from the end of a file to the next one causes a build', () => {
  write('src/a.ts', 'one');
  write('src/b.ts', 'two');
  build();
  write('src/a.ts', 'onet');
  write('src/b.ts', 'wo');
  expect(isFresh()).toBe(false);
});

test('files that the build does not read cause none', () => {
  build();
  for (const file of ['bot.mjs', 'data/webchat.db', 'e2e/a.spec.ts', '.env', 'dist/webchat/0.1.0/webchat.js'])
    write(file, 'new');
  expect(isFresh()).toBe(true);
});

test('a build that was interrupted does not count, also after one that had ended', () => {
  build();
  beginBuild(dist);
  expect(isFresh()).toBe(false);
  build();
  const stamp = join(dist, 'build.json');
  writeFileSync(stamp, readFileSync(stamp, 'utf8').slice(0, 40));
  expect(isFresh()).toBe(false);
});

test('a folder that was removed from dist causes a build', () => {
  build();
  rmSync(join(dist, 'node'), { recursive: true });
  expect(isFresh()).toBe(false);
});

test('a source that changes during a build causes another one', () => {
  const before = hashInputs(root);
  beginBuild(dist);
  write('src/widget/launcher/main.ts', 'changed meanwhile');
  write('dist/node/main.js', 'server');
  endBuild(dist, before);
  expect(isFresh()).toBe(false);
});

test('the pages of this repository are inputs: hashing reads them without an error', () => {
  expect(hashInputs(join(import.meta.dirname, '..'))).toMatch(/^[0-9a-f]{64}$/);
});
