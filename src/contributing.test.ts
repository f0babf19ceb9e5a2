// Checks the documentation against the repository: every path and every link that it contains leads somewhere,
// the list of decisions is complete, and tests that a page names exist.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { slugOf } from '../scripts/docs/markdown.mjs';

const root = join(import.meta.dirname, '..');
const pages = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`),
];
const read = (page: string) => readFileSync(join(root, page), 'utf8');
/** The files of the repository that are code or configuration. */
const sources = () => [
  ...readdirSync(root).filter((file) => /\.(?:ts|json)$/.test(file)),
  ...['src', 'e2e', 'demo', 'bench', 'scripts', 'simulation', 'public'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.(?:tsx?|mjs|js|css|json|html)$/.test(file) && !file.includes('node_modules'))
      .map((file) => `${folder}/${file}`),
  ),
];
/** Names of browsers, and placeholders, which the code does not contain. */
const ofOthers = ['EventSource', 'createX'];
/** A page without its fenced blocks. */
const proseOf = (page: string) => read(page).replace(/^```[\s\S]*?^```/gm, '');

describe.each(pages)('%s', (page) => {
  // The changelog and the archive also name what was removed, and recipes name files of the reader's project.
  const isOfOthers = page === 'CHANGELOG.md' || /^docs\/(?:guides\/recipes|decisions\/archive)\//.test(page);
  test.skipIf(isOfOthers)('every path in backquotes exists', () => {
    const folders = 'src|public|e2e|demo|docs|bench|scripts|simulation|\\.github';
    const named = [...proseOf(page).matchAll(new RegExp(`\`((?:${folders})/[\\w./@-]*)\``, 'g'))];
    const paths = named.map(([, path = '']) => path);
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  test('every relative link leads to a file, and every fragment to a heading', () => {
    const links = [...proseOf(page).matchAll(/\]\((?!https?:|mailto:)([^)\s#]*)(?:#([^)\s]+))?\)/g)];
    const broken = links.flatMap(([, path = '', fragment]) => {
      const target = path ? join(dirname(page), path) : page;
      if (!existsSync(join(root, target))) return [target];
      if (fragment === undefined || !target.endsWith('.md')) return [];
      return anchorsOf(target).includes(fragment) ? [] : [`${target}#${fragment}`];
    });
    expect(broken).toEqual([]);
  });
});

test('every test that the accessibility page names exists, and the version of axe is current', () => {
  const page = read('docs/reference/accessibility.md');
  const named = [...page.matchAll(/`(e2e\/[\w/-]+\.spec\.ts)` “(.*?)”/g)];
  expect(named.length).toBeGreaterThan(15);
  for (const [, file = '', name = ''] of named) expect(read(file), file).toContain(name);
  const { version } = JSON.parse(read('node_modules/axe-core/package.json'));
  expect(page).toContain(`axe-core ${version.split('.').slice(0, 2).join('.')}`);
});

describe.each(['CONTRIBUTING.md', 'ARCHITECTURE.md', ...pages.filter((page) => page.includes('/concepts/'))])(
  '%s: the code',
  (page) => {
    const named = [...proseOf(page).matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);

    test('has each file that is named without its folder', () => {
      const files = named.filter((code) => /^[\w.-]+\.(?:tsx?|mjs|css)$/.test(code));
      const present = sources().map((file) => basename(file));
      expect(files.filter((file) => !present.includes(file))).toEqual([]);
    });

    test('has each function, type and field whose name has capitals inside', () => {
      const names = named.flatMap(
        (code) => /^(?:\w+\.)?([a-z]+[A-Z]\w*|[A-Z]\w*[a-z][A-Z]\w*)/.exec(code)?.[1] ?? [],
      );
      const text = sources().map(read).join('\n');
      const missing = names.filter(
        (name) => !ofOthers.includes(name) && !new RegExp(`\\b${name}\\b`).test(text),
      );
      expect(missing, `These names in ${page} are not in the code: correct them.`).toEqual([]);
    });
  },
);

test('CONTRIBUTING.md names at least one path in each recipe', () => {
  const recipes = proseOf('CONTRIBUTING.md')
    .split(/^## /m)
    .filter((text) => text.startsWith('Add '));
  expect(recipes.length).toBeGreaterThan(4);
  for (const recipe of recipes) expect(recipe).toMatch(/`src\//);
});

test('CONTRIBUTING.md names existing paths and scripts in its commands', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const commands = read('CONTRIBUTING.md');
  const paths = [...commands.matchAll(/(?<=npm run test:\w+ -- (?:\S+ )*?)(?:src|e2e|demo)[\w./-]*/g)];
  expect(paths.length).toBeGreaterThan(20);
  expect(paths.map(([path]) => path).filter((path) => !existsSync(join(root, path)))).toEqual([]);
  const named = [...commands.matchAll(/\bnpm run ([\w:]+)/g)].map(([, name = '']) => name);
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
});

test('docs/guides/bots.md has a row for each member of the bot object', () => {
  const [, body = ''] = /^export interface Bot \{\n([\s\S]*?)^\}/m.exec(read('src/protocol/bot.ts')) ?? [];
  const members = [...body.matchAll(/^ {2}(\w+)[(:]/gm)].map(([, name = '']) => name);
  expect(members.length).toBeGreaterThan(14);
  const [, table = ''] = /^## The bot object\n([\s\S]*?)^### /m.exec(read('docs/guides/bots.md')) ?? [];
  const missing = members.filter(
    (name) => !new RegExp(`^\\|[^|]*\`[^|]*\\bbot\\.${name}\\b`, 'm').test(table),
  );
  expect(missing, 'Add a row to the table below "The bot object" in docs/guides/bots.md.').toEqual([]);
});

test('ARCHITECTURE.md names every folder of src, of the widget and of the server', () => {
  const [, tree = ''] = /^src\/\n([\s\S]*?)^```/m.exec(read('ARCHITECTURE.md')) ?? [];
  const named = [...tree.matchAll(/([\w-]+)\//g)].map(([, name]) => name);
  const folders = ['src', 'src/widget', 'src/server'].flatMap((parent) =>
    readdirSync(join(root, parent), { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() ? [entry.name] : [],
    ),
  );
  expect(folders.length).toBeGreaterThan(30);
  expect(
    folders.filter((folder) => !named.includes(folder)),
    'Add these folders to the tree below "Folders" in ARCHITECTURE.md.',
  ).toEqual([]);
});

test('docs/concepts/widget.md has a row for each folder of the widget that is a bundle', () => {
  const [, table = ''] = /^## Bundles\n([\s\S]*?)^## /m.exec(read('docs/concepts/widget.md')) ?? [];
  const rows = [...table.matchAll(/^\| ([^|]+) \|/gm)].flatMap(([, names = '']) => names.split(', '));
  const bundles = readdirSync(join(root, 'src/widget'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /^main\.tsx?$/.test(basename(file)))
    .map((file) => basename(dirname(file)));
  expect(bundles.length).toBeGreaterThan(10);
  const missing = bundles.filter((name) => !rows.some((row) => row.split(' ')[0] === name));
  expect(missing, 'Add a row for each to the table of bundles in docs/concepts/widget.md.').toEqual([]);
});

test('docs/SECURITY.md says that the newest release gets security fixes', () => {
  const [, version = ''] = /^## \[(\d+\.\d+)\.\d+\]/m.exec(read('CHANGELOG.md')) ?? [];
  expect(read('docs/SECURITY.md')).toContain(`| ${version}.x | yes |`);
});

test('the list of decisions is complete, and every number is used once (npm run generate writes the list)', async () => {
  const list = read('docs/decisions/archive/README.md');
  const files = readdirSync(join(root, 'docs/decisions/archive')).filter((file) => /^\d{4}-/.test(file));
  expect(new Set(files.map((file) => file.slice(0, 4))).size).toBe(files.length);
  const rows = files.toSorted().map((file) => {
    const title = /^# \d+[.:] (.+)/.exec(read(`docs/decisions/archive/${file}`))?.[1];
    expect(title, file).toBeDefined();
    return `- [${file.slice(0, 4)}: ${title}](${file})`;
  });
  const generated = /(<!-- decisions: .* -->\n)[\s\S]*(<!-- \/decisions -->\n)/;
  expect(list).toMatch(generated);
  const current = list.replace(generated, (_, from, to) => `${from}\n${rows.join('\n')}\n\n${to}`);
  await expect(current).toMatchFileSnapshot('../docs/decisions/archive/README.md');
});

test('each file with own code where a library exists says why, and each library of these decisions is named there', () => {
  const decisions = readdirSync(join(root, 'docs/decisions/archive')).filter((file) =>
    /^# \d+[.:] (?:An own|Own) /m.test(/^\d{4}-/.test(file) ? read(`docs/decisions/archive/${file}`) : ''),
  );
  expect(decisions.length).toBeGreaterThan(7);
  const reasons = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /(?<!\.test)\.tsx?$/.test(file))
    .map((file) => /^(?:\/\/.*\n)*/.exec(read(`src/${file}`))?.[0].replace(/\n\/\/ /g, ' ') ?? '')
    .filter((comment) => comment.includes('Why not '));
  const missing = decisions.flatMap((file) => {
    const decision = `(decision ${Number(file.slice(0, 4))})`;
    const own = reasons.filter((reason) => reason.includes(decision)).join('\n');
    const rows = read(`docs/decisions/archive/${file}`).matchAll(
      /^\| (?!Part |-)[^|]+\| ([^|]+) \|[^|\n]+\|$/gm,
    );
    const libraries = [...rows].flatMap(([, cell = '']) => cell.split(', '));
    return [decision, ...libraries].filter((name) => !own.includes(name)).map((name) => `${file}: ${name}`);
  });
  expect(missing, 'Add "Why not LIBRARY: … (decision N)." to the first comment of the file.').toEqual([]);
});

/** The fragments of a page's headings. */
function anchorsOf(page: string): string[] {
  return [...proseOf(page).matchAll(/^#{1,6} (.*)$/gm)].map(([, heading = '']) => slugOf(heading));
}

test('npm run dev watches folders that exist', () => {
  const [, list = ''] = /^const folders = \[(.*)\];$/m.exec(read('scripts/dev.mjs')) ?? [];
  const folders = [...list.matchAll(/'([^']+)'/g)].map(([, folder = '']) => folder);
  expect(folders).toContain('src');
  expect(folders.filter((folder) => !existsSync(join(root, folder)))).toEqual([]);
});
