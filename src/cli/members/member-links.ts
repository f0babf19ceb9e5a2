// `members invite|link`: links with which members sign in to the pages of the server. A link is printed once, on stdout.
import type { Client } from '../../client/index.ts';
import { createCommand } from '../command.ts';
import { connect, withConnection } from '../connection.ts';
import { oneLine, UsageError } from '../errors.ts';
import type { Io } from '../io.ts';
import { findMember } from '../names.ts';
import { jsonOption, printJson } from '../output.ts';
import { createMember, memberArgument, roleNames } from './members.ts';

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
