// Bundles the server, the commands, the worker threads and the demo bot: a start loads 20 files instead of 240
// (docs/decisions/archive/0089-bundled-server.md). Packages stay outside. What is imported dynamically (PostgreSQL, Redis, S3, metrics)
// is a file of its own, which is read when it is needed.
import { join, posix, relative } from 'node:path';
import { rolldown } from 'rolldown';
import { onlySections } from './locale-plugins.mjs';

/** The modules that Node starts: programs, threads, and the bot that is loaded by its address. */
const entries = [
  'src/server/main',
  'src/cli/main',
  'src/server/bots/threads/worker',
  'src/server/bot-testing/index',
  'src/server/files/embeddings/worker',
  'src/server/files/indexing/worker',
  'demo/bot',
];

/** Everything that does not begin with a dot or a slash: modules of Node and packages. */
const packages = /^[^./]/;
/** Stands for the address of a module until it is known in which file the module is. */
const placeholder = 'addressOfBundledModule';

/** A module that asks for its address (`import.meta.url`) gets the one that it would have as a file of its own. */
const addresses = (root) => ({
  name: 'addresses',
  transform(code, id) {
    if (!code.includes('import.meta')) return undefined;
    const file = relative(root, id).replaceAll('\\', '/').replace(/\.ts$/, '.js');
    return code.replaceAll('import.meta.url', `${placeholder}('${file}')`);
  },
  renderChunk(code, { fileName }) {
    return code.replace(new RegExp(`${placeholder}\\(["']([^"']+)["']\\)`, 'g'), (_, file) => {
      const path = posix.relative(posix.dirname(fileName), file);
      return `new URL(${JSON.stringify(path)}, import.meta.url).href`;
    });
  },
});

/**
 * Writes the bundles into a folder, each entry at the path of its source.
 * @param options.root the folder of the repository
 * @throws when a module is missing
 */
export async function bundleServer(dir, { root = process.cwd() } = {}) {
  const bundle = await rolldown({
    cwd: root,
    input: Object.fromEntries(entries.map((name) => [name, join(root, `${name}.ts`)])),
    platform: 'node',
    external: packages,
    // No module does anything when it is imported, so a thread loads only what it uses of the others.
    treeshake: { moduleSideEffects: false },
    plugins: [addresses(root), onlySections('agents', 'answerMail', 'linkPages', 'transcriptMail')],
    checks: { pluginTimings: false },
  });
  try {
    await bundle.write({
      dir,
      format: 'esm',
      entryFileNames: '[name].js',
      chunkFileNames: 'src/server/chunks/[name].js',
    });
  } finally {
    await bundle.close();
  }
}
