// The published packages: the tarballs of the build resolve, load and stay small in projects that install them.
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompressSync } from 'node:zlib';
import { expect, test } from '@playwright/test';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { build } from 'vite';
import { packageNames } from '../../scripts/build/packages.mjs';
import { startPlatform } from '../support/server.ts';

const run = promisify(execFile);
const scope = '@platform-webchat/';

interface Manifest {
  name: string;
  version: string;
  exports: Record<string, string | { types: string; default: string }>;
  dependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}
const manifestOf = async (name: string) =>
  JSON.parse(await readFile(join('dist/packages', name, 'package.json'), 'utf8')) as Manifest;

/** The entries that a program can import: not files for script tags or compilers, and not the manifest. */
const entriesOf = ({ name, exports }: Manifest) =>
  Object.keys(exports)
    .filter((entry) => !/\*|\.json$|\.svelte$/.test(entry))
    .map((entry) => name + entry.slice(1));

/** Bytes (Brotli) of a program that imports everything of an entry, without its peers. */
const limits: Record<string, number> = {
  // All clients; 30 methods for programs of the hosted product added 260 bytes, the inbox and the sign-in of members 500,
  // reports, archives and retention 50, a clock that is set back 14. A page imports the ChatClient alone.
  // 25 bytes more than before by the order of declarations in merged files.
  // The routes of 17 operations of the console added 90.
  '@platform-webchat/client': 12_480,
  // A chat that is taken over, destroyed or not loaded added 110 bytes, a slow script of the page 30, and the binding of `open`,
  // which each adapter had before, 110, options that a page cannot change by Object.prototype 50.
  '@platform-webchat/widget': 2_550,
  '@platform-webchat/widget/element': 3_700,
  '@platform-webchat/widget/server': 4_500,
  // Everything, with all languages, the list of emoji, formulas, people who answer, ratings, contacts, apps, the list of
  // conversations, the form before them, pushes, and the visitor's own data. 291,130 bytes with the new look, the audio player and
  // approvals as labelled values (3,130 more than before), and 0.5 % of room (docs/decisions/byte-budgets.md).
  '@platform-webchat/widget/bundled': 292_500,
  '@platform-webchat/react': 3_200,
  '@platform-webchat/vue': 3_200,
  '@platform-webchat/svelte': 3_200,
  '@platform-webchat/widget/global': 150,
  // Its search folds letters as the server's does, with tables of 550 bytes.
  '@platform-webchat/widget/mock': 9_800,
};

/** Bytes of each tarball. */
const tarballLimits: Record<string, number> = {
  // A method with its doc comment for each operation of the seven APIs; the types of parts are in it, too.
  client: 127_500,
  // With the mock server, for tests, and everything a second time in one module, which has the bundle of formulas. Ratings,
  // the list of conversations, contacts and apps, with their texts in 32 languages, added 30,000 bytes,
  // the form before the conversation, pushes, and the visitor's own data 60,000. The new look of the window, its own audio player
  // and approvals as labelled values, in the files and in the one module, added 9,000.
  widget: 1_460_000,
  react: 5_500,
  vue: 5_000,
  svelte: 5_000,
};

let folder = '';
const tarballs = new Map<string, string>();

// Compilers and bundlers run in these tests: on a busy machine each of them takes more than a minute.
test.describe.configure({ timeout: 300_000 });
test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'packages-'));
  const { version } = JSON.parse(await readFile('package.json', 'utf8')) as Manifest;
  for (const name of packageNames)
    tarballs.set(name, resolve('dist/webchat', version, 'packages', `${name}.tgz`));
});
test.afterAll(() => rm(folder, { recursive: true, force: true }));

