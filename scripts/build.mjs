// Builds everything into dist: the widget (vite.config.ts), the playground, the API reference, the inbox, the modules that
// others import (tsc), the server and its commands (server-bundle.mjs), the demo site, the documentation, the packages.
// Compresses the served files, unless it is run with --no-compress. Prints sizes and hashes of the files of the widget, unless
// it is run with --quiet.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { writeDocs } from './docs-pages.mjs';
import { buildPackages } from './packages.mjs';
import { precompress } from './precompress.mjs';
import { bundleServer } from './server-bundle.mjs';
import { addVersion, cleanDist } from './widget-versions.mjs';

const run = (bin, ...args) =>
  execFileSync(join('node_modules/.bin', bin), args, { stdio: ['ignore', 'ignore', 'inherit'] });

const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
const isQuiet = process.argv.includes('--quiet');
if (isQuiet) console.log('Building …');
cleanDist('dist', version);
for (const mode of [
  'chat',
  'i18n',
  'host-page',
  'unknown-names',
  'diagnostics',
  'loader',
  'element',
  'push-worker',
]) {
  run('vite', 'build', '--logLevel', 'warn', '--mode', mode);
}
for (const page of ['playground', 'api-reference', 'inbox', 'return']) {
  run('vite', 'build', '--logLevel', 'warn', '--config', `src/pages/${page}/vite.config.ts`);
}
run('tsc', '-p', 'tsconfig.node.json');
await bundleServer('dist/node');
writeTestingTypes();
cpSync('demo/site', 'dist/demo', { recursive: true });
cpSync('public/demo', 'dist/demo/demo', { recursive: true });
copyFonts();
writeDocs('dist/demo');

/**
 * Writes the declarations of `platform-webchat/testing`. Its functions are bundled with the server, of whose types they show none,
 * so only the declarations of this folder are published.
 */
function writeTestingTypes() {
  mkdirSync('.cache', { recursive: true });
  const folder = mkdtempSync('.cache/declarations-');
  const options = '--ignoreConfig --noCheck --declaration --emitDeclarationOnly --rootDir . --skipLibCheck';
  const language = '--target es2022 --module nodenext --rewriteRelativeImportExtensions --types node';
  const entry = 'src/server/bot-testing/index.ts';
  run('tsc', entry, ...options.split(' '), ...language.split(' '), '--outDir', folder);
  for (const name of ['index.d.ts', 'test-bot.d.ts', 'test-bot-interface.d.ts'])
    cpSync(join(folder, 'src/server/bot-testing', name), join('dist/node/src/server/bot-testing', name));
  rmSync(folder, { recursive: true });
}

/**
 * Copies the files of widget/chat/fonts.ts with their licenses: one file per script (latin, greek, …) with all weights.
 */
function copyFonts() {
  for (const family of ['inter', 'rubik', 'ibm-plex-sans', 'fira-code']) {
    const from = `node_modules/@fontsource-variable/${family}`;
    for (const file of readdirSync(`${from}/files`)) {
      const name = /^(.+)-wght-normal\.woff2$/.exec(file)?.[1];
      if (name) cpSync(`${from}/files/${file}`, `dist/webchat/fonts/${name}.woff2`);
    }
    cpSync(`${from}/LICENSE`, `dist/webchat/fonts/${family}-LICENSE.txt`);
  }
}

// The hash of each file, for pages that pin files (subresource integrity, docs/concepts/security.md).
const integrity = {};
for (const name of readdirSync('dist/webchat').filter((file) => file.endsWith('.js'))) {
  const bytes = readFileSync(join('dist/webchat', name));
  integrity[name] = `sha384-${createHash('sha384').update(bytes).digest('base64')}`;
  if (!isQuiet) console.log(`${name}  ${brotliCompressSync(bytes).length} bytes brotli  ${integrity[name]}`);
}

/** A placeholder for the address of the server in texts to copy. */
const server = 'https://YOUR-SERVER';
const { 'webchat.js': script } = integrity;
// The content of a <script type="importmap">, because `import()` has no option for integrity. It contains the addresses
// with and without the version.
const addresses = [`${server}/webchat`, `${server}/webchat/${version}`].flatMap((folder) =>
  Object.entries(integrity).map(([name, hash]) => [`${folder}/${name}`, hash]),
);
writeFileSync(
  'dist/webchat/integrity.json',
  `${JSON.stringify({ integrity: Object.fromEntries(addresses) }, null, 1)}\n`,
);
if (!process.argv.includes('--no-compress')) {
  for (const folder of ['webchat', 'playground', 'reference', 'inbox', 'return', 'demo'])
    precompress(join('dist', folder));
}
// The server reads which version its own is; folders of others may be beside it.
writeFileSync('dist/webchat/version.txt', `${version}\n`);
addVersion('dist', version);
buildPackages();

if (!isQuiet)
  console.log(`
To pin the script (its chunks: dist/webchat/integrity.json as an import map):
<script src="${server}/webchat/${version}/webchat.js" integrity="${script}" crossorigin="anonymous" data-chat-url="${server}/chat/demo" async></script>`);
