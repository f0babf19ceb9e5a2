// `workspaces list|delete`: manages the workspaces of a server, for its operator.
import { createCommand } from './command.ts';
import { connect, withConnection } from './connection.ts';
import { UsageError } from './errors.ts';
import type { Io } from './io.ts';
import { findWorkspace, isId } from './names.ts';
import { jsonOption, printJson, printTable } from './output.ts';

export const listWorkspaces = (io: Io) =>
  withConnection(
    createCommand('list', 'workspaces list')
      .description('Lists the workspaces that the token can access; for an operator, all of the server.')
      .option(...jsonOption),
    'workspace',
  ).action(async (options) => {
    const client = await connect('workspace', options, io);
    const workspaces = await client.list.workspaces({}, { signal: io.signal }).collect();
    if (options.json) return printJson(io, { workspaces });
    const rows = workspaces.map(({ id, name, createdAt }) => [id, name, createdAt]);
    printTable(io, ['ID', 'NAME', 'CREATED'], rows, 'The token cannot access any workspace.');
  });

export const deleteWorkspace = (io: Io) =>
  withConnection(
    createCommand('delete', 'workspaces delete ws_01JD5Z3N8Q6W4T7Y2K9M0RBCFE --yes')
      .description(
        'Deletes a workspace with its members, tokens and bots, and all data of the bots. For operators.',
      )
      .argument('<workspace>', 'The workspace to be deleted: its id, or its name.')
      .option('--yes', 'Confirms the deletion. Required, because it cannot be undone.'),
    'workspace',
  ).action(async (idOrName, options) => {
    if (!options.yes) throw new UsageError(`Deleting ${idOrName} cannot be undone. Pass --yes to confirm.`);
    const client = await connect('workspace', options, io);
    const id = isId('ws', idOrName) ? idOrName : (await findWorkspace(client, idOrName, io.signal)).id;
    await client.deleteWorkspace({ id }, { signal: io.signal });
    io.stderr.write(`Deleted ${id}.\n`);
  });
