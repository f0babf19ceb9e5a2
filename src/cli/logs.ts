// `logs` and `audit list`: the failures of a bot, once or as they happen, and the audit trail of a workspace.
import { setTimeout } from 'node:timers/promises';
import type { Client } from '../client/index.ts';
import type { BotLog } from '../protocol/admin.ts';
import { createCommand } from './command.ts';
import { connect, withConnection } from './connection.ts';
import { oneLine, UsageError } from './errors.ts';
import type { Io } from './io.ts';
import { findBot } from './names.ts';
import { jsonOption, paint, printJson, printTable } from './output.ts';

const defaultLimit = 50;
/** Milliseconds between two requests of `--follow`. */
const pollIntervalMs = 2_000;
const levels = ['info', 'warn', 'error'] as const;
const styles = { info: 'dim', warn: 'yellow', error: 'red' } as const;

export const showLogs = (io: Io) =>
  withConnection(
    createCommand('logs', 'logs Support --follow')
      .description(
        'Prints the log of a bot, oldest first: failures of its code or its webhook, without texts of visitors.',
      )
      .argument('<bot>', 'The bot: its id, or its name.')
      .option('--follow', 'Waits for further entries, until Ctrl-C.')
      .option('--limit <number>', `Number of earlier entries, at most. Default: ${defaultLimit}.`)
      .option('--level <level>', 'Only entries of this level: `info`, `warn` or `error`.')
      .option('--json', 'Prints one JSON object in each line.'),
    'workspace',
  ).action(async (idOrName, options) => {
    const { limit = String(defaultLimit) } = options;
    if (!/^\d{1,6}$/.test(limit)) throw new UsageError('--limit must be a whole number from 0 to 999999.');
    const level = levels.find((one) => one === options.level);
    if (options.level !== undefined && !level) {
      throw new UsageError(`--level must be one of ${levels.join(', ')}.`);
    }
    const client = await connect('workspace', options, io);
    const { id } = await findBot(client, idOrName, io.signal);
    const filter = { id, ...(level && { level }) };
    const print = (entry: BotLog) =>
      io.stdout.write(`${options.json ? JSON.stringify(entry) : lineOf(entry, io)}\n`);
    const earlier = await newest(client, filter, Number(limit), io.signal);
    for (const entry of earlier) print(entry);
    if (!options.follow) {
      if (earlier.length === 0 && !options.json) io.stderr.write('The log has no entries.\n');
      return;
    }
    // The id of the newest entry, also if it is not printed.
    let last = (earlier.at(-1) ?? (await newest(client, filter, 1, io.signal)).at(-1))?.id ?? '';
    for (;;) {
      await setTimeout(pollIntervalMs, undefined, { signal: io.signal });
      for (const entry of await after(client, filter, last, io.signal)) {
        print(entry);
        last = entry.id;
      }
    }
  });

type Filter = { id: string; level?: BotLog['level'] };

/** The newest entries, oldest first. */
async function newest(client: Client, filter: Filter, count: number, signal: AbortSignal): Promise<BotLog[]> {
  if (count === 0) return [];
  return (await client.list.botLogs(filter, { signal }).collect({ limit: count })).reverse();
}

/** The entries that are newer than this one, oldest first. Ids sort by the time of creation. */
async function after(client: Client, filter: Filter, last: string, signal: AbortSignal): Promise<BotLog[]> {
  const found: BotLog[] = [];
  for await (const entry of client.list.botLogs(filter, { signal })) {
    if (entry.id <= last) break;
    found.unshift(entry);
  }
  return found;
}

function lineOf({ timestamp, level, message, eventId, error }: BotLog, io: Io): string {
  const details = error === undefined ? '' : ` ${JSON.stringify(error)}`;
  const text = oneLine(`${message} ${eventId}${details}`);
  return `${timestamp} ${paint(styles[level], level.padEnd(5), io.stdout, io)} ${text}`;
}

/** Number of entries without --limit. */

export const listAudit = (io: Io) =>
  withConnection(
    createCommand('list', 'audit list --operation deleteBot')
      .description(
        'Lists the actions in the workspace with their actors, newest first. For administrators and owners.',
      )
      .option(
        '--actor <actor>',
        'Only actions of this member or token (id), e-mail address, or kind such as `operator`.',
      )
      .option('--operation <name>', 'Only this operation, such as `deleteBot`.')
      .option('--limit <number>', `Number of entries, at most. Default: ${defaultLimit}.`)
      .option(...jsonOption),
    'workspace',
  ).action(async (options) => {
    const { actor, operation, limit = String(defaultLimit) } = options;
    if (!/^[1-9]\d{0,5}$/.test(limit))
      throw new UsageError('--limit must be a whole number from 1 to 999999.');
    const client = await connect('workspace', options, io);
    const query = { ...(actor !== undefined && { actor }), ...(operation !== undefined && { operation }) };
    const entries = [];
    for await (const entry of client.list.auditLog(query, { signal: io.signal })) {
      entries.push(entry);
      if (entries.length === Number(limit)) break;
    }
    if (options.json) return printJson(io, { entries });
    const rows = entries.map((entry) => [
      entry.createdAt,
      entry.actor.email ?? entry.actor.tokenId ?? entry.actor.kind,
      entry.operation,
      Object.values(entry.target).join(' '),
      entry.network,
      String(entry.status),
    ]);
    const heads = ['TIME', 'ACTOR', 'OPERATION', 'TARGET', 'ADDRESS', 'STATUS'];
    printTable(io, heads, rows, 'No entries match.');
  });
