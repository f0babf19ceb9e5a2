// The build keeps the widget of earlier versions, so that a page that pins one survives an upgrade.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { precompress } from '../../../scripts/build/precompress.mjs';
import { addVersion, cleanDist } from '../../../scripts/build/widget-versions.mjs';

let dist: string;
beforeEach(() => {
  dist = mkdtempSync(join(tmpdir(), 'webchat-versions-'));
});
afterEach(() => rmSync(dist, { recursive: true }));

async function build(version: string): Promise<void> {
  cleanDist(dist, version);
  mkdirSync(join(dist, 'webchat', 'fonts'), { recursive: true });
  mkdirSync(join(dist, 'demo'), { recursive: true });
  writeFileSync(join(dist, 'webchat', 'webchat.js'), `start('${version}');`.repeat(20));
  writeFileSync(join(dist, 'webchat', `chat-${version}.js`), version);
  writeFileSync(join(dist, 'webchat', 'fonts', 'inter.woff2'), 'font');
  writeFileSync(join(dist, 'demo', `${version}.html`), version);
  for (const folder of ['webchat', 'demo']) await precompress(dist, folder);
  addVersion(dist, version);
}

const read = (...path: string[]) => readFileSync(join(dist, 'webchat', ...path), 'utf8');

test('a pinned file is the same after an upgrade, and the unversioned files are those of the new version', async () => {
  await build('0.1.0');
  const pinned = read('0.1.0', 'webchat.js');
  await build('0.2.0');
  expect(read('0.1.0', 'webchat.js')).toBe(pinned);
  expect(read('0.1.0', 'chat-0.1.0.js')).toBe('0.1.0');
  expect(read('0.1.0', 'fonts', 'inter.woff2')).toBe('font');
  expect(read('webchat.js')).toBe(read('0.2.0', 'webchat.js'));
  expect(readdirSync(join(dist, 'demo'))).toEqual(['0.2.0.html']);
  expect(existsSync(join(dist, 'webchat', 'chat-0.1.0.js'))).toBe(false);
});

test('a version that is built again replaces its files only', async () => {
  await build('0.1.0');
  await build('0.2.0');
  await build('0.2.0');
  expect(readdirSync(join(dist, 'webchat')).filter((name) => /^\d/.test(name))).toEqual(['0.1.0', '0.2.0']);
  expect(readdirSync(join(dist, 'webchat', '0.2.0'))).not.toContain('0.1.0');
});

test('text is compressed where that makes it smaller', async () => {
  await build('0.1.0');
  const files = readdirSync(join(dist, 'webchat', '0.1.0'));
  expect(files).toEqual(['chat-0.1.0.js', 'fonts', 'webchat.js', 'webchat.js.br', 'webchat.js.gz']);
  const unzipped = gunzipSync(readFileSync(join(dist, 'webchat', '0.1.0', 'webchat.js.gz'))).toString();
  expect(unzipped).toBe(read('webchat.js'));
});
