// `bots retention`: shows and sets after how many days the data of a bot is removed.
import { maxRetentionDays } from '../protocol/admin/retention.ts';
import type { RetentionDays } from '../protocol/types/visitors.ts';
import { createCommand } from './command.ts';
import { connect, withConnection } from './connection.ts';
import { UsageError } from './errors.ts';
import type { Io } from './io.ts';
import { findBot } from './names.ts';
import { jsonOption, printJson, printTable } from './output.ts';

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
    const given = { messagesDays: messages, filesDays: files, logsDays: logs, contactsDays: contacts };
    const input = Object.fromEntries(
      names.flatMap((name) => {
        const text = given[name];
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
