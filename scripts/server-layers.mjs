// The import direction of src/server as a table, from which the rows of scripts/import-rules.mjs for it follow.

/**
 * The five layers from top to bottom, each with rows of folders. A folder imports from lower rows only, also within its layer.
 * `(root)` are the files of src/server itself. ARCHITECTURE.md shows this table, and src/server/layers.test.ts compares the two.
 */
export const layers = {
  start: [['(root)', 'bot-testing'], ['composition'], ['cluster']],
  http: [['http', 'metrics', 'backup', 'cleanup']],
  features: [['admin', 'session', 'runtime', 'inbox'], ['bots'], ['chat', 'tables', 'webchat'], ['files']],
  shared: [['auth', 'jobs', 'limits', 'mail', 'realtime'], ['api']],
  storage: [['storage'], ['startup', 'diagnostics']],
};

const rows = Object.values(layers).flat();

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
  const lower = rows.slice(rows.findIndex((names) => names.includes(folder)) + 1).flat();
  return {
    imports: [
      folder === '(root)' ? 'server/*' : `server/${folder}`,
      ...lower.map((name) => `server/${name}${features.includes(name) ? '/index.ts' : ''}`),
      ...(mayReadNotes.includes(folder) ? [] : [`!${notes}`]),
      'protocol',
      'locales',
      '*',
    ],
  };
}

export const serverRules = Object.fromEntries(
  rows.flat().map((folder) => [folder === '(root)' ? 'server' : `server/${folder}`, rowOf(folder)]),
);
