// Tests that a bundle with one client of the package contains its files, and not those of other clients.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { build } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';

const index = join(import.meta.dirname, 'index.ts');
const source = join(import.meta.dirname, '..');
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'shaken-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The files of `src` that are part of the bundle of a program that uses these exports of the package. */
async function filesWith(...names: string[]): Promise<{ files: string[]; code: string }> {
  const entry = join(folder, 'entry.ts');
  await writeFile(
    entry,
    `import { ${names.join(', ')} } from ${JSON.stringify(index)};\nglobalThis.used = [${names.join(', ')}];\n`,
  );
  const result = await build({
    root: folder,
    configFile: false,
    logLevel: 'silent',
    build: { write: false, minify: false, rollupOptions: { input: entry } },
  });
  const [chunk] = 'output' in result ? result.output : [];
  if (chunk?.type !== 'chunk') throw new Error('The bundler made no chunk.');
  const files = Object.entries(chunk.modules)
    .filter(([path, { renderedLength }]) => renderedLength > 0 && path.startsWith(source))
    .map(([path]) => relative(source, path));
  return { files: files.sort(), code: chunk.code };
}

/** The files that only the clients of the platform's APIs need. */
const platform = [
  ...['client', 'client-options', 'encode', 'api-client', 'rest'].map((name) => `platform/${name}`),
  ...['core/retry', 'core/api-errors'],
];
const chat = ['chat', 'caller', 'stream', 'sse', 'upload', 'user-key', 'proof'].map((name) => `chat/${name}`);
const inClient = (names: string[]) => names.map((name) => `client/${name}.ts`);

test('a bundle with ChatClient does not contain the clients of the platform’s APIs', async () => {
  const { files, code } = await filesWith('ChatClient');
  expect(files).toEqual(expect.arrayContaining(inClient(['chat/chat', 'chat/caller', 'chat/stream'])));
  expect(
    files.filter((file) => inClient([...platform, 'chat/user-key', 'chat/proof']).includes(file)),
  ).toEqual([]);
  expect(code).not.toMatch(/\/v1\/|NotFoundError|PLATFORM_/);
});

test('a bundle with AdminClient does not contain the client of the Chat API', async () => {
  const { files, code } = await filesWith('AdminClient');
  expect(files).toEqual(expect.arrayContaining(inClient(platform)));
  expect(files.filter((file) => inClient(chat).includes(file))).toEqual([]);
  expect(code).not.toMatch(/\/v1\/(?!admin)/);
});

test('a bundle with TablesClient does not contain files, and one with FilesClient not tables', async () => {
  expect((await filesWith('TablesClient')).code).not.toMatch(/\/v1\/(?!tables)|uploadFile/);
  expect((await filesWith('FilesClient')).code).not.toMatch(/\/v1\/(?!files)/);
});

test('a bundle can contain a single error class', async () => {
  const { files, code } = await filesWith('ResourceNotFoundError');
  expect(files.filter((file) => file.startsWith('client/'))).toEqual(
    inClient(['core/api-errors', 'core/errors']),
  );
  expect(code).not.toContain('ForbiddenError');
});
