// `move`: moves the data of a server on this machine from SQLite to PostgreSQL, or back.
import { createCommand } from './command.ts';
import { CliError } from './errors.ts';
import type { Io } from './io.ts';

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
