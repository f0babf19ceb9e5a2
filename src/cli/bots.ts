// `bots list|create` and `snippet`: the bots of a workspace, and the HTML that embeds one.
import type { Client } from '../client/index.ts';
import type { Bot } from '../protocol/admin/admin.ts';
import { createCommand } from './command.ts';
import { connect, withConnection } from './connection.ts';
import { CliError, oneLine, UsageError } from './errors.ts';
import type { Io } from './io.ts';
import { jsonOption, printJson, printTable } from './output.ts';

export const listBots = (io: Io) =>
  withConnection(
    createCommand('list', 'bots list --json')
      .description('Lists the bots of the workspace, newest first.')
      .option(...jsonOption),
    'workspace',
  ).action(async (options) => {
    const client = await connect('workspace', options, io);
    const bots = await client.list.bots({}, { signal: io.signal }).collect();
    if (options.json) return printJson(io, { bots });
    const rows = bots.map(({ id, name, createdAt, deployedAt }) => [id, name, createdAt, deployedAt]);
    printTable(io, ['ID', 'NAME', 'CREATED', 'DEPLOYED'], rows, 'The workspace has no bots.');
  });

export const createBot = (io: Io) =>
  withConnection(
    createCommand('create', 'bots create Support --webhook-id support')
      .description(
        'Creates a bot with its own chat address. It does not respond until code or a webhook is configured.',
      )
      .argument('<name>', 'The name of the bot.')
      .option('--webhook-id <id>', 'The last part of the chat address. Default: generated.')
      .option(
        '--code <file>',
        'The module that the bot runs, a file in the server’s folder of bots (`BOTS`) such as `shop.mjs`.',
      )
      .option('--webhook-url <address>', 'The address that receives the bot’s events, instead of code.')
      .option(...jsonOption),
    'workspace',
  ).action(async (name, options) => {
    const { code, webhookId, webhookUrl } = options;
    if (code !== undefined && webhookUrl !== undefined) {
      throw new UsageError('Pass either --code or --webhook-url, not both.');
    }
    const client = await connect('workspace', options, io);
    const { signal } = io;
    const input = {
      name,
      ...(webhookId !== undefined && { webhookId }),
      ...(code !== undefined && { code }),
      ...(webhookUrl !== undefined && { webhookUrl }),
    };
    const { bot } = await client.createBot(input, { signal });
    const { deployment } = await client.getBotDeployment({ id: bot.id }, { signal });
    if (options.json) return printJson(io, { bot, chatUrl: deployment.chatUrl });
    io.stdout.write(`Bot   ${bot.id}\nName  ${oneLine(bot.name)}\nChat  ${deployment.chatUrl}\n`);
  });

export const snippet = (io: Io) =>
  withConnection(
    createCommand('snippet', 'snippet Support')
      .description('Prints the HTML that embeds a bot’s chat in a page.')
      .argument('<bot>', 'The id of the bot, or its name.'),
    'workspace',
  ).action(async (bot, options) => {
    const client = await connect('workspace', options, io);
    const { id } = await findBot(client, bot, io.signal);
    const found = await client.getBotSnippet({ id }, { signal: io.signal });
    io.stdout.write(`${found.snippet}\n`);
  });

/** The bot with this id, or else the only one with this name. */
export async function findBot(client: Client, idOrName: string, signal: AbortSignal): Promise<Bot> {
  const named: Bot[] = [];
  for await (const bot of client.list.bots({}, { signal })) {
    if (bot.id === idOrName) return bot;
    if (bot.name === idOrName) named.push(bot);
  }
  const [only, another] = named;
  if (!only) {
    throw new CliError(`Bot '${idOrName}' not found. \`platform-webchat bots list\` lists the bots.`);
  }
  if (another) {
    const ids = named.map(({ id }) => id).join(', ');
    throw new CliError(`${named.length} bots have this name. Pass one of their ids: ${ids}.`);
  }
  return only;
}
