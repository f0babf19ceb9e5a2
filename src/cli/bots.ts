// `bots list|create`, `snippet`: the bots of a workspace, and what puts one on a page.

import type { Client } from '../client/index.ts';
import type { Bot } from '../protocol/admin.ts';
import { command } from './command.ts';
import { CliError, oneLine, UsageError } from './errors.ts';
import { printJson, printTable } from './output.ts';

export const listBots = command({
  name: 'bots list',
  summary: 'Lists the bots of the workspace, newest first.',
  needs: 'workspace',
  options: { json: { doc: 'Prints JSON, for programs.' } },
  example: 'bots list --json',
  async run({ io, options, connect }) {
    const client = await connect();
    const bots = await client.list.bots({}, { signal: io.signal }).collect();
    if (options.json) return printJson(io, { bots });
    const rows = bots.map(({ id, name, createdAt, deployedAt }) => [id, name, createdAt, deployedAt]);
    printTable(io, ['ID', 'NAME', 'CREATED', 'DEPLOYED'], rows, 'There is no bot in this workspace.');
  },
});

export const createBot = command({
  name: 'bots create',
  summary: 'Makes a bot with a chat address of its own. It answers when it has code or a webhook.',
  needs: 'workspace',
  parameter: { name: 'NAME', doc: 'The name of the bot.' },
  options: {
    'webhook-id': { value: 'ID', doc: 'The last part of its chat address. Default: one is made.' },
    code: {
      value: 'FILE',
      doc: 'What it runs: a module in the server’s folder of bots (`BOTS`), as `shop.mjs`.',
    },
    'webhook-url': { value: 'ADDRESS', doc: 'Where its events go, in the place of code.' },
    json: { doc: 'Prints JSON, for programs.' },
  },
  example: 'bots create Support --webhook-id support',
  async run({ io, parameter, options, connect }) {
    const { code, 'webhook-id': webhookId, 'webhook-url': webhookUrl } = options;
    if (code !== undefined && webhookUrl !== undefined) {
      throw new UsageError('Give --code or --webhook-url, not both.');
    }
    const client = await connect();
    const { signal } = io;
    const given = {
      name: parameter,
      ...(webhookId !== undefined && { webhookId }),
      ...(code !== undefined && { code }),
      ...(webhookUrl !== undefined && { webhookUrl }),
    };
    const { bot } = await client.createBot(given, { signal });
    const { deployment } = await client.getBotDeployment({ id: bot.id }, { signal });
    if (options.json) return printJson(io, { bot, chatUrl: deployment.chatUrl });
    io.stdout.write(`Bot   ${bot.id}\nName  ${oneLine(bot.name)}\nChat  ${deployment.chatUrl}\n`);
  },
});

export const snippet = command({
  name: 'snippet',
  summary: 'Prints the HTML that puts a bot’s chat on a page.',
  needs: 'workspace',
  parameter: { name: 'BOT', doc: 'The id of the bot, or its name.' },
  options: {},
  example: 'snippet Support',
  async run({ io, parameter, connect }) {
    const client = await connect();
    const { id } = await findBot(client, parameter, io.signal);
    const found = await client.getBotSnippet({ id }, { signal: io.signal });
    io.stdout.write(`${found.snippet}\n`);
  },
});

/** The bot with this id, or else the only one with this name. */
export async function findBot(client: Client, asked: string, signal: AbortSignal): Promise<Bot> {
  const named: Bot[] = [];
  for await (const bot of client.list.bots({}, { signal })) {
    if (bot.id === asked) return bot;
    if (bot.name === asked) named.push(bot);
  }
  const [only, another] = named;
  if (!only) {
    throw new CliError(
      `There is no bot '${asked}'. \`platform-webchat bots list\` shows those that there are.`,
    );
  }
  if (another) {
    const ids = named.map(({ id }) => id).join(', ');
    throw new CliError(`There are ${named.length} bots of this name. Take an id: ${ids}.`);
  }
  return only;
}
