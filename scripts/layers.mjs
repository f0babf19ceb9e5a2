// `node scripts/layers.mjs` writes the rules of the linter for the table in import-rules.mjs into biome.json: one for each
// row of the table and depth of its files, because the linter compares imports as they are written. It does not
// distinguish types and dynamic imports from others, so that it allows what is allowed as any of them.
// src/boundaries.test.ts does, and checks that the rules in biome.json are current.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isPackageName, outside, reasons, ruleFor, rules } from './import-rules.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
/** Test files and what only they import. */
const tests = ['**/*.test.{ts,tsx}', '**/*.contract.ts', '**/testing.ts', '**/*.testing.ts'];
export const isTest = (name) => /\.test\.tsx?$|\.contract\.ts$|\btesting\.ts$/.test(name);
const source = /\.(?:ts|tsx|mjs)$/;

/** The path of a name of the table, from the root of the repository. */
export const pathOf = (name) =>
  outside.includes(name.split('/')[0]) || (!name.includes('/') && source.test(name)) ? name : `src/${name}`;
const up = (levels) => '../'.repeat(levels);

/** The names of all sources, as the table has them. */
export function sourceNames() {
  const below = (folder, prefix) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((name) => prefix + name.replaceAll('\\', '/'))
      .filter((name) => source.test(name) && !name.includes('node_modules/'));
  return [...below('src', ''), ...outside.flatMap((folder) => below(folder, `${folder}/`))];
}

/** Returns the pattern for imports of `name` by files in folders that are `below` levels below `folder`. */
function patternFor(name, folder, below) {
  const target = pathOf(name).split('/');
  const from = folder.split('/');
  let common = 0;
  while (common < from.length && from[common] === target[common]) common += 1;
  const isInside = common === from.length;
  if (common === target.length || (isInside && below > 0)) {
    throw new Error(`import-rules.mjs: ${name} cannot be in the row of ${folder}.`);
  }
  const start = isInside ? './' : up(below + from.length - common);
  // A style sheet is imported with a suffix that says how.
  const end = source.test(name) || /\*$|\.json$/.test(name) ? '' : name.endsWith('.css') ? '*' : '/**';
  return start + target.slice(common).join('/') + end;
}

/** Returns the patterns of imports that the linter reports in the files of a row; a later one decides over earlier ones. */
function patternsFor(row, below) {
  const { imports = [], types = [], loads = [] } = rules[row];
  const isFile = source.test(row);
  const folder = isFile ? dirname(pathOf(row)) : pathOf(row);
  const names = [...new Set([...imports, ...types, ...loads])];
  const excluded = names.filter((name) => name.startsWith('!') && !names.includes(name.slice(1)));
  // The folder of the row or one around it, if all of it is allowed, and how many levels the file is below it.
  const own = names.find((name) => row === name || row.startsWith(`${name}/`));
  const reach = own && below + row.split('/').length - own.split('/').length;
  const isOwn = (name) => name === own || name.startsWith(`${own}/`);
  const allowed = names.filter((name) => !name.startsWith('!') && !isOwn(name) && name !== '*');
  const withPackages = names.includes('*');
  const group = withPackages ? [] : ['**'];
  if (own && !withPackages) group.push('!./**', ...(reach > 0 ? ['!../**'] : []));
  if (own) group.push(`${up(reach + 1)}**`);
  else if (withPackages) group.push('./**', '../**');
  for (const name of allowed) {
    if (name === 'node:') group.push('!node:*', '!node:*/**');
    else group.push(`!${isPackageName(name) ? name : patternFor(name, folder, below)}`);
  }
  const message = `The row '${row}' of scripts/import-rules.mjs does not allow this import.`;
  return [
    { group, message },
    ...excluded.map((name) => ({
      group: [patternFor(name.slice(1), folder, below)],
      message: reasons[name.slice(1)],
    })),
  ];
}

/** Returns the overrides of biome.json for the table. A later one decides over an earlier one. */
export function lintOverrides() {
  const names = sourceNames();
  const segments = (name) => name.split('/').length;
  const rows = Object.keys(rules).sort((a, b) => segments(a) - segments(b));
  const ofRow = (row) => {
    if (source.test(row)) return override([pathOf(row)], patternsFor(row, 0));
    const own = names.filter((name) => ruleFor(name) === row && (rules[row].withTests || !isTest(name)));
    const depths = new Set(own.map((name) => segments(name) - segments(row) - 1));
    const extensions = [...new Set(own.map((name) => source.exec(name)[0].slice(1)))].sort();
    const end = extensions.length > 1 ? `*.{${extensions}}` : `*.${extensions}`;
    return [...depths]
      .sort()
      .flatMap((below) => override([`${pathOf(row)}/${'*/'.repeat(below)}${end}`], patternsFor(row, below)));
  };
  return [
    ...rows.filter((row) => !rules[row].withTests).flatMap(ofRow),
    ...override(tests, []),
    ...rows.filter((row) => rules[row].withTests).flatMap(ofRow),
  ];
}

function override(includes, patterns) {
  const noRestrictedImports = { level: 'error', options: { patterns } };
  return [{ includes, linter: { rules: { style: { noRestrictedImports } } } }];
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const file = join(root, 'biome.json');
  const config = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, `${JSON.stringify({ ...config, overrides: lintOverrides() }, null, 2)}\n`);
}
