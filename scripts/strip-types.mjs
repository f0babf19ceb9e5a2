// Strips types, so that a thread of the tests can run the TypeScript sources on Node 20: pass this file to `--import`. With
// `?folder=` a file `worker.ts` and what it imports is bundled, once for all threads that name this folder, because each of them
// would otherwise read up to 200 modules. The folder belongs to one run, in which no source changes.
import { register } from 'node:module';

const folder = new URL(import.meta.url).searchParams.get('folder');
const from = (name) => JSON.stringify(import.meta.resolve(name));
// The bundler is loaded by the first thread only.
const hooks = `
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const folder = ${JSON.stringify(folder)};

async function strip(path) {
  const { transformSync } = await import(${from('rolldown/utils')});
  return transformSync(path, await readFile(path, 'utf8')).code;
}

async function bundle(path) {
  const { rolldown } = await import(${from('rolldown')});
  const bundle = await rolldown({
    input: path,
    platform: 'node',
    external: /^[^./]/,
    treeshake: { moduleSideEffects: false },
    checks: { pluginTimings: false },
    plugins: [{
      name: 'addresses',
      transform: (code, id) => code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href)),
    }],
  });
  const { output: [{ code }] } = await bundle.generate({ codeSplitting: false });
  await bundle.close();
  return code;
}

async function bundledOnce(path) {
  const file = join(folder, createHash('sha256').update(path).digest('hex') + '.js');
  const cached = await readFile(file, 'utf8').catch(() => undefined);
  if (cached !== undefined) return cached;
  const code = await bundle(path);
  await mkdir(folder, { recursive: true });
  const unfinished = file + randomUUID();
  await writeFile(unfinished, code);
  await rename(unfinished, file);
  return code;
}

export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context);
  const path = fileURLToPath(url);
  const source = await (folder !== null && url.endsWith('/worker.ts') ? bundledOnce(path) : strip(path));
  return { format: 'module', source, shortCircuit: true };
}`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
