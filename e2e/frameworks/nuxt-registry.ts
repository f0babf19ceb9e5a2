// The template of Nuxt for machines that reach the npm registry but not GitHub, from which create-nuxt takes it.
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const address = 'https://raw.githubusercontent.com/nuxt/starter/templates/templates/minimal.json';

/** Whether create-nuxt can download its own template. */
export const isGithubReachable = () =>
  fetch(address, { signal: AbortSignal.timeout(20_000) }).then(
    ({ ok }) => ok,
    () => false,
  );

const references = ['app', 'server', 'shared', 'node'].map((name) => ({
  path: `./.nuxt/tsconfig.${name}.json`,
}));

/** The files of a minimal application, as Nuxt 4 documents them. */
const files = {
  'package.json': JSON.stringify({
    name: 'nuxt-app',
    type: 'module',
    private: true,
    scripts: { build: 'nuxt build', dev: 'nuxt dev', preview: 'nuxt preview', postinstall: 'nuxt prepare' },
    dependencies: { nuxt: '^4.5.0', vue: '^3.5.0', 'vue-router': '^5.2.0' },
  }),
  'nuxt.config.ts':
    "export default defineNuxtConfig({ compatibilityDate: '2026-01-01', devtools: { enabled: true } });\n",
  'tsconfig.json': JSON.stringify({ files: [], references }),
  'app/app.vue': `<template>
  <div>
    <NuxtRouteAnnouncer />
    <NuxtWelcome />
  </div>
</template>
`,
};

/**
 * Serves the template as create-nuxt expects it (environment variable NUXI_INIT_REGISTRY).
 * @param folder an existing folder for its files.
 */
export async function startNuxtRegistry(folder: string): Promise<{ url: string; close(): void }> {
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, 'nuxt-template', name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
  const { stdout: archive } = await promisify(execFile)('tar', ['-C', folder, '-czf', '-', 'nuxt-template'], {
    encoding: 'buffer',
  });
  const server = createServer((request, response) => {
    const isArchive = request.url?.endsWith('.tar.gz');
    response.writeHead(200, { 'content-type': isArchive ? 'application/gzip' : 'application/json' });
    const tar = `${url}/minimal.tar.gz`;
    const template = { name: 'minimal', defaultDir: 'nuxt-app', url: 'https://nuxt.com', tar };
    response.end(isArchive ? archive : JSON.stringify(template));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, close: () => server.close() };
}
