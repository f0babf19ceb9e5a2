// `files push`: brings a folder to the files of a bot. Finding, deciding and sending stand in push/.
import { createInterface } from 'node:readline/promises';
import type { Client } from '../client/index.ts';
import { type Call, command, type Io } from './command.ts';
import { CliError, oneLine, UsageError } from './errors.ts';
import { printJson, sizeOf } from './output.ts';
import { type Folder, readFolder } from './push/folder.ts';
import { makePlan, type Plan, type Wish } from './push/plan.ts';
import { createProgress } from './push/progress.ts';
import { push, type Result } from './push/push.ts';

const options = {
  prefix: { value: 'TEXT', doc: 'Stands before each key, for example `docs/`.' },
  index: { doc: 'Makes the words of the files searchable.' },
  public: { doc: 'Everybody who has the address of a file may read it.' },
  all: { doc: 'Takes hidden files, too: those whose name begins with a dot.' },
  delete: {
    doc: 'Deletes files that an earlier push has sent below the prefix and that are not in the folder any more.',
  },
  yes: { doc: 'Does not ask before it deletes.' },
  'dry-run': { doc: 'Says what would be done, and does nothing.' },
  json: { doc: 'Prints what was done as JSON, for programs.' },
} as const;

export const pushFiles = command({
  name: 'files push',
  summary:
    'Sends the files of a folder to a bot, four at a time; those that are there and unchanged are left out. The key of a file is its path below the folder.',
  needs: 'bot',
  parameter: { name: 'DIR', doc: 'The folder.' },
  options,
  example: 'files push ./handbook --prefix handbook/ --index',
  async run(call) {
    const { io, options, parameter, connect } = call;
    const wish: Wish = {
      prefix: options.prefix ?? '',
      index: options.index,
      isPublic: options.public,
      all: options.all,
    };
    const folder = await openFolder(parameter, wish);
    const client = await connect();
    const remote = await client.list.files({}, { signal: io.signal }).collect();
    const plan = await makePlan(folder, remote, wish, io.signal);
    for (const { path, why } of folder.skipped) io.stderr.write(`left out ${oneLine(path)}: ${why}\n`);
    if (!options.delete) plan.gone = [];
    if (options.delete && folder.isPartial) {
      io.stderr.write('Nothing is deleted, because not all of the folder could be read.\n');
    }
    if (options['dry-run']) return tellPlan(call, plan);
    await confirm(call, plan);
    tellResult(call, plan, await carryOut(client, plan, wish, call));
  },
});

type PushCall = Call<typeof options, string>;

async function openFolder(path: string, wish: Wish): Promise<Folder> {
  try {
    return await readFolder(path, wish);
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    const why =
      { ENOENT: 'there is no such folder', ENOTDIR: 'it is no folder' }[code] ??
      `it cannot be read (${code})`;
    throw new CliError(`${path}: ${why}.`);
  }
}

async function carryOut(client: Client, plan: Plan, wish: Wish, { io, apiUrl }: PushCall): Promise<Result> {
  const bytes = plan.send.reduce((sum, { size }) => sum + size, 0);
  const progress = createProgress(io, plan.send.length, bytes);
  try {
    return await push(client, plan, wish, { progress, signal: io.signal, apiUrl });
  } finally {
    progress.end();
  }
}

/** Asks before files are deleted, where there is somebody to ask. */
async function confirm({ io, options }: PushCall, { gone }: Plan): Promise<void> {
  if (gone.length === 0 || options.yes) return;
  if (!io.stdin.isTTY || !io.stderr.isTTY) {
    throw new UsageError(`${files(gone.length)} would be deleted: say --yes, or look with --dry-run first.`);
  }
  for (const { key } of gone.slice(0, 20)) io.stderr.write(`  ${oneLine(key)}\n`);
  if (gone.length > 20) io.stderr.write(`  and ${gone.length - 20} more\n`);
  const answer = await ask(io, `Delete ${files(gone.length)}? [y/N] `);
  if (!/^y(es)?$/i.test(answer.trim())) throw new CliError('Nothing was done: not confirmed.');
}

async function ask({ stdin, stderr, signal }: Io, question: string): Promise<string> {
  stderr.write(question);
  const lines = createInterface({ input: stdin });
  try {
    return await lines.question('', { signal });
  } finally {
    lines.close();
  }
}

function tellPlan({ io, options }: PushCall, { send, unchanged, gone }: Plan): void {
  if (options.json) {
    printJson(io, {
      send: send.map(({ key, size }) => ({ key, size })),
      delete: gone.map(({ key }) => key),
      unchanged: unchanged.length,
    });
    return;
  }
  for (const { key, size } of send) io.stdout.write(`would send ${oneLine(key)} (${sizeOf(size)})\n`);
  for (const { key } of gone) io.stdout.write(`would delete ${oneLine(key)}\n`);
  io.stdout.write(`${send.length} to send, ${unchanged.length} unchanged, ${gone.length} to delete\n`);
}

function tellResult({ io, options }: PushCall, { unchanged, gone }: Plan, done: Result): void {
  const { sent, deleted, failed } = done;
  if (options.json) {
    printJson(io, {
      sent: sent.map(({ key, size }) => ({ key, size })),
      unchanged: unchanged.length,
      deleted,
      failed,
    });
  } else {
    const bytes = sent.reduce((sum, { size }) => sum + size, 0);
    const counts = [`${sent.length} sent (${sizeOf(bytes)})`, `${unchanged.length} unchanged`];
    if (deleted.length > 0) counts.push(`${deleted.length} deleted`);
    if (failed.length > 0) counts.push(`${failed.length} failed`);
    io.stdout.write(`${counts.join(', ')}\n`);
  }
  if (failed.length === 0) return;
  const kept = gone.length > deleted.length ? ' Nothing that is gone was deleted.' : '';
  throw new CliError(`${files(failed.length)} failed.${kept} Push again: what was sent is left out.`);
}

const files = (count: number) => (count === 1 ? '1 file' : `${count} files`);
