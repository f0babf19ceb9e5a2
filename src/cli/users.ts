// `users export|delete` and `bots retention`: export and deletion of the data of a visitor, and how long data is kept.
import { open, rm } from 'node:fs/promises';
import { maxRetentionDays } from '../protocol/admin.ts';
import type { RetentionDays } from '../protocol/types/visitors.ts';
import { createCommand } from './command.ts';
import { connect, withConnection } from './connection.ts';
import { CliError, UsageError } from './errors.ts';
import type { Io } from './io.ts';
import { findBot } from './names.ts';
import { jsonOption, printJson, printTable } from './output.ts';

const userArgument = [
  '<user>',
  'The visitor: the id that your application assigned, or the id of the server.',
] as const;
const botOption = ['--bot <bot>', 'The bot: its id, or its name.'] as const;

export const exportUser = (io: Io) =>
  withConnection(
    createCommand('export', 'users export customer-7 --bot Support --out customer-7.jsonl')
      .description(
        'Writes all data that the server stores about a visitor as JSON lines: one object with a `type` in each line; or as a ZIP archive that also has the files and the notes of the team.',
      )
      .argument(...userArgument)
      .option(...botOption)
      .option('--out <file>', 'Writes to a new file instead of stdout.')
      .option('--archive', 'Writes a ZIP archive. Needs `--out`. For administrators and owners.'),
    'workspace',
  ).action(async (userId, options) => {
    const bot = requireBot(options.bot);
    if (options.archive && options.out === undefined)
      throw new UsageError('An archive is not written to stdout. Pass the name of a new file with --out.');
    const client = await connect('workspace', options, io);
    const { signal } = io;
    const { id } = await findBot(client, bot, signal);
    if (options.archive && options.out !== undefined) {
      const { url } = await client.createVisitorArchive({ id, userId }, { signal });
      return download(url, options.out, signal);
    }
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
    } catch (error) {
      // A part of the lines would look like all of them.
      if (options.out !== undefined) await rm(options.out, { force: true });
      throw error;
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

/** Writes what is at an address to a new file. A file that is not complete is removed. */
async function download(url: string, path: string, signal: AbortSignal): Promise<void> {
  const file = await createFile(path);
  try {
    const { ok, status, body } = await fetch(url, { signal });
    if (!ok || !body)
      throw new CliError(`The archive cannot be downloaded: the server answered with ${status}.`);
    for await (const chunk of body) await file.write(chunk);
  } catch (error) {
    await rm(path, { force: true });
    if (error instanceof CliError || signal.aborted) throw error;
    throw new CliError('The archive cannot be downloaded: the connection to the server failed or ended.');
  } finally {
    await file.close();
  }
}

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

const values = 'Days; 0 keeps it, `default` restores the period of the server.';
/** The options by the periods that they set, and what the table calls these. */
const periods: Record<keyof RetentionDays, { flag: string; noun: string }> = {
  messagesDays: { flag: '--messages', noun: 'messages' },
  filesDays: { flag: '--files', noun: 'files' },
  logsDays: { flag: '--logs', noun: 'logs' },
  contactsDays: { flag: '--contacts', noun: 'contacts' },
};
const names = Object.keys(periods) as (keyof RetentionDays)[];

export const botRetention = (io: Io) =>
  withConnection(
    createCommand('retention', 'bots retention Support --messages 365 --files 90')
      .description(
        'Shows after how many days the data of a bot is removed, and sets it. For administrators and owners.',
      )
      .argument('<bot>', 'The bot: its id, or its name.')
      .option('--messages <days>', `Conversations without activity. ${values}`)
      .option('--files <days>', `Files of visitors. ${values}`)
      .option('--logs <days>', `The log of the bot and events that were not delivered. ${values}`)
      .option('--contacts <days>', `E-mail addresses of visitors without activity. ${values}`)
      .option(...jsonOption),
    'workspace',
  ).action(async (bot, options) => {
    const { messages, files, logs, contacts } = options;
    const days = { messagesDays: messages, filesDays: files, logsDays: logs, contactsDays: contacts };
    const input = Object.fromEntries(
      names.flatMap((name) => {
        const text = days[name];
        return text === undefined ? [] : [[name, daysOf(text, periods[name].flag)]];
      }),
    );
    const client = await connect('workspace', options, io);
    const { id } = await findBot(client, bot, io.signal);
    const { signal } = io;
    const result =
      Object.keys(input).length === 0
        ? await client.getBotRetention({ id }, { signal })
        : await client.setBotRetention({ id, ...input }, { signal });
    if (options.json) return printJson(io, result);
    const rows = names.map((name) => {
      const own = result.retention[name];
      const days = own ?? result.defaults[name];
      return [periods[name].noun, days === 0 ? 'kept' : `${days}`, own === undefined ? 'server' : 'bot'];
    });
    printTable(io, ['DATA', 'DAYS', 'SET FOR'], rows, '');
  });

/** Throws UsageError for anything but a number of days. */
function daysOf(text: string, flag: string): number | null {
  if (text === 'default') return null;
  if (!/^\d{1,5}$/.test(text) || Number(text) > maxRetentionDays)
    throw new UsageError(`${flag} must be a whole number from 0 to ${maxRetentionDays}, or default.`);
  return Number(text);
}
