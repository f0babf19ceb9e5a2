// `files push`: uploads a folder to the files of a bot. Reading, planning and sending are in push/.
import { createInterface } from 'node:readline/promises';
import type { Client } from '../client/index.ts';
import { createCommand } from './command.ts';
import { apiUrlOf, connect, withConnection } from './connection.ts';
import { CliError, oneLine, UsageError } from './errors.ts';
import type { Io } from './io.ts';
import { findKnowledgeBase } from './names.ts';
import { printJson, sizeOf } from './output.ts';
import { createProgress, push, type Result } from './push.ts';
import { type Folder, makePlan, type Plan, type PushSettings, readFolder } from './push-plan.ts';

export const pushFiles = (io: Io) =>
  withConnection(
    createCommand('push', 'files push ./handbook --prefix handbook/ --index')
      .description(
        'Uploads the files of a folder to a bot, four at a time, and skips those that are unchanged. A file whose bytes are unchanged is not sent to change `--index` or `--public`. The key of a file is its path in the folder.',
      )
      .argument('<dir>', 'The folder.')
      .option('--prefix <text>', 'The beginning of each key, for example `docs/`.')
      .option('--index', 'Makes the text of the files searchable.')
      .option(
        '--knowledge <name>',
        'Adds the files to a knowledge base, by its id or name, and makes their text searchable. Creates it if it does not exist.',
      )
      .option('--public', 'Lets everybody who has the address of a file read it.')
      .option('--all', 'Includes hidden files: those whose name begins with a dot.')
      .option(
        '--delete',
        'Deletes files below the prefix that an earlier push uploaded and that are no longer in the folder.',
      )
      .option('--yes', 'Deletes without asking.')
      .option('--dry-run', 'Prints the changes that would be made, and makes none.')
      .option('--json', 'Prints the changes as JSON.'),
    'bot',
  ).action(async (path, options) => {
    const { knowledge } = options;
    if (knowledge?.trim() === '')
      throw new UsageError('--knowledge needs the id or the name of a knowledge base.');
    const settings: PushSettings = {
      prefix: options.prefix ?? '',
      index: options.index ?? knowledge !== undefined,
      isPublic: options.public ?? false,
      all: options.all ?? false,
    };
    const folder = await openFolder(path, settings);
    const client = await connect('bot', options, io);
    const found = knowledge ? await findKnowledgeBase(client, knowledge, io.signal) : undefined;
    if (knowledge) settings.knowledgeBase = found?.id ?? null;
    const remote = await client.list.files({}, { signal: io.signal }).collect();
    const plan = await makePlan(folder, remote, settings, io.signal);
    for (const { path, reason } of folder.skipped) io.stderr.write(`skipped ${oneLine(path)}: ${reason}\n`);
    if (!options.delete) plan.toDelete = [];
    if (options.delete && folder.isPartial) {
      io.stderr.write('Nothing is deleted, because a part of the folder could not be read.\n');
    }
    if (options.dryRun) return printPlan(io, plan, !!options.json);
    if (!options.yes) await confirm(io, plan);
    if (knowledge && !found) {
      const created = await client.createKnowledgeBase({ name: knowledge }, { signal: io.signal });
      settings.knowledgeBase = created.knowledgeBase.id;
    }
    printResult(io, plan, await execute(client, plan, settings, io, apiUrlOf(options, io)), !!options.json);
  });

async function openFolder(path: string, settings: PushSettings): Promise<Folder> {
  try {
    return await readFolder(path, settings);
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    const explanation =
      { ENOENT: 'the folder does not exist', ENOTDIR: 'not a folder' }[code] ?? `it cannot be read (${code})`;
    throw new CliError(`${path}: ${explanation}.`);
  }
}

async function execute(
  client: Client,
  plan: Plan,
  settings: PushSettings,
  io: Io,
  apiUrl: string,
): Promise<Result> {
  const bytes = plan.send.reduce((sum, { size }) => sum + size, 0);
  const progress = createProgress(io, plan.send.length, bytes);
  try {
    return await push(client, plan, settings, { progress, signal: io.signal, apiUrl });
  } finally {
    progress.end();
  }
}

/** Asks before files are deleted. Without a terminal to ask on, it refuses. */
async function confirm(io: Io, { toDelete }: Plan): Promise<void> {
  if (toDelete.length === 0) return;
  if (!io.stdin.isTTY || !io.stderr.isTTY) {
    throw new UsageError(
      `${files(toDelete.length)} would be deleted. Pass --yes to confirm, or check with --dry-run first.`,
    );
  }
  for (const { key } of toDelete.slice(0, 20)) io.stderr.write(`  ${oneLine(key)}\n`);
  if (toDelete.length > 20) io.stderr.write(`  and ${toDelete.length - 20} more\n`);
  const answer = await confirmationOf(io, `Delete ${files(toDelete.length)}? [y/N] `);
  if (!/^y(es)?$/i.test(answer.trim())) throw new CliError('Not confirmed. Nothing was done.');
}

async function confirmationOf({ stdin, stderr, signal }: Io, question: string): Promise<string> {
  stderr.write(question);
  const lines = createInterface({ input: stdin });
  try {
    // Ctrl-D closes the input without an answer.
    const closed = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
    return await Promise.race([lines.question('', { signal }), closed]);
  } finally {
    lines.close();
  }
}

function printPlan(io: Io, { send, change, unchanged, toDelete }: Plan, asJson: boolean): void {
  if (asJson) {
    printJson(io, {
      send: send.map(({ key, size }) => ({ key, size })),
      change: change.map(({ key }) => key),
      delete: toDelete.map(({ key }) => key),
      unchanged: unchanged.length,
    });
    return;
  }
  for (const { key, size } of send) io.stdout.write(`would send ${oneLine(key)} (${sizeOf(size)})\n`);
  for (const { key } of change) io.stdout.write(`would change ${oneLine(key)}\n`);
  for (const { key } of toDelete) io.stdout.write(`would delete ${oneLine(key)}\n`);
  const changes = change.length > 0 ? `, ${change.length} to change` : '';
  io.stdout.write(
    `${send.length} to send${changes}, ${unchanged.length} unchanged, ${toDelete.length} to delete\n`,
  );
}

function printResult(io: Io, { unchanged, toDelete }: Plan, done: Result, asJson: boolean): void {
  const { sent, changed, deleted, failed } = done;
  if (asJson) {
    printJson(io, {
      sent: sent.map(({ key, size }) => ({ key, size })),
      changed,
      unchanged: unchanged.length,
      deleted,
      failed,
    });
  } else {
    const bytes = sent.reduce((sum, { size }) => sum + size, 0);
    const counts = [`${sent.length} sent (${sizeOf(bytes)})`, `${unchanged.length} unchanged`];
    if (changed.length > 0) counts.push(`${changed.length} changed without sending`);
    if (deleted.length > 0) counts.push(`${deleted.length} deleted`);
    if (failed.length > 0) counts.push(`${failed.length} failed`);
    io.stdout.write(`${counts.join(', ')}\n`);
  }
  if (failed.length === 0) return;
  const deletionNote = toDelete.length > deleted.length ? ' No files were deleted.' : '';
  throw new CliError(
    `${files(failed.length)} failed.${deletionNote} Push again: files that were sent are skipped.`,
  );
}

const files = (count: number) => (count === 1 ? '1 file' : `${count} files`);
