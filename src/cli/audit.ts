// `audit list`: who did what in a workspace, from its audit trail.

import { command } from './command.ts';
import { UsageError } from './errors.ts';
import { printJson, printTable } from './output.ts';

/** Entries when nobody says. */
const defaultLimit = 50;

export const listAudit = command({
  name: 'audit list',
  summary: 'Lists who did what in the workspace, newest first. For administrators and owners.',
  needs: 'workspace',
  options: {
    actor: {
      value: 'ACTOR',
      doc: 'Only of this member or token (id), e-mail address, or kind such as `operator`.',
    },
    operation: { value: 'NAME', doc: 'Only this operation, such as `deleteBot`.' },
    limit: { value: 'NUMBER', doc: `How many entries, at most. Default: ${defaultLimit}.` },
    json: { doc: 'Prints JSON, for programs.' },
  },
  example: 'audit list --operation deleteBot',
  async run({ io, options, connect }) {
    const { actor, operation, limit = String(defaultLimit) } = options;
    if (!/^[1-9]\d{0,5}$/.test(limit))
      throw new UsageError('--limit must be a whole number from 1 to 999999.');
    const client = await connect();
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
    printTable(
      io,
      ['TIME', 'ACTOR', 'OPERATION', 'TARGET', 'ADDRESS', 'STATUS'],
      rows,
      'There are no such entries.',
    );
  },
});
