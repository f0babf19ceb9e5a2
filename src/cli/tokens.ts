// `tokens list|create|revoke`: manages the access tokens of the APIs. The value of a new token is printed once, on stdout.
import { createCommand } from './command.ts';
import { connect, withConnection } from './connection.ts';
import { UsageError } from './errors.ts';
import type { Io } from './io.ts';
import { findBot, findMember, findToken } from './names.ts';
import { jsonOption, printJson, printTable } from './output.ts';

export const listTokens = (io: Io) =>
  withConnection(
    createCommand('list', 'tokens list')
      .description(
        'Lists your tokens, or all of the workspace if you have the permission. Their values are not shown.',
      )
      .option(...jsonOption),
    'workspace',
  ).action(async (options) => {
    const client = await connect('workspace', options, io);
    const tokens = await client.list.tokens({}, { signal: io.signal }).collect();
    if (options.json) return printJson(io, { tokens });
    const rows = tokens.map(({ id, name, kind, memberId, botId, integration, expiresAt }) => [
      id,
      name,
      kind,
      [botId ?? memberId, integration].filter(Boolean).join(' '),
      expiresAt ?? 'never',
    ]);
    printTable(io, ['ID', 'NAME', 'KIND', 'OF', 'EXPIRES'], rows, 'There are no tokens that you may see.');
  });

export const createToken = (io: Io) =>
  withConnection(
    createCommand('create', 'tokens create deploy --bot Support')
      .description(
        'Creates a token and prints its value on stdout; it is shown only once. By default it is a personal token of yours.',
      )
      .argument('<name>', 'The name of the token in lists.')
      .option('--bot <bot>', 'Creates a token of this bot: its id, or its name.')
      .option('--integration <name>', 'With `--bot`: creates a token of this integration of the bot.')
      .option(
        '--member <member>',
        'Creates a personal token of another member: their e-mail address, or the id.',
      )
      .option('--expires <time>', 'The time when the token expires, such as `2027-01-31`. Default: never.')
      .option('--json', 'Prints JSON, with the id of the token.'),
    'workspace',
  ).action(async (name, options) => {
    const { bot, integration, member, expires } = options;
    if (integration !== undefined && bot === undefined) {
      throw new UsageError('--integration needs --bot: an integration belongs to a bot.');
    }
    if (member !== undefined && bot !== undefined)
      throw new UsageError('Pass either --member or --bot, not both.');
    const expiresAt = expires === undefined ? undefined : parseTime(expires);
    const client = await connect('workspace', options, io);
    const botId = bot === undefined ? undefined : (await findBot(client, bot, io.signal)).id;
    const memberId = member === undefined ? undefined : (await findMember(client, member, io.signal)).id;
    const { token, value } = await client.createToken(
      {
        name,
        kind: botId === undefined ? 'personal' : integration === undefined ? 'bot' : 'integration',
        ...(botId !== undefined && { botId }),
        ...(integration !== undefined && { integration }),
        ...(memberId !== undefined && { memberId }),
        ...(expiresAt !== undefined && { expiresAt }),
      },
      { signal: io.signal },
    );
    if (options.json) return printJson(io, { token, value });
    io.stderr.write(`Created ${token.id}. Its value is shown only once:\n`);
    io.stdout.write(`${value}\n`);
  });

export const revokeToken = (io: Io) =>
  withConnection(
    createCommand('revoke', 'tokens revoke token_01JD5Z3N8Q6W4T7Y2K9M0RBCFE')
      .description('Revokes a token immediately.')
      .argument(
        '<token>',
        'The token: its id, or its name; `current` is the one that authenticates this command.',
      ),
    'workspace',
  ).action(async (idOrName, options) => {
    const client = await connect('workspace', options, io);
    const isClear = idOrName === 'current' || /^token_[0-9A-Z]{26}$/.test(idOrName);
    const id = isClear ? idOrName : (await findToken(client, idOrName, io.signal)).id;
    await client.deleteToken({ id }, { signal: io.signal });
    io.stderr.write(`Revoked ${id}.\n`);
  });

function parseTime(text: string): string {
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) {
    throw new UsageError(`--expires: '${text}' is not a time. Use 2027-01-31 or 2027-01-31T12:00:00Z.`);
  }
  return time.toISOString();
}
