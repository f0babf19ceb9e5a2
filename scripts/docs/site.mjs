// Writes the documentation site into a folder, after its scripts (src/pages/docs/vite.config.ts): a page for each Markdown file that the
// server serves, the Markdown itself, the list for the search, pictures, and the page in the frame of a live chat.
import { createHash } from 'node:crypto';
import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { docsPages, servedFiles, writeDocs } from '../docs-pages.mjs';
import { isAsset, pageOf } from './addresses.mjs';
import { layout, placeOf } from './layout.mjs';
import { renderMarkdown } from './markdown.mjs';
import { readerList, startPage } from './start-page.mjs';

/** Pages whose title and headings are found, but not their text: long, and for few readers. */
const isBrief = (file) => file.startsWith('docs/decisions/') || file === 'docs/reference/specification.md';
const isArchived = (file) => file.startsWith('docs/decisions/archive/');

/** The address of the sources, for links to files that are not pages: known where a workflow of GitHub runs. */
const { GITHUB_SERVER_URL: host, GITHUB_REPOSITORY: project, GITHUB_SHA: commit = 'main' } = process.env;
const repository = host && project && `${host}/${project}/blob/${commit}`;

/**
 * @param folder of the site, which contains `assets` and `manifest.json`
 * @param options.rootFolder the folder of llms.txt
 */
export async function writeSite(folder, { rootFolder }) {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
  const rendered = [];
  for (const file of servedFiles) {
    const page = await renderMarkdown(file, readFileSync(file, 'utf8'), { repository });
    rendered.push({ file, ...page });
  }

  const index = JSON.stringify(searchPages(rendered));
  const name = `assets/search-${createHash('sha256').update(index).digest('hex').slice(0, 8)}.json`;
  for (const old of readdirSync(join(folder, 'assets')).filter((each) => /^search-.*\.json/.test(each)))
    rmSync(join(folder, 'assets', old));
  write(folder, name, index);
  const assets = {
    index: name,
    theme: manifest['theme.ts'].file,
    script: manifest['main.ts'].file,
    style: manifest['main.ts'].css[0],
  };
  const common = { assets, version };

  const sentences = Object.assign({}, ...Object.values(docsPages));
  for (const { file, title, html, headings } of rendered) {
    const page = pageOf(file);
    const [, description = title] = sentences[file] ?? [];
    const kind = isArchived(file) ? 'plain' : '';
    const content = layout({
      ...common,
      page,
      file,
      title: `${title} · Platform Webchat`,
      description,
      content: html,
      headings,
      kind,
    });
    write(folder, page, content);
  }
  const start = {
    ...common,
    page: 'index.html',
    title: 'Platform Webchat: a chat for any web page',
    description: 'An open web chat for any page with one script tag, and its self-hosted server.',
    content: await startPage(),
    kind: 'plain start',
  };
  write(folder, 'index.html', layout(start));
  write(folder, '404.html', notFoundPage(common));
  copyFiles(folder);
  writeDocs(folder, rootFolder);
}

/** The page of errors is shown at any address: the server puts the way to the root in the place of `%ROOT%`. */
function notFoundPage(common, base = '%ROOT%/') {
  return layout({
    ...common,
    page: '404.html',
    root: base,
    title: 'Not found · Platform Webchat',
    description: 'There is no page at this address.',
    content: `<h1>There is no page at this address</h1>\n<p>It may have moved: search for its topic, or begin at the <a href="${base}index.html">start page</a>.</p>\n${readerList(base)}`,
    kind: 'plain start',
  });
}

/** For the search: address, title, reader and sections (id, heading, text) of each page, without the archive. */
const searchPages = (rendered) =>
  rendered
    .filter(({ file }) => !isArchived(file))
    .map(({ file, title, sections }) => [
      pageOf(file),
      title,
      placeOf(file).reader,
      sections.map(({ id, heading, text }) => [id, heading, isBrief(file) ? '' : text.trim()]),
    ]);

function copyFiles(folder) {
  for (const name of readdirSync('docs', { recursive: true, withFileTypes: true })) {
    const file = join(name.parentPath ?? name.path, name.name);
    if (!name.isFile() || !isAsset(file)) continue;
    const target = join(folder, file.slice('docs/'.length));
    mkdirSync(dirname(target), { recursive: true });
    copyFileSync(file, target);
  }
  cpSync('public/demo/media', join(folder, 'media'), { recursive: true });
  copyFileSync('public/playground/icon.svg', join(folder, 'icon.svg'));
  copyFileSync('public/playground/preview.css', join(folder, 'try.css'));
  copyFileSync('src/pages/docs/frame/try.html', join(folder, 'try.html'));
  copyFileSync('src/pages/docs/frame/chat.css', join(folder, 'media/chat.css'));
}

function write(folder, name, text) {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
