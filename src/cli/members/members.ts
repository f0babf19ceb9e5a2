// `members list|add|update|remove`: the members of a workspace and their roles.
import type { Client } from '../../client/index.ts';
import { type Role, roles } from '../../protocol/admin/permissions.ts';
import type { Member } from '../../protocol/types/admin.ts';
import { createCommand } from '../command.ts';
import { type ConnectionValues, connect, withConnection } from '../connection.ts';
import { oneLine, UsageError } from '../errors.ts';
import type { Io } from '../io.ts';
import { findMember } from '../names.ts';
import { jsonOption, printJson, printTable } from '../output.ts';

/** The argument that names a member. */
export const memberArgument = ['<member>', 'The member: their e-mail address, or the id.'] as const;
export const roleNames = roles.map((role) => `\`${role}\``).join(', ');

export const listMembers = (io: Io) =>
  withConnection(
    createCommand('list', 'members list')
      .description('Lists the members of the workspace, in the order in which they joined.')
      .option(...jsonOption),
    'workspace',
  ).action(async (options) => {
    const client = await connect('workspace', options, io);
    const members = await client.list.workspaceMembers({}, { signal: io.signal }).collect();
    if (options.json) return printJson(io, { members });
    const rows = members.map(({ id, email, role, displayName }) => [id, email, role, displayName]);
    printTable(io, ['ID', 'EMAIL', 'ROLE', 'NAME'], rows, 'The workspace has no members.');
  });

export const addMember = (io: Io) =>
  withConnection(
    createCommand('add', 'members add ann@example.com --role developer')
      .description(
        'Adds a member who uses the APIs: create a token for them with `tokens create --member`. `members invite` adds one who signs in to pages.',
      )
      .argument('<email>', 'The e-mail address of the member.')
      .option('--role <role>', `One of ${roleNames}. Default: \`viewer\`.`)
      .option('--name <name>', 'The name in lists.')
      .option(...jsonOption),
    'workspace',
  ).action(async (email, options) => {
    const { member } = await createMember(email, options, io);
    if (options.json) return printJson(io, { member });
    io.stdout.write(`Member  ${member.id}\nEmail   ${oneLine(member.email)}\nRole    ${member.role}\n`);
  });

/** Creates a member with the options of `add` and `invite`. Throws UsageError. */
export async function createMember(
  email: string,
  options: ConnectionValues & { role?: string | undefined; name?: string | undefined },
  io: Io,
): Promise<{ client: Client; member: Member }> {
  const role = roleOf(options.role ?? 'viewer');
  const client = await connect('workspace', options, io);
  const input = { email, role, ...(options.name !== undefined && { displayName: options.name }) };
  return { client, member: await client.createWorkspaceMember(input, { signal: io.signal }) };
}

export const updateMember = (io: Io) =>
  withConnection(
    createCommand('update', 'members update ann@example.com --role manager')
      .description('Changes the role or the name of a member.')
      .argument(...memberArgument)
      .option('--role <role>', `One of ${roleNames}.`)
      .option('--name <name>', 'The name in lists.'),
    'workspace',
  ).action(async (idOrEmail, options) => {
    const { role, name } = options;
    if (role === undefined && name === undefined)
      throw new UsageError('Nothing to change. Pass --role or --name.');
    const input = {
      ...(role !== undefined && { role: roleOf(role) }),
      ...(name !== undefined && { displayName: name }),
    };
    const client = await connect('workspace', options, io);
    const { id } = await findMember(client, idOrEmail, io.signal);
    const member = await client.updateWorkspaceMember({ id, ...input }, { signal: io.signal });
    io.stderr.write(`${oneLine(member.email)} is ${member.role}.\n`);
  });

export const removeMember = (io: Io) =>
  withConnection(
    createCommand('remove', 'members remove ann@example.com --yes')
      .description('Removes a member. Their tokens and sessions end at once.')
      .argument(...memberArgument)
      .option('--yes', 'Confirms the removal. Required.'),
    'workspace',
  ).action(async (idOrEmail, options) => {
    if (!options.yes)
      throw new UsageError('The member and their tokens would be removed. Pass --yes to confirm.');
    const client = await connect('workspace', options, io);
    const { id, email } = await findMember(client, idOrEmail, io.signal);
    await client.deleteWorkspaceMember({ id }, { signal: io.signal });
    io.stderr.write(`Removed ${oneLine(email)}.\n`);
  });

/** Throws UsageError for a text that does not name a role. */
function roleOf(text: string): Role {
  const found = roles.find((role) => role === text);
  if (!found) throw new UsageError(`--role must be one of ${roles.join(', ')}.`);
  return found;
}
