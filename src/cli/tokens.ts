// `tokens list|create|revoke`: the keys to the APIs. A new one is printed alone on stdout, once; nowhere else.

import { findBot } from './bots.ts';
import { command } from './command.ts';
import { UsageError } from './errors.ts';
import { printJson, printTable } from './output.ts';

export const listTokens = command({
  name: 'tokens list',
  summary: 'Lists your tokens, or all of the workspace where you may see them; never what they are.',
  needs: 'workspace',
  options: { json: { doc: 'Prints JSON, for programs.' } },
  example: 'tokens list',
  async run({ io, options, connect }) {
    const client = await connect();
    const tokens = await client.list.tokens({}, { signal: io.signal }).collect();
    if (options.json) return printJson(io, { tokens });
    const rows = tokens.map(({ id, name, kind, memberId, botId, integration, expiresAt }) => [
      id,
      name,
      kind,
      [botId ?? memberId, integration].filter(Boolean).join(' '),
      expiresAt ?? 'never',
    ]);
    printTable(io, ['ID', 'NAME', 'KIND', 'OF', 'EXPIRES'], rows, 'There is no token that you may see.');
  },
});

export const createToken = command({
  name: 'tokens create',
  summary:
    'Makes a token and prints it alone on stdout: it is shown only this once. It is a personal one of yours, unless an option says otherwise.',
  needs: 'workspace',
  parameter: { name: 'NAME', doc: 'What it is called in lists.' },
  options: {
    bot: { value: 'BOT', doc: 'Makes a token of this bot: its id, or its name.' },
    integration: { value: 'NAME', doc: 'With `--bot`: makes one of an integration of the bot.' },
    member: { value: 'ID', doc: 'Makes a personal one of another member.' },
    expires: {
      value: 'TIME',
      doc: 'From then on it opens nothing, for example `2027-01-31`. Default: never.',
    },
    json: { doc: 'Prints JSON, with the id of the token.' },
  },
  example: 'tokens create deploy --bot Support',
  async run({ io, parameter, options, connect }) {
    const { bot, integration, member, expires } = options;
    if (integration !== undefined && bot === undefined) {
      throw new UsageError('--integration needs --bot: an integration is one of a bot.');
    }
    if (member !== undefined && bot !== undefined) throw new UsageError('Give --member or --bot, not both.');
    const expiresAt = expires === undefined ? undefined : timeOf(expires);
    const client = await connect();
    const botId = bot === undefined ? undefined : (await findBot(client, bot, io.signal)).id;
    const { token, value } = await client.createToken(
      {
        name: parameter,
        kind: botId === undefined ? 'personal' : integration === undefined ? 'bot' : 'integration',
        ...(botId !== undefined && { botId }),
        ...(integration !== undefined && { integration }),
        ...(member !== undefined && { memberId: member }),
        ...(expiresAt !== undefined && { expiresAt }),
      },
      { signal: io.signal },
    );
    if (options.json) return printJson(io, { token, value });
    io.stderr.write(`Made ${token.id}. It is shown only now:\n`);
    io.stdout.write(`${value}\n`);
  },
});

export const revokeToken = command({
  name: 'tokens revoke',
  summary: 'Ends a token at once.',
  needs: 'workspace',
  parameter: { name: 'ID', doc: 'The id of the token; `current` is the one that is used for this.' },
  options: {},
  example: 'tokens revoke token_01JD5Z3N8Q6W4T7Y2K9M0RBCFE',
  async run({ io, parameter, connect }) {
    const client = await connect();
    await client.deleteToken({ id: parameter }, { signal: io.signal });
    io.stderr.write(`${parameter} opens nothing any more.\n`);
  },
});

function timeOf(text: string): string {
  const time = new Date(text);
  if (Number.isNaN(time.getTime())) {
    throw new UsageError(`--expires: '${text}' is no time. Write it as 2027-01-31 or 2027-01-31T12:00:00Z.`);
  }
  return time.toISOString();
}