test('publint and are-the-types-wrong find nothing in the package of the server', async () => {
  const { stdout: json } = await run('npm', [
    'pack',
    '--json',
    '--ignore-scripts',
    '--pack-destination',
    folder,
  ]);
  const [{ filename, files }] = JSON.parse(json) as [{ filename: string; files: { path: string }[] }];
  const paths = files.map(({ path }) => path);
  expect(paths).toContain('dist/node/src/cli/main.js');
  expect(paths.filter((path) => /^(src|e2e|data)\/|^dist\/packages\//.test(path))).toEqual([]);
  expect(await publintMessages(join(folder, filename))).toEqual([]);
  const flags = '--profile esm-only --no-color --format ascii'.split(' ');
  const failure = await run('node_modules/.bin/attw', [join(folder, filename), ...flags]).then(
    () => undefined,
    ({ stdout, stderr }) => `${stdout}${stderr}`,
  );
  expect(failure).toBeUndefined();
});

for (const name of packageNames) {
  test(`publint and are-the-types-wrong find nothing in the package ${name}`, async () => {
    expect(await publintMessages(tarballs.get(name) ?? '')).toEqual([]);
    const failure = await run('node_modules/.bin/attw', [
      tarballs.get(name) ?? '',
      ...'--profile esm-only --no-color --format ascii'.split(' '),
      // Files for script tags and the manifest have no types.
      ...'--exclude-entrypoints ./dist/* ./package.json ./custom-elements.json ./Webchat.svelte'.split(' '),
    ]).then(
      () => undefined,
      ({ stdout, stderr }) => `${stdout}${stderr}`,
    );
    expect(failure).toBeUndefined();
  });

  test(`the package ${name} has the version of the repository, and requires exactly it of the others`, async () => {
    const { version } = JSON.parse(await readFile('package.json', 'utf8')) as Manifest;
    const manifest = await manifestOf(name);
    expect(manifest.version).toBe(version);
    for (const [other, range] of Object.entries(manifest.dependencies ?? {})) {
      expect(other.startsWith(scope), other).toBe(true);
      expect(range).toBe(version);
    }
  });

  test(`the declarations of the package ${name} need no package that is not installed with it`, async () => {
    const { dependencies = {}, peerDependencies = {}, name: own } = await manifestOf(name);
    const files = await readdir(join('dist/packages', name, 'lib'), { recursive: true });
    const foreign = new Set<string>();
    for (const file of files.filter((one) => /\.(d\.ts|js)$/.test(one))) {
      const code = await readFile(join('dist/packages', name, 'lib', file), 'utf8');
      for (const [, target = ''] of code.matchAll(/\b(?:from |import |import\()'([\w@][\w@/.-]*)'/g)) {
        foreign.add(target.split('/', target.startsWith('@') ? 2 : 1).join('/'));
      }
    }
    const allowed = [own, ...Object.keys(dependencies), ...Object.keys(peerDependencies)];
    expect([...foreign].filter((target) => !allowed.includes(target))).toEqual([]);
  });

  test(`the package ${name} is within its limits of bytes`, async () => {
    const tarball = await readFile(tarballs.get(name) ?? '');
    const { peerDependencies = {}, ...manifest } = await manifestOf(name);
    console.log(`${name}.tgz  ${tarball.length} bytes`);
    expect(tarball.length).toBeLessThan(tarballLimits[name] ?? 0);
    for (const entry of entriesOf(manifest)) {
      const external = Object.keys(peerDependencies).map((peer) => new RegExp(`^${peer}(/|$)`));
      const size = await bundledSize(entry, external);
      console.log(`${entry}  ${size} bytes brotli`);
      expect(size, entry).toBeLessThan(limits[entry] ?? 0);
    }
  });
}

test('the tarballs install together in a fresh project, and every entry loads in bare Node without a window', async () => {
  const project = await installed();
  const manifests = await Promise.all(packageNames.map(manifestOf));
  const entries = manifests.flatMap(entriesOf);
  const code = entries
    .map((entry) => `console.log('${entry}', typeof (await import('${entry}')));`)
    .join('\n');
  await writeFile(join(project, 'entries.mjs'), code);
  const { stdout, stderr } = await run(process.execPath, ['entries.mjs'], { cwd: project });
  expect(stdout.trim().split('\n')).toEqual(entries.map((entry) => `${entry} object`));
  expect(stderr).toBe('');
});

test('the client alone brings no other package, and its types are complete without skipLibCheck', async () => {
  const project = await freshProject('client', ['client']);
  expect((await readdir(join(project, 'node_modules'))).filter((name) => !name.startsWith('.'))).toEqual([
    '@platform-webchat',
  ]);
  const code = `
import { ChatClient, Client, isApiError } from '@platform-webchat/client';
const chat = new ChatClient({ chatUrl: 'https://example.org/chat/demo' });
export const first = chat.list.messages({ conversationId: 'c' }).collect({ limit: 3 }).then(([message]) => {
  if (message?.payload.type === 'choice') return message.payload.options[0]?.label satisfies string | undefined;
  // @ts-expect-error there is no such payload
  return message?.payload.type === 'nothing';
});
// @ts-expect-error a text has the field text
export const wrong = chat.createMessage({ conversationId: 'c', payload: { type: 'text', txt: 'x' } });
export const bots = new Client({ apiUrl: 'https://example.org', token: 't', workspaceId: 'w' }).listBots();
export { isApiError };
`;
  await writeFile(join(project, 'site.ts'), code);
  const tsc = resolve('node_modules/.bin/tsc');
  for (const flags of ['--module nodenext', '--module esnext --moduleResolution bundler']) {
    const { stdout } = await run(
      tsc,
      `--ignoreConfig --noEmit --strict --target es2022 --lib es2022,dom,dom.iterable ${flags} site.ts`.split(
        ' ',
      ),
      { cwd: project },
    ).catch((error) => error);
    expect(stdout).toBe('');
  }
});

for (const name of ['react', 'vue', 'svelte', 'element', 'self-hosting']) {
  test(`the commands of the guide ${name} install the packages from a server, in an empty folder`, async () => {
    const guide = await readFile(`docs/guides/${name}.md`, 'utf8');
    const commands = guide.match(/^npm install https:.*$/gm) ?? [];
    expect(commands.length).toBeGreaterThan(0);
    const platform = await startPlatform();
    try {
      const project = join(folder, `guide-${name}`);
      await mkdir(project);
      await writeFile(join(project, 'package.json'), '{ "private": true }');
      for (const command of commands) {
        const [program = '', ...words] = command.replace('https://chat.example.com', platform.url).split(' ');
        // The frameworks themselves are in the reader's project; nothing comes from a registry.
        const flags = ['--legacy-peer-deps', '--no-audit', '--no-fund', '--registry=http://127.0.0.1:9'];
        await run(program, [...words, ...flags], { cwd: project });
      }
      const installed = await readdir(join(project, 'node_modules/@platform-webchat'));
      expect(installed.sort()).toEqual(
        commands.map((command) => /([\w-]+)\.tgz$/.exec(command)?.[1] ?? '').sort(),
      );
    } finally {
      await platform.dispose();
    }
  });
}

/** Findings of publint in a tarball: to pack the folder once more would take as long as all of its rules. */
async function publintMessages(tarball: string): Promise<(string | undefined)[]> {
  const { buffer, byteOffset, byteLength } = await readFile(tarball);
  const content = buffer.slice(byteOffset, byteOffset + byteLength);
  const { messages, pkg } = await publint({ strict: true, pack: { tarball: content } });
  return messages.map((message) => formatMessage(message, pkg));
}

/** Installs the tarballs of these packages, and nothing from a registry, in a new project. */
async function freshProject(title: string, names: readonly string[]): Promise<string> {
  const project = join(folder, title);
  await mkdir(project);
  await writeFile(join(project, 'package.json'), '{ "name": "site", "private": true, "type": "module" }');
  const files = names.map((name) => tarballs.get(name) ?? '');
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', '--legacy-peer-deps', ...files], {
    cwd: project,
  });
  return project;
}

let project: Promise<string> | undefined;
/** A project with all packages. */
const installed = () => {
  project ??= freshProject('all', packageNames).then(async (all) => {
    for (const peer of ['react', 'react-dom', 'vue', 'svelte']) {
      await symlink(resolve('node_modules', peer), join(all, 'node_modules', peer));
    }
    return all;
  });
  return project;
};

async function bundledSize(entry: string, external: RegExp[]): Promise<number> {
  const root = await mkdtemp(join(await installed(), 'size-'));
  const code = `import * as everything from '${entry}';\nglobalThis.used = everything;\n`;
  await writeFile(join(root, 'entry.js'), code);
  const result = await build({
    root,
    configFile: false,
    logLevel: 'silent',
    build: { write: false, rollupOptions: { input: join(root, 'entry.js'), external } },
  });
  if (!('output' in result)) throw new Error('The bundler made no output.');
  return result.output.reduce(
    (sum, file) => sum + ('code' in file ? brotliCompressSync(file.code).length : 0),
    0,
  );
}
