// Tests of the digest of the code of bots: whatever changes what a bot does changes it, and nothing else.
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { digestBotCode } from './code-digest.ts';

let home: string;
let bot: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'webchat-digest-'));
  bot = join(home, 'one', 'bot.mjs');
  await mkdir(join(home, 'one', 'lib'), { recursive: true });
  await mkdir(join(home, 'shared'));
  await mkdir(join(home, 'bots', 'wkspace_1'), { recursive: true });
  await writeFile(
    bot,
    `import { a } from './lib/a.mjs'; import fs from 'node:fs'; import '../shared/c.js';
     const late = () => import("./lib/late.mjs"); export default () => a;`,
  );
  await writeFile(
    join(home, 'one', 'lib', 'a.mjs'),
    `export * from '../bot.mjs'; export { b } from "./b.mjs";`,
  );
  await writeFile(join(home, 'one', 'lib', 'b.mjs'), 'export const b = 1;');
  await writeFile(join(home, 'one', 'lib', 'late.mjs'), 'export const late = 1;');
  await writeFile(join(home, 'shared', 'c.js'), 'export const c = 1;');
  await writeFile(join(home, 'bots', 'wkspace_1', 'other.mjs'), 'export default () => 1;');
});
afterEach(() => rm(home, { recursive: true, force: true }));

test.each([
  'one/bot.mjs',
  'one/lib/a.mjs',
  'one/lib/b.mjs',
  'one/lib/late.mjs',
  'shared/c.js',
  'bots/wkspace_1/other.mjs',
])('a change of %s changes the digest, and so does its removal', async (name) => {
  const digest = () => digestBotCode(bot, join(home, 'bots'));
  const before = await digest();
  expect(await digest()).toBe(before);
  await writeFile(join(home, name), `${name === 'one/bot.mjs' ? "import './lib/a.mjs';" : ''} // changed`);
  const changed = await digest();
  expect(changed).not.toBe(before);
  await rm(join(home, name));
  expect([before, changed]).not.toContain(await digest());
});

test('the digest is the same at another place, and ignores files that no bot uses', async () => {
  const before = await digestBotCode(bot, join(home, 'bots'));
  expect(before).toMatch(/^[\w-]{43}$/);
  await writeFile(join(home, 'one', 'unused.mjs'), 'unused');
  await writeFile(join(home, 'bots', 'notes.txt'), 'notes');
  await mkdir(join(home, 'bots', 'node_modules', 'left'), { recursive: true });
  await writeFile(join(home, 'bots', 'node_modules', 'left', 'index.js'), 'left');
  const copy = `${home}-copy`;
  await cp(home, copy, { recursive: true });
  expect(await digestBotCode(join(copy, 'one', 'bot.mjs'), join(copy, 'bots'))).toBe(before);
  await rm(copy, { recursive: true });
});

test('files with the same bytes at other boundaries, and names, have another digest', async () => {
  const digests = new Set<string>();
  for (const [one, two] of [
    ['ab', 'c'],
    ['a', 'bc'],
    ['', 'abc'],
  ]) {
    await writeFile(join(home, 'bots', 'one.mjs'), one ?? '');
    await writeFile(join(home, 'bots', 'two.mjs'), two ?? '');
    digests.add(await digestBotCode(bot, join(home, 'bots')));
  }
  expect(digests.size).toBe(3);
});

test('what is missing or cannot be read counts as missing', async () => {
  expect(await digestBotCode(join(home, 'none.mjs'), join(home, 'none'))).toMatch(/^[\w-]{43}$/);
});
