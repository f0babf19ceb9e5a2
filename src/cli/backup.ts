// `backup` and `restore`: copies the data folder of a server on this machine, also while it runs.
import { createCommand } from './command.ts';
import type { Io } from './io.ts';

const dataOption = ['--data-dir <folder>', 'The data folder. Default: `DATA_DIR`, or `./data`.'] as const;

export const backUp = (io: Io) =>
  createCommand('backup', 'backup /backups/2026-05-01 --data-dir /var/lib/webchat')
    .description(
      'Writes a backup of a data folder, also while its server runs: the database as it is at one moment, and all files that it refers to.',
    )
    .argument('<folder>', 'The folder to create.')
    .option(...dataOption)
    .action(async (folder, { dataDir = io.env.DATA_DIR || './data' }) => {
      const { backUp: write } = await import('../server/backup/index.ts');
      const { files, missing, inStore, database } = await write({
        dataFolder: dataDir,
        folder,
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
    .action(async (folder, { dataDir = io.env.DATA_DIR || './data' }) => {
      const { restore: read } = await import('../server/backup/index.ts');
      const restored = await read({ folder, dataFolder: dataDir, signal: io.signal });
      io.stdout.write(`${dataDir}: the backup of ${restored.createdAt}, with ${restored.files} files.\n`);
      if (restored.inStore > 0) {
        io.stderr.write(
          `${restored.inStore} files are in the object store: start the server with the same S3_URL, and only after the earlier server has stopped for good.\n`,
        );
      }
      if (!restored.hasSecret) {
        io.stderr.write(
          'The backup has no user-key-secret: start the server with the same USER_KEY_SECRET.\n',
        );
      }
    });
