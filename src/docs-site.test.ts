// Tests of the documentation site, built into a temporary folder: the sidebar, links, weights, and the rules of the policy.
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, normalize } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { build } from 'vite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as diagramModule from '../scripts/docs/diagram.mjs';
import * as siteModule from '../scripts/docs/site.mjs';
import * as docs from '../scripts/docs-pages.mjs';

const { docsPages, readers, servedFiles } = docs as unknown as {
  docsPages: Record<string, Record<string, [string, string]>>;
  readers: Record<string, string[]>;
  servedFiles: string[];
};
const { writeSite } = siteModule as unknown as {
  writeSite(folder: string, options: { rootFolder: string }): Promise<void>;
};
const { drawDiagram } = diagramModule as unknown as {
  drawDiagram(source: string): { svg: string; words: string[] };
};
const root = join(import.meta.dirname, '..');
/** The bytes that a page may load at once, with Brotli. Pictures are loaded when they come into view. The largest page has 26,000. */
const maxPageBytes = 40_000;
/** The bytes of a page whose first picture is in view at once. */
const maxStartBytes = 150_000;

let folder: string;
let site: string;
const pages = new Map<string, string>();
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'webchat-site-'));
  site = join(folder, 'docs');
  await build({
    configFile: join(root, 'src/pages/docs/vite.config.ts'),
    logLevel: 'error',
    build: { outDir: site },
  });
  await writeSite(site, { rootFolder: join(folder, 'root') });
  for (const name of readdirSync(site, { recursive: true, encoding: 'utf8' }))
    if (name.endsWith('.html')) pages.set(name, readFileSync(join(site, name), 'utf8'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const attributes = (html: string, name: string) =>
  [...html.matchAll(new RegExp(`\\s${name}="([^"]*)"`, 'g'))].map(([, value = '']) =>
    value.replaceAll('&amp;', '&'),
  );

test('each guide, reference and concept is in the sidebar once, below one reader; the archive is not', () => {
  const sections = Object.values(readers).flat();
  expect(new Set(sections).size).toBe(sections.length);
  expect(sections.filter((name) => !(name in docsPages))).toEqual([]);
  const shown = sections.flatMap((name) => Object.keys(docsPages[name] ?? {}));
  expect(new Set(shown).size).toBe(shown.length);
  const files = ['guides', 'reference', 'concepts'].flatMap((name) =>
    readdirSync(join(root, 'docs', name), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.md'))
      .map((file) => `docs/${name}/${file}`),
  );
  expect(files.length).toBeGreaterThan(60);
  expect(
    files.filter((file) => !shown.includes(file)),
    'Add the page to a section of a reader in scripts/docs-pages.mjs.',
  ).toEqual([]);
  expect(shown.filter((file) => file.includes('/archive/'))).toEqual([]);

  // As the pages have it.
  const [sidebar = ''] =
    /<nav class="sidebar"[\s\S]*?<\/nav>/.exec(pages.get('guides/bots.html') ?? '') ?? [];
  expect(attributes(sidebar, 'href')).toHaveLength(shown.length);
  expect(sidebar.match(/aria-current="page"/g)).toHaveLength(1);
});

test('a page of a section without a list opens the reader of its overview, and marks the overview', () => {
  const html = pages.get('decisions/cluster.html') ?? '';
  expect(html).toMatch(/<details open><summary>Contributors</);
  expect(html).toContain('<a href="README.html" aria-current="true">Decisions</a>');
  expect(html).toContain('<span>Contributors › <a href="README.html">Decisions</a></span>');
});

test('diagrams are drawn, and say the same in words', () => {
  for (const [name, html] of pages) expect(html, name).not.toContain('data-lang="mermaid"');
  const architecture = pages.get('ARCHITECTURE.html') ?? '';
  const sources = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8').match(
    /(?<=```mermaid\n)[\s\S]*?(?=```)/g,
  );
  expect(sources?.length).toBe(architecture.match(/<figure class="diagram">/g)?.length);
  for (const source of sources ?? []) {
    const arrows = source.match(/<?-->/g) ?? [];
    const { svg, words } = drawDiagram(source);
    expect(words).toHaveLength(arrows.length);
    expect(svg.match(/<path class="edge"/g)).toHaveLength(arrows.length);
  }
  expect(architecture).toContain('<li>Host page ↔ launcher: window.platform</li>');
});

test('a diagram with a node without a place, or with an unknown form, is refused', () => {
  const draw = (...lines: string[]) => drawDiagram(['flowchart TB', ...lines].join('\n'));
  expect(draw('%% a b', 'a[One] -->|to| b[Two]').words).toEqual(['One → Two: to']);
  expect(() => draw('%% a', 'a --> b')).toThrow('needs one place in its grid of comments (%%): b');
  expect(() => draw('%% a b b', 'a --> b')).toThrow('needs one place');
  expect(() => draw('%% a b', 'a{One} --> b')).toThrow('cannot draw: a{One}');
});

test('tables of sentences become blocks on phones and stay tables for screen readers; those of figures scroll', () => {
  const settings = pages.get('reference/settings.html') ?? '';
  expect(settings).toContain('<div class="table stacked"');
  expect(settings).toMatch(/<td role="cell" data-label="Default">/);
  expect(settings.match(/<table>/g)).toBeNull();
  expect(pages.get('reference/performance.html')).toMatch(/<div class="table" [^>]*><table>/);
});

test('each section of the console and each screen of the guides has a picture', () => {
  const [text = ''] = (pages.get('guides/console.html') ?? '').split('</main>');
  const sections = text.split('<h2 ').slice(1);
  const without = sections
    .filter((html) => !html.includes('class="picture"'))
    .map((html) => /id="(.*?)"/.exec(html)?.[1]);
  expect(without).toEqual(['security']);
  const used = [...pages.values()].flatMap((html) => attributes(html, 'src'));
  const unused = readdirSync(join(root, 'docs/pictures')).filter(
    (name) => !used.some((src) => src.endsWith(`/${name}`)),
  );
  expect(unused).toEqual([]);
  for (const name of [
    'inbox',
    'members',
    'pre-chat-form',
    'handoff',
    'knowledge',
    'composer',
    'privacy',
    'theming',
    'start',
    'apis',
  ])
    expect(pages.get(`guides/${name}.html`), name).toContain('class="picture"');
});

test('every page says its version, and the list of operations leads to the reference of the server', () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  for (const [name, html] of pages)
    if (name !== 'try.html') expect(html, name).toContain(`>Version ${version}</a>`);
  expect(pages.get('reference/operations.html')).toContain(
    '<a href="../../v1/docs/#createMessage"><code>createMessage</code></a>',
  );
});

test('every served file has a page; the archive is reached by a link', () => {
  expect(pages.size).toBe(servedFiles.length + 3);
  expect(pages.get('decisions/README.html')).toContain('href="archive/README.html"');
  expect(attributes(pages.get('decisions/archive/README.html') ?? '', 'href').length).toBeGreaterThan(150);
});

test('every link and every source of every page leads to a file of the site, and every fragment to an element', () => {
  const ids = new Map([...pages].map(([name, html]) => [name, new Set(attributes(html, 'id'))]));
  /** Beside the site: the chat, the reference of the API, and llms.txt of the server. */
  const beside = ['../webchat/webchat.js', '../v1/docs/', '../llms.txt'];
  const files = new Set(
    readdirSync(site, { recursive: true, encoding: 'utf8' }).map((name) => name.replaceAll('\\', '/')),
  );
  // Of another build (vite.config.ts beside it).
  files.add('frame.js');
  const dead: string[] = [];
  for (const [name, html] of pages) {
    for (const target of [...attributes(html, 'href'), ...attributes(html, 'src')]) {
      if (/^(?:https?:|mailto:)/.test(target)) continue;
      const [path = '', fragment] = target.replace('%ROOT%/', '').split('#');
      const file = path ? normalize(join(dirname(name), path)) : name;
      if (beside.includes(file)) continue;
      const isThere =
        files.has(file) && (fragment === undefined || ids.get(file)?.has(decodeURIComponent(fragment)));
      if (!isThere) dead.push(`${name}: ${target}`);
    }
  }
  expect(dead).toEqual([]);
});

test('no page has a script, a style or a handler in its markup', () => {
  expect(pages.get('guides/bots.html')).toContain('<script ');
  for (const [name, html] of pages) {
    expect(html, name).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=["']|javascript:/);
    expect(new Set(attributes(html, 'id')).size, `ids of ${name}`).toBe(attributes(html, 'id').length);
  }
});

test('every page loads at most 40 KB, and the start page with its picture 150 KB', () => {
  const sizes = new Map<string, number>();
  const sizeOf = (name: string, bytes: Buffer) => {
    const known = sizes.get(name);
    if (known !== undefined) return known;
    const params = { [constants.BROTLI_PARAM_QUALITY]: 5 };
    const size = brotliCompressSync(bytes, { params }).length;
    sizes.set(name, size);
    return size;
  };
  const weights = [...pages].map(([name, html]) => {
    const eager = html.replace(/<img[^>]*loading="lazy"[^>]*>/g, '');
    const loaded = [
      ...attributes(eager, 'src'),
      ...[...eager.matchAll(/<link rel="(?:stylesheet|icon)" href="([^"]+)"/g)].map(([, href = '']) => href),
    ].map((target) => normalize(join(dirname(name), target.replace('%ROOT%/', ''))));
    const files = loaded.filter((file) => !file.startsWith('..') && file !== 'frame.js');
    const bytes = files.map((file) => sizeOf(file, readFileSync(join(site, file))));
    return { name, bytes: bytes.reduce((sum, size) => sum + size, sizeOf(name, Buffer.from(html))) };
  });
  // Text, style and scripts are counted.
  expect(weights.find(({ name }) => name === 'guides/bots.html')?.bytes).toBeGreaterThan(15_000);
  expect(weights.filter(({ bytes }) => bytes > maxPageBytes)).toEqual([]);
  const pictures = attributes(pages.get('index.html') ?? '', 'src').filter((src) => src.endsWith('.webp'));
  expect(pictures).toHaveLength(3);
  // One of the chat for each mode, and one of the inbox.
  const largest = pictures.reduce((sum, src) => sum + statSync(join(site, src)).size, 0);
  const start = weights.find(({ name }) => name === 'index.html')?.bytes ?? 0;
  expect(start + largest).toBeLessThan(maxStartBytes);
});

test('pictures have a size and are loaded when they come into view', () => {
  const pictures = [...pages.values()].flatMap((html) => html.match(/<img[^>]*>/g) ?? []);
  expect(pictures.length).toBeGreaterThan(10);
  for (const picture of pictures)
    expect(picture).toMatch(/ alt="[^"]+".* width="\d+" height="\d+" loading="lazy"/);
});

test('the start page shows the figures of the record, with the date and the machine', () => {
  const { machine, values } = JSON.parse(readFileSync(join(root, 'bench/last.json'), 'utf8'));
  const start = pages.get('index.html') ?? '';
  for (const text of [machine.date, machine.cpu, machine.browser]) expect(start).toContain(text);
  for (const name of ['until the launcher shows', 'until the window is open', 'of all files'])
    expect(start).toContain(`${(values[`travel: ${name}`].value / 1000).toFixed(1)} KB`);
  const { packages } = JSON.parse(readFileSync(join(root, 'bench/field.json'), 'utf8'));
  for (const { name, version } of packages) expect(start).toContain(`${name} ${version}`);
});
