// `workspaces list|delete`: the workspaces of a server, for its operator.

import { command } from './command.ts';
import { UsageError } from './errors.ts';
import { printJson, printTable } from './output.ts';

export const listWorkspaces = command({
  name: 'workspaces list',
  summary: 'Lists the workspaces that the token opens: for an operator all of the server.',
  needs: 'workspace',
  options: { json: { doc: 'Prints JSON, for programs.' } },
  example: 'workspaces list',
  async run({ io, options, connect }) {
    const client = await connect();
    const workspaces = await client.list.workspaces({}, { signal: io.signal }).collect();
    if (options.json) return printJson(io, { workspaces });
    const rows = workspaces.map(({ id, name, createdAt }) => [id, name, createdAt]);
    printTable(io, ['ID', 'NAME', 'CREATED'], rows, 'The token opens no workspace.');
  },
});

export const deleteWorkspace = command({
  name: 'workspaces delete',
  summary:
    'Deletes a workspace with its members, tokens and bots, and all that the bots hold. For operators.',
  needs: 'workspace',
  parameter: { name: 'ID', doc: 'The id of the workspace to be deleted.' },
  options: { yes: { doc: 'Required, because nothing brings it back.' } },
  example: 'workspaces delete ws_01JD5Z3N8Q6W4T7Y2K9M0RBCFE --yes',
  async run({ io, parameter, options, connect }) {
    if (!options.yes) throw new UsageError(`Nothing brings ${parameter} back. Give --yes to delete it.`);
    const client = await connect();
    await client.deleteWorkspace({ id: parameter }, { signal: io.signal });
    io.stderr.write(`Deleted ${parameter}.\n`);
  },
});
