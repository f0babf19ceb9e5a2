// Builds everything into dist: the widget (vite.config.ts), the pages, the modules that others import (build/tsconfig.node.json), the
// server and its commands (build/server-bundle.mjs), the demo site, the documentation. `npm run build` also minifies a second time,
// compresses, makes the packages and the folder of the version, and prints sizes and hashes. With `--start` (npm start, npm run dev)
// it leaves these out, and does nothing if dist was built from the present sources.
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { beginBuild, endBuild, hashInputs, isBuilt } from './build/inputs.mjs';
import { minifyFiles } from './build/minify.mjs';
import { buildPackages, packPackages } from './build/packages.mjs';
import { precompress } from './build/precompress.mjs';
import { compile, secondsSince, step } from './build/run.mjs';
import { addVersion, cleanDist } from './build/widget-versions.mjs';

const {
  values: { start: isForStart },
} = parseArgs({ options: { start: { type: 'boolean', default: false } } });
const begin = performance.now();
const inputs = hashInputs();
if (isForStart && isBuilt('dist', inputs)) process.exit();

// A process that ends by a signal would not end the compilers that it has started.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
console.log('Building …');
// Vite builds what this variable says, and the result must not depend on who starts the server.
process.env.NODE_ENV = 'production';
const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
beginBuild('dist');
cleanDist('dist', version);
// Loaded only here, because the bundlers need more time than the rest of a start without a change.
const [{ buildPages, buildWidget }, { bundleServer }, { writeSite }] = await Promise.all([
  import('./build/vite.mjs'),
  import('./build/server-bundle.mjs'),
  import('./docs/site.mjs'),
]);
await Promise.all([
  step('widget', buildWidget).then(
    (chunks) => isForStart || step('second minifier', () => minifyFiles('dist/webchat', chunks)),
  ),
  step('pages', buildPages).then(() =>
    step('documentation', () => writeSite('dist/docs', { rootFolder: 'dist/demo' })),
  ),
  step('server', () => bundleServer('dist/node')),
  step('modules and types', () =>
    Promise.all([compile('-p', 'scripts/build/tsconfig.node.json'), writeTestingTypes()]),
  ),
  step('demo and fonts', copyFiles),
]);
if (!isForStart) await finish();
endBuild('dist', inputs);
console.log(
  `Built in ${secondsSince(begin)} s.${isForStart ? ' For visitors, `npm run build` makes smaller files.' : ''}`,
);

/**
 * Writes the declarations of `platform-webchat/testing`. Its functions are bundled with the server, of whose types they show none,
 * so only the declarations of this folder are published, which need no other file: all their types are written.
 */
function writeTestingTypes() {
  const files = ['index', 'test-bot', 'test-bot-interface'].map(
    (name) => `src/server/bot-testing/${name}.ts`,
  );
  const options =
    '--ignoreConfig --noCheck --noResolve --isolatedDeclarations --declaration --emitDeclarationOnly';
  const language = '--rootDir . --outDir dist/node --target es2022 --module nodenext --types node';
  return compile(
    ...files,
    ...options.split(' '),
    '--rewriteRelativeImportExtensions',
    ...language.split(' '),
  );
}

function copyFiles() {
  cpSync('demo/site', 'dist/demo', { recursive: true });
  cpSync('public/demo', 'dist/demo/demo', { recursive: true });
  copyFonts();
  // The predefined encodings of PDF fonts (src/server/files/indexing/pdf.ts), with their license.
  cpSync('node_modules/pdfjs-dist/cmaps', 'dist/node/cmaps', { recursive: true });
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

/** Makes what only those need who deploy, publish or test, and prints a tag to copy. */
async function finish() {
  const scripts = readdirSync('dist/webchat').filter((name) => name.endsWith('.js'));
  // For pages that pin files (subresource integrity, docs/concepts/security.md).
  const hashes = scripts.map((name) => {
    const bytes = readFileSync(join('dist/webchat', name));
    return [name, `sha384-${createHash('sha384').update(bytes).digest('base64')}`];
  });
  /** A placeholder for the address of the server in texts to copy. */
  const server = 'https://YOUR-SERVER';
  // The content of a <script type="importmap">, because `import()` has no option for integrity. It contains the addresses
  // with and without the version.
  const addresses = [`${server}/webchat`, `${server}/webchat/${version}`].flatMap((folder) =>
    hashes.map(([name, hash]) => [`${folder}/${name}`, hash]),
  );
  writeFileSync(
    'dist/webchat/integrity.json',
    `${JSON.stringify({ integrity: Object.fromEntries(addresses) }, null, 1)}\n`,
  );
  const served = ['webchat', 'playground', 'reference', 'console', 'return', 'docs', 'demo'];
  await Promise.all([
    step('packages', buildPackages),
    step('compression', () => Promise.all(served.map((folder) => precompress('dist', folder)))),
  ]);
  // The server reads which version its own is; folders of others may be beside it.
  writeFileSync('dist/webchat/version.txt', `${version}\n`);
  addVersion('dist', version);
  // Only below the version: an address whose content changes breaks the lock files of those who install from it.
  await step('tarballs', () => packPackages(join('dist/webchat', version, 'packages')));

  for (const [name, hash] of hashes) {
    const compressed = join('dist/webchat', `${name}.br`);
    const { size } = statSync(existsSync(compressed) ? compressed : join('dist/webchat', name));
    console.log(`${name}  ${size} bytes brotli  ${hash}`);
  }
  const { 'webchat.js': script } = Object.fromEntries(hashes);
  console.log(`
To pin the script (its chunks: dist/webchat/integrity.json as an import map):
<script src="${server}/webchat/${version}/webchat.js" integrity="${script}" crossorigin="anonymous" data-chat-url="${server}/chat/demo" async></script>
`);
}
