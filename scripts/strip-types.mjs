// Strips types, so that a thread of the tests can run the TypeScript sources on Node 20: pass this file to `--import`.
import { register } from 'node:module';

const hooks = `
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { transformSync } from ${JSON.stringify(import.meta.resolve('rolldown/utils'))};
export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context);
  const path = fileURLToPath(url);
  const { code } = transformSync(path, await readFile(path, 'utf8'));
  return { format: 'module', source: code, shortCircuit: true };
}`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
