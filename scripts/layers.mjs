// The import direction of src/server as a table. `node scripts/layers.mjs` writes the linter's rules for it into
// biome.json. src/server/layers.test.ts checks that they are current and that every import follows the table.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** From top to bottom. A folder imports from lower rows only; `(root)` are the files of src/server itself. */
export const layers = [
  ['(root)', 'bot-testing'],
  ['composition'],
  ['http', 'metrics', 'backup', 'cleanup'],
  ['admin', 'session', 'runtime', 'inbox'],
  ['bots'],
  ['chat', 'tables', 'webchat'],
  ['files'],
  ['operations'],
  ['auth', 'jobs', 'limits', 'mail', 'realtime'],
  ['api', 'cluster'],
  ['storage'],
  ['settings', 'diagnostics'],
];

/** Folders that others import through their index.ts only. */
export const features = [
  'admin',
  'bots',
  'chat',
  'cleanup',
  'files',
  'inbox',
  'runtime',
  'session',
  'tables',
  'webchat',
];

/** The folders whose files may import the SQL that reads notes of the team. */
export const mayReadNotes = ['inbox', 'storage'];

/** Returns the folders from which the files of `folder` can import. */
export function allowedBy(folder) {
  const row = layers.findIndex((names) => names.includes(folder));
  return row === -1 ? undefined : layers.slice(row + 1).flat();
}

/** Returns the overrides of biome.json for the table: one for each folder and depth. */
export function lintOverrides() {
  const all = layers.flat().filter((name) => name !== '(root)');
  const depths = (folder) => {
    const names = readdirSync(join(root, 'src/server', folder), { withFileTypes: true });
    return names.some((entry) => entry.isDirectory()) ? [1, 2] : [1];
  };
  return all.flatMap((folder) =>
    depths(folder).map((depth) => {
      const up = '../'.repeat(depth);
      const allowed = allowedBy(folder);
      const forbidden = all.filter((name) => name !== folder && !allowed.includes(name));
      const closed = features.filter((name) => allowed.includes(name));
      const patterns = [
        { group: [`${up}*.ts`], message: 'The files of src/server itself only start the server.' },
        {
          group: forbidden.map((name) => `${up}${name}/**`),
          message: `src/server/${folder} imports only from lower layers (scripts/layers.mjs).`,
        },
        {
          group: closed.flatMap((name) => [`${up}${name}/**`, `!${up}${name}/index.ts`]),
          message: 'Other folders import a feature through its index.ts.',
        },
        {
          group: mayReadNotes.includes(folder) ? [] : [`${up}storage/inbox/notes.ts`],
          message: 'Notes are for the team: only src/server/inbox reads them (decision 107).',
        },
      ].filter(({ group }) => group.length > 0);
      const below = '*/'.repeat(depth - 1);
      return {
        includes: [`src/server/${folder}/${below}*.ts`, '!**/*.test.ts', '!**/testing.ts'],
        linter: { rules: { style: { noRestrictedImports: { level: 'error', options: { patterns } } } } },
      };
    }),
  );
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const file = join(root, 'biome.json');
  const config = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, `${JSON.stringify({ ...config, overrides: lintOverrides() }, null, 2)}\n`);
}
