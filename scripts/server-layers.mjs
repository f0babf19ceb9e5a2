// The import direction of src/server as a table, from which the rows of scripts/import-rules.mjs for it follow.

/** From top to bottom. A folder imports from lower rows only; `(root)` are the files of src/server itself. */
export const layers = [
  ['(root)', 'bot-testing'],
  ['composition'],
  ['http', 'metrics', 'backup', 'cleanup'],
  ['admin', 'session', 'runtime', 'inbox'],
  ['bots'],
  ['chat', 'tables', 'webchat'],
  ['files'],
  ['auth', 'jobs', 'limits', 'mail', 'realtime'],
  ['api', 'cluster'],
  ['storage'],
  ['startup', 'diagnostics'],
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

/** Notes are for the team: only these folders import the SQL that reads them (decision 107). */
export const notes = 'server/storage/inbox/notes.ts';
const mayReadNotes = ['inbox', 'storage'];

/** The row of a folder: itself, lower layers, the protocol, and packages. */
function rowOf(folder) {
  const lower = layers.slice(layers.findIndex((names) => names.includes(folder)) + 1).flat();
  return {
    imports: [
      folder === '(root)' ? 'server/*' : `server/${folder}`,
      ...lower.map((name) => `server/${name}${features.includes(name) ? '/index.ts' : ''}`),
      ...(mayReadNotes.includes(folder) ? [] : [`!${notes}`]),
      'protocol',
      '*',
    ],
  };
}

export const serverRules = Object.fromEntries(
  layers.flat().map((folder) => [folder === '(root)' ? 'server' : `server/${folder}`, rowOf(folder)]),
);
