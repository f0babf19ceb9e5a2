// Projects of sites that use the built packages: a folder in which their names resolve, and bundles for test pages.
import { cp, mkdir, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type PluginOption } from 'vite';
import { createCacheFolder } from '../../scripts/cache-folder.mjs';

/** Creates a folder in which the packages of this repository are installed, calls `use`, and removes the folder. */
export async function withProject<T>(use: (folder: string) => Promise<T>): Promise<T> {
  // Inside the repository, so that the installed frameworks are found too.
  const folder = await createCacheFolder('project-');
  try {
    await writeFile(join(folder, 'package.json'), '{ "name": "site", "type": "module" }');
    const modules = join(folder, 'node_modules');
    await mkdir(join(modules, '@platform-webchat'), { recursive: true });
    await symlink('../../..', join(modules, 'platform-webchat'));
    for (const name of await readdir('dist/packages')) {
      // Copies, because Node looks for the packages that they import beside the real files.
      await cp(join('dist/packages', name), join(modules, '@platform-webchat', name), {
        recursive: true,
        // The files for script tags are large, and no project imports them.
        filter: (file) => !/packages\/widget\/dist\/(?!bundled\.js$)/.test(file),
      });
    }
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const bundles = new Map<string, Promise<string>>();

/**
 * Bundles the program of a site for a page, as a classic script. A worker bundles a program once, also when several tests
 * need it.
 */
export function bundleSite(files: Record<string, string>, plugins: PluginOption[] = []): Promise<string> {
  const name = JSON.stringify(files);
  const bundle = bundles.get(name) ?? bundleOnce(files, plugins);
  bundles.set(name, bundle);
  return bundle;
}

function bundleOnce(files: Record<string, string>, plugins: PluginOption[]): Promise<string> {
  return withProject(async (folder) => {
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    const [entry = ''] = Object.keys(files);
    const result = await build({
      root: folder,
      configFile: false,
      logLevel: 'silent',
      plugins,
      define: { 'process.env.NODE_ENV': '"development"' },
      resolve: { preserveSymlinks: true },
      build: {
        write: false,
        minify: false,
        lib: { entry: join(folder, entry), formats: ['iife'], name: 'site', fileName: 'site' },
      },
    });
    const [
      {
        output: [chunk],
      } = { output: [] },
    ] = Array.isArray(result) ? result : [];
    if (chunk?.type !== 'chunk') throw new Error('The bundler made no script.');
    return chunk.code;
  });
}

/** The HTML of a page with this script. */
export const sitePage = (code: string, body = '') =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A site</title></head><body>${body}<script nonce="n0nce">${code.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--')}</script></body></html>`;
