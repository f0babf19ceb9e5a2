// `users export|delete`: exports the data of one visitor of a bot as JSON lines, and deletes it.
import { open } from 'node:fs/promises';
import { createCommand } from './command.ts';
import { connect, withConnection } from './connection.ts';
import { CliError, UsageError } from './errors.ts';
import type { Io } from './io.ts';
import { findBot } from './names.ts';

const userArgument = [
  '<user>',
  'The visitor: the id that your application assigned, or the id of the server.',
] as const;
const botOption = ['--bot <bot>', 'The bot: its id, or its name.'] as const;

export const exportUser = (io: Io) =>
  withConnection(
    createCommand('export', 'users export customer-7 --bot Support --out customer-7.jsonl')
      .description(
        'Writes all data that the server stores about a visitor as JSON lines: one object with a `type` in each line.',
      )
      .argument(...userArgument)
      .option(...botOption)
      .option('--out <file>', 'Writes to a new file instead of stdout.'),
    'workspace',
  ).action(async (userId, options) => {
    const bot = requireBot(options.bot);
    const client = await connect('workspace', options, io);
    const { signal } = io;
    const { id } = await findBot(client, bot, signal);
    // Requested before the file is created, so that an unknown visitor leaves no empty file.
    let page = await client.exportVisitor({ id, userId }, { signal });
    const file = options.out === undefined ? undefined : await createFile(options.out);
    try {
      for (;;) {
        for (const item of page.items) {
          const line = `${JSON.stringify(item)}\n`;
          if (file) await file.write(line);
          else io.stdout.write(line);
        }
        const { nextToken } = page.meta;
        if (nextToken === undefined) break;
        page = await client.exportVisitor({ id, userId, nextToken }, { signal });
      }
    } finally {
      await file?.close();
    }
  });

export const deleteUser = (io: Io) =>
  withConnection(
    createCommand('delete', 'users delete customer-7 --bot Support --yes')
      .description('Deletes a visitor with their files and the conversations they own. It cannot be undone.')
      .argument(...userArgument)
      .option(...botOption)
      .option('--yes', 'Confirms the deletion. Required.'),
    'workspace',
  ).action(async (userId, options) => {
    const bot = requireBot(options.bot);
    if (!options.yes)
      throw new UsageError('The visitor and all their data would be deleted. Pass --yes to confirm.');
    const client = await connect('workspace', options, io);
    const { id } = await findBot(client, bot, io.signal);
    await client.deleteVisitor({ id, userId }, { signal: io.signal });
    io.stderr.write('Deleted the visitor. Their data is removed from the server within five minutes.\n');
  });

function requireBot(bot: string | undefined): string {
  if (bot) return bot;
  throw new UsageError('The bot is missing. Pass its id or name with --bot.');
}

async function createFile(path: string) {
  try {
    return await open(path, 'wx', 0o600);
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    throw new CliError(
      `${path}: ${code === 'EEXIST' ? 'the file exists already' : `cannot be created (${code})`}.`,
    );
  }
}
