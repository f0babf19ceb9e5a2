// Writes the folder for a static host. It mirrors the addresses of a server, so that the same relative links lead to the same things;
// the policy of the server is in each page, because a static host sends no headers of ours.
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runnerImport } from 'vite';

const load = async (file) => (await runnerImport(file, { configFile: false, logLevel: 'error' })).module;

/** Static hosts compress by themselves. */
const isPlain = (source) => !/\.(?:br|gz)$/.test(source);

/** Adds to a folder what is beside the site on a server: the chat, and the reference of the API with its document. */
export async function addNeighbours(folder) {
  mkdirSync(join(folder, 'webchat'), { recursive: true });
  for (const name of readdirSync('dist/webchat'))
    if (/\.js$|^fonts$/.test(name))
      cpSync(join('dist/webchat', name), join(folder, 'webchat', name), { recursive: true, filter: isPlain });
  // Without a build there is none yet.
  if (!existsSync('dist/reference')) return;
  cpSync('dist/reference', join(folder, 'v1/docs'), { recursive: true, filter: isPlain });
  const [{ createOpenApi }, { apis }] = await Promise.all([
    load('./src/server/http/openapi.ts'),
    load('./src/server/http/apis.ts'),
  ]);
  writeFileSync(join(folder, 'v1/openapi.json'), JSON.stringify(createOpenApi(apis)));
}

/** @param base the path of the host's address, with a slash at both ends */
export async function publishSite(folder, base) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  cpSync('dist/docs', join(folder, 'docs'), { recursive: true, filter: isPlain });
  for (const name of ['llms.txt', 'llms-full.txt']) cpSync(join('dist/demo', name), join(folder, name));
  await addNeighbours(folder);
  const { docsHeaders } = await load('./src/server/http/security-headers.ts');
  addPolicy(join(folder, 'docs'), docsHeaders['content-security-policy']);

  const notFound = readFileSync(join(folder, 'docs/404.html'), 'utf8');
  rmSync(join(folder, 'docs/404.html'));
  writeFileSync(join(folder, '404.html'), notFound.replaceAll('%ROOT%/', `${base}docs/`));
  writeFileSync(
    join(folder, 'index.html'),
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>Platform Webchat</title><meta http-equiv="refresh" content="0; url=docs/"><a href="docs/">Documentation</a></html>\n',
  );
}

/** `frame-ancestors` has no effect in a page. */
function addPolicy(folder, policy) {
  const own = policy.replace(/ frame-ancestors [^;]+;/, '');
  const meta = `<meta http-equiv="Content-Security-Policy" content="${own}">`;
  for (const name of readdirSync(folder, { recursive: true })) {
    if (!name.endsWith('.html')) continue;
    const path = join(folder, name);
    const text = readFileSync(path, 'utf8');
    writeFileSync(
      path,
      text.replace(/<meta charset="utf-8"(?: \/)?>/, (charset) => `${charset}\n${meta}`),
    );
  }
}
