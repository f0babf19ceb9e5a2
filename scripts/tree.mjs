// Prints the size of the tree: sources, folders, comments, documents, entries of the root. A line with "warning" names a folder with more
// than 30 files or a file with more than 400 lines: a reason to look, not an error.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';

const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  encoding: 'utf8',
  maxBuffer: 1 << 26,
})
  .split('\n')
  .filter(Boolean);
const textOf = (file) => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
};
const isTest = (file) => /\.(?:test|spec|contract)\.tsx?$|\btesting\.ts$/.test(file);
const code = tracked.filter((file) => /\.(?:ts|tsx|mjs|css)$/.test(file));
const sources = code.filter((file) => /^src\/.*\.tsx?$/.test(file) && !isTest(file));
const linesOf = (file) => textOf(file).trimEnd().split('\n').length;
const countBy = (files) => {
  const count = new Map();
  for (const file of files) count.set(dirname(file), (count.get(dirname(file)) ?? 0) + 1);
  return count;
};
const words = (files) =>
  files.reduce((sum, file) => sum + textOf(file).split(/\s+/).filter(Boolean).length, 0);
const documents = tracked.filter(
  (file) => file.endsWith('.md') && !file.startsWith('docs/decisions/archive/'),
);
const relative = /^\s*(?:\/\/|\*|\/\*\*?)\s*(?:What|Who|Those)\b/gm;
const relatives = (files) =>
  files.reduce((sum, file) => sum + (textOf(file).match(relative)?.length ?? 0), 0);
const smallFolders = [...countBy(sources)].filter(
  ([folder, size]) => size <= 2 && !sources.some((file) => dirname(dirname(file)) === folder),
);
const bundles = new Set(
  sources
    .filter((file) => file.startsWith('src/widget/'))
    .flatMap((file) =>
      [...textOf(file).matchAll(/\bimport\('(\.[^']+)'\)/g)].map(([, name]) =>
        new URL(name, `file:///${file}`).pathname.slice(1),
      ),
    ),
);

const rows = [
  ['sources in src (without tests)', sources.length],
  ['folders with one or two sources', smallFolders.length],
  ['lazy bundles of the widget', bundles.size],
  ['comment lines that begin with What, Who or Those', relatives(code)],
  ['lines of scripts/architecture.toml', linesOf('scripts/architecture.toml')],
  ['lines of biome.json', linesOf('biome.json')],
  [
    'words of README, ARCHITECTURE, CONTRIBUTING, glossary, concepts and decisions',
    words(
      documents.filter((file) =>
        /^(?:README|ARCHITECTURE|CONTRIBUTING)\.md$|^docs\/(?:glossary\.md|concepts|decisions)/.test(file),
      ),
    ),
  ],
  [
    'words of all documents (without docs/decisions/archive and CHANGELOG.md)',
    words(documents.filter((file) => file !== 'CHANGELOG.md')),
  ],
  ['words of CHANGELOG.md', words(['CHANGELOG.md'])],
  ['words of CONTRIBUTING.md', words(['CONTRIBUTING.md'])],
  ['words of README.md', words(['README.md'])],
  ['entries of the root', new Set(tracked.map((file) => file.split('/')[0])).size],
];
for (const [name, value] of rows) console.log(`${String(value).padStart(8)}  ${name}`);
if (process.argv.includes('--folders')) for (const [folder] of smallFolders) console.log(`${folder}`);
for (const [folder, size] of countBy(code.filter((file) => !isTest(file))))
  if (size > 30) console.log(` warning  ${folder}: ${size} files`);
for (const file of code.filter((name) => !isTest(name)))
  if (linesOf(file) > 400) console.log(` warning  ${file}: ${linesOf(file)} lines`);
