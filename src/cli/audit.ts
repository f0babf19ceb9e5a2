// `audit list`: prints the audit trail of a workspace.
import { createCommand } from './command.ts';
import { connect, withConnection } from './connection.ts';
import { UsageError } from './errors.ts';
import type { Io } from './io.ts';
import { jsonOption, printJson, printTable } from './output.ts';

/** Number of entries without --limit. */
const defaultLimit = 50;

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
