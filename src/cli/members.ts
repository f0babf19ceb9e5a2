// `members` and `workspaces`: members of a workspace, their roles and sign-in links, and the workspaces of a server.
import type { Client } from '../client/index.ts';
import { type Role, roles } from '../protocol/permissions.ts';
import type { Member } from '../protocol/types/admin.ts';
import { createCommand } from './command.ts';
import { type ConnectionValues, connect, withConnection } from './connection.ts';
import { oneLine, UsageError } from './errors.ts';
import type { Io } from './io.ts';
import { findMember, findWorkspace, isId } from './names.ts';
import { jsonOption, printJson, printTable } from './output.ts';

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

const mailOption = [
  '--mail',
  'Sends the link to the member, instead of printing it (setting `SMTP_URL`).',
] as const;
const purposes = ['sign-in', 'reset', 'invitation'] as const;

export const inviteMember = (io: Io) =>
  withConnection(
    createCommand('invite', 'members invite ann@example.com --role developer')
      .description(
        'Adds a member and creates the link with which they choose a password and sign in. It works once, within 7 days.',
      )
      .argument('<email>', 'The e-mail address of the member.')
      .option('--role <role>', `One of ${roleNames}. Default: \`viewer\`.`)
      .option('--name <name>', 'The name in lists.')
      .option(...mailOption)
      .option(...jsonOption),
    'workspace',
  ).action(async (email, options) => {
    const { client, member } = await createMember(email, options, io);
    await createLink(client, member, { ...options, purpose: 'invitation' }, io);
  });

export const linkMember = (io: Io) =>
  withConnection(
    createCommand('link', 'members link ann@example.com')
      .description(
        'Creates a link with which a member signs in, once, within 15 minutes; with `--for reset` also to set a password.',
      )
      .argument(...memberArgument)
      .option(
        '--for <purpose>',
        '`sign-in`, `reset` (of the password) or `invitation` (7 days). Default: `sign-in`.',
      )
      .option(...mailOption)
      .option(...jsonOption),
    'workspace',
  ).action(async (idOrEmail, options) => {
    const purpose = purposes.find((one) => one === (options.for ?? 'sign-in'));
    if (!purpose) throw new UsageError(`--for must be one of ${purposes.join(', ')}.`);
    const client = await connect('workspace', options, io);
    const member = await findMember(client, idOrEmail, io.signal);
    await createLink(client, member, { ...options, purpose }, io);
  });

interface LinkOptions {
  purpose: (typeof purposes)[number];
  mail?: true | undefined;
  json?: true | undefined;
}

async function createLink(
  client: Client,
  { id, email }: { id: string; email: string },
  { purpose, mail, json }: LinkOptions,
  io: Io,
): Promise<void> {
  const delivery = mail ? 'mail' : 'return';
  const { url, expiresAt } = await client.createMemberLink({ id, purpose, delivery }, { signal: io.signal });
  if (json) return printJson(io, { memberId: id, expiresAt, ...(url !== undefined && { url }) });
  if (url === undefined) {
    io.stderr.write(`A link is on its way to ${oneLine(email)}. It is valid until ${expiresAt}.\n`);
    return;
  }
  io.stderr.write(`The link for ${oneLine(email)} works once, until ${expiresAt}. It is shown only once:\n`);
  io.stdout.write(`${url}\n`);
}

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
