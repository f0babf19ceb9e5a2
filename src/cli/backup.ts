// `backup`, `restore` and `move`: copies the data of a server on this machine, also while it runs, or moves it between SQLite and
// PostgreSQL.
import { createCommand } from './command.ts';
import { CliError } from './errors.ts';
import type { Io } from './io.ts';

const dataOption = ['--data-dir <folder>', 'The data folder. Default: `DATA_DIR`, or `./data`.'] as const;

export const backUp = (io: Io) =>
  createCommand('backup', 'backup /backups/2026-05-01 --data-dir /var/lib/webchat')
    .description(
      'Writes a backup of a data folder, also while its server runs: a consistent copy of the database, and all files that it refers to.',
    )
    .argument('<folder>', 'The folder to create.')
    .option(...dataOption)
    .option(
      '--files',
      'Copy the files of the object store, too (`S3_URL` with its keys in the variables `S3_…`, as the server has them). An interrupted backup continues when it is repeated.',
    )
    .action(async (folder, { dataDir = io.env.DATA_DIR || './data', files: hasFiles }) => {
      const { backUp: write, readStore } = await import('../server/maintenance/backup/index.ts');
      const s3 = hasFiles ? readStore(io.env) : undefined;
      if (hasFiles && !s3) throw new CliError('--files needs S3_URL, the address of the object store.');
      const { files, missing, inStore, database } = await write({
        dataFolder: dataDir,
        folder,
        s3,
        signal: io.signal,
      });
      io.stdout.write(`${folder}: ${files} files, and a database of ${database.bytes} bytes.\n`);
      if (missing > 0) io.stderr.write(`Warning: the bytes of ${missing} files were already missing.\n`);
      if (inStore > 0) {
        io.stderr.write(
          `${inStore} files are in the object store, and not in this backup: keep all versions of its objects as long as this backup.\n`,
        );
      }
    });

export const restore = (io: Io) =>
  createCommand('restore', 'restore /backups/2026-05-01 --data-dir /var/lib/webchat')
    .description('Checks a backup and copies it to a new data folder.')
    .argument('<folder>', 'The folder of the backup.')
    .option(...dataOption)
    .option(
      '--files <address>',
      'Send the files to this object store, where no other server has files (with its keys in the variables `S3_…`). An interrupted restore continues when it is repeated. Default: into the data folder.',
    )
    .action(async (folder, { dataDir = io.env.DATA_DIR || './data', files }) => {
      if (files !== undefined && !/^https?:/.test(files)) {
        throw new CliError('--files must be the address of an object store.');
      }
      const { restore: read, readStore } = await import('../server/maintenance/backup/index.ts');
      const s3 = files === undefined ? undefined : readStore({ ...io.env, S3_URL: files });
      const restored = await read({ folder, dataFolder: dataDir, s3, signal: io.signal });
      io.stdout.write(`${dataDir}: the backup of ${restored.createdAt}, with ${restored.files} files.\n`);
      if (restored.inStore > 0) {
        io.stderr.write(
          `${restored.inStore} files are in the object store: start the server with the same S3_URL, and only after the earlier server has stopped for good.\n`,
        );
      }
      if (s3) io.stderr.write('Start the server with this object store as its S3_URL.\n');
      else if (restored.hasObjects) {
        io.stderr.write(
          'The files of the object store are in the data folder: start the server without S3_URL.\n',
        );
      }
      if (!restored.hasSecret) {
        io.stderr.write(
          'The backup has no user-key-secret: start the server with the same USER_KEY_SECRET.\n',
        );
      }
    });

const locations = 'a data folder, or `DATABASE_URL` for the database in this variable';

export const moveData = (io: Io) =>
  createCommand('move', 'move --from ./data --to DATABASE_URL --files https://s3.example.com/bucket/webchat')
    .description(
      'Moves the data of a stopped server from SQLite to an empty database of PostgreSQL, or back to an empty folder. The source is not changed. An interrupted move continues when it is repeated.',
    )
    .requiredOption('--from <place>', `Where the data is: ${locations}.`)
    .requiredOption('--to <place>', `Where it goes: ${locations}.`)
    .option(
      '--files <place>',
      'Where files go: the address of an object store (with its keys in the variables `S3_…`), or `folder` for the data folder. Default: they stay, or follow the database to its folder.',
    )
    .option(
      '--data-dir <folder>',
      'The data folder of the server on PostgreSQL. Default: `DATA_DIR`, or `./data`.',
    )
    .action(async ({ from, to, files, dataDir = io.env.DATA_DIR || './data' }) => {
      const { move, readLocation, readStore } = await import('../server/maintenance/backup/index.ts');
      const isStore = files !== undefined && files !== 'folder';
      if (isStore && !/^https?:/.test(files)) {
        throw new CliError('--files must be the address of an object store, or `folder`.');
      }
      const source = readLocation('--from', from, io.env);
      const target = readLocation('--to', to, io.env);
      const moved = await move({
        from: source,
        to: target,
        dataFolder: dataDir,
        files: isStore ? 'store' : files,
        s3: readStore(isStore ? { ...io.env, S3_URL: files } : io.env),
        signal: io.signal,
        onProgress: (line) => io.stderr.write(`${line}\n`),
      });
      io.stdout.write(
        `Moved ${moved.rows} rows of ${moved.tables} tables, which are the same on both sides.\n`,
      );
      if (moved.files) {
        io.stdout.write(`Copied ${moved.files.files} files.\n`);
        const { missing, restarted } = moved.files;
        if (missing > 0) io.stderr.write(`Warning: the bytes of ${missing} files were already missing.\n`);
        if (restarted > 0) io.stderr.write(`Warning: ${restarted} uploads under way begin again.\n`);
      }
      io.stdout.write(`${nextStep(source, target, moved, dataDir, isStore)}\n`);
    });

type DataLocation = { kind: 'folder'; path: string } | { kind: 'postgres' };

function nextStep(
  from: DataLocation,
  to: DataLocation,
  { files, hasSecret }: { files: unknown; hasSecret: boolean },
  dataFolder: string,
  isStore: boolean,
): string {
  if (to.kind === 'folder') {
    const secret = hasSecret ? '' : ', and the same USER_KEY_SECRET';
    return `Start the server with DATA_DIR=${to.path}, without DATABASE_URL${secret}.`;
  }
  const home = from.kind === 'folder' ? from.path : dataFolder;
  const place = isStore
    ? 'S3_URL'
    : files
      ? `DATA_DIR=${dataFolder}`
      : `DATA_DIR=${home}, which has the files`;
  return `Start the server with DATABASE_URL, PUBLIC_URL, ${place}, and the same secret: \`USER_KEY_SECRETS="$(paste -sd, ${home}/user-key-secret)"\` if it was generated.`;
}
