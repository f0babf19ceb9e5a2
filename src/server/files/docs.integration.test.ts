// Runs every example of docs/guides/files.md unchanged, in order, against a real server over HTTP.
import { execFile, spawnSync } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { getRequestListener } from '@hono/node-server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createCacheFolder } from '../../../scripts/cache-folder.mjs';
import { type FilesFixture, startFilesFixture } from './testing.ts';

const root = join(import.meta.dirname, '../../..');
const page = await readFile(join(root, 'docs/guides/files.md'), 'utf8');
const examples = [...page.matchAll(/^## (.*)|^```(?:js|sh)\n([\s\S]*?)^```/gm)].reduce<[string, string][]>(
  (found, [, heading, code]) => {
    if (code) found.push([found.at(-1)?.[0] ?? 'The beginning', code]);
    else found.push([heading ?? '', '']);
    return found;
  },
  [],
);

/** Heading -> the expected output of its example. */
const printed: Record<string, RegExp> = {
  'The beginning': /^\{"files":\[.*\],"meta":\{\}\}$/,
  'Store a file': /^upload_pending true$/,
  'Read a file': /^Returns\npublic_content true$/,
  Search: /^help\/returns\.md Send the parcel back within thirty days\. The label is free\.$/,
};

let fixture: FilesFixture;
let url = '';
let close = () => {};
let folder = '';
beforeAll(async () => {
  fixture = await startFilesFixture();
  const { fetch } = fixture.server.composition.app;
  const http = createServer(getRequestListener(fetch, { overrideGlobalObjects: false }));
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  close = () => {
    http.close();
    http.closeAllConnections();
  };
  folder = await createCacheFolder('files-docs-');
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  close();
  await fixture.server.close();
});

test('every example has an expected output', () => {
  expect(examples.filter(([, code]) => code).map(([heading]) => heading)).toEqual(Object.keys(printed));
});

const hasCurl = spawnSync('curl', ['--version']).status === 0;
const isShell = (code: string) => code.startsWith('export ');
const runnable = examples.filter(([, code]) => code && (hasCurl || !isShell(code)));

test.each(runnable)('%s', async (heading, code) => {
  const env = { ...process.env, API: url, TOKEN: fixture.tokens.bot, BOT: fixture.bots.own };
  const file = join(folder, `${heading.replaceAll(' ', '-')}.${isShell(code) ? 'sh' : 'mjs'}`);
  await writeFile(file, code.replace(/^export .*$/m, ''));
  const { stdout } = await promisify(execFile)(isShell(code) ? 'sh' : process.execPath, [file], {
    env,
    timeout: 60_000,
  });
  expect(stdout.trim()).toMatch(printed[heading] as RegExp);
});
