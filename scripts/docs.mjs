// `npm run docs` builds the documentation site into .cache, serves it, and writes its pages again when a source changes.
// `npm run docs -- --publish FOLDER --base /PATH/`, after `npm run build`, writes a folder for a static host: the site below `docs/`, beside
// it what its pages use from a server (the chat, the reference of the API, llms.txt), as on a server.
import { existsSync, watch } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { preview } from 'vite';
import { buildDocs, buildWidget } from './build/vite.mjs';
import { addNeighbours, publishSite } from './docs/publish.mjs';
import { writeSite } from './docs/site.mjs';

const { values } = parseArgs({
  options: {
    publish: { type: 'string' },
    base: { type: 'string', default: '/' },
    port: { type: 'string', default: '4000' },
  },
});
/** Milliseconds in which all changes of one save are collected. */
const settleMs = 150;

if (values.publish) {
  await publishSite(values.publish, values.base);
  console.log(`${values.publish} is ready for a static host whose address ends with ${values.base}.`);
} else await serve(resolve('.cache/site'));

/** Not in dist: its files are compressed, and those of a start. */
async function serve(folder) {
  process.env.NODE_ENV = 'production';
  const docs = `${folder}/docs`;
  const write = () => writeSite(docs, { rootFolder: folder });
  const buildAll = async () => {
    await buildDocs(docs);
    await write();
  };
  if (!existsSync('dist/webchat/webchat.js')) await buildWidget();
  await buildAll();
  await addNeighbours(folder);
  // The addresses are those of the server.
  const server = await preview({
    configFile: false,
    appType: 'mpa',
    build: { outDir: folder },
    preview: { port: Number(values.port) },
  });
  const [url] = server.resolvedUrls.local;
  console.log(`Documentation  ${url}docs/`);

  let timer;
  const schedule = (work) => {
    clearTimeout(timer);
    timer = setTimeout(async () => {
      try {
        await work();
        console.log('Written again: reload the page.');
      } catch (error) {
        console.error(error);
      }
    }, settleMs);
  };
  watch('docs', { recursive: true }, () => schedule(write));
  watch('.', (_, name) => name?.endsWith('.md') && schedule(write));
  watch('src/pages/docs', { recursive: true }, () => schedule(buildAll));
}
