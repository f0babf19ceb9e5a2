// `node bench/field.mjs` measures the script of other chats, as their newest packages on npm contain it, and writes bench/field.json:
// docs/reference/performance.md and the start page of the documentation show it beside our own bytes.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';

/** The file that a page loads from a CDN or imports whole, as the guide of the package says, and what it lacks. */
const packages = [
  { name: 'deep-chat', file: 'dist/deepChat.bundle.js' },
  { name: '@botpress/webchat', file: 'dist/index.umd.cjs', note: 'without React' },
  { name: '@typebot.io/js', file: 'dist/web.js' },
  { name: 'flowise-embed', file: 'dist/web.js' },
  { name: '@n8n/chat', file: 'dist/chat.bundle.es.js' },
  { name: 'botframework-webchat', file: 'dist/webchat-minimal.js' },
];

const folder = mkdtempSync(join(tmpdir(), 'field-'));
const rows = [];
for (const { name, file, note } of packages) {
  const [{ filename, version }] = JSON.parse(
    execFileSync('npm', ['pack', name, '--json', '--pack-destination', folder], { encoding: 'utf8' }),
  );
  execFileSync('tar', ['xzf', join(folder, filename.replace('/', '-').replace('@', '')), '-C', folder]);
  const bytes = readFileSync(join(folder, 'package', file));
  const { length } = brotliCompressSync(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY },
  });
  rows.push({ name, version, file, bytes: length, ...(note && { note }) });
  rmSync(join(folder, 'package'), { recursive: true });
}
rmSync(folder, { recursive: true });
const date = new Date().toISOString().slice(0, 10);
writeFileSync(
  'bench/field.json',
  `${JSON.stringify({ date, packages: rows.sort((a, b) => a.bytes - b.bytes) }, null, 2)}\n`,
);
console.log(rows);
