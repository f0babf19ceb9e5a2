// `bots list|create|update|deploy|delete` and `snippet`: the bots of a workspace, and the HTML that embeds one.
import { readFile } from 'node:fs/promises';
import {
  type AgentShown,
  agentShown,
  maxAgentTimeout,
  type ProtocolName,
  protocolNames,
} from '../protocol/admin.ts';
import type { Deployment } from '../protocol/types/bots.ts';
import { createCommand } from './command.ts';
import { connect, withConnection } from './connection.ts';
import { oneLine, UsageError } from './errors.ts';
import type { Io } from './io.ts';
import { findBot } from './names.ts';
import { jsonOption, printJson, printTable } from './output.ts';

const botArgument = ['<bot>', 'The bot: its id, or its name.'] as const;
const codeOption = [
  '--code <file>',
  'The module that the bot runs, a file in the server’s folder of bots (`BOTS`) such as `shop.mjs`.',
] as const;
const webhookOption = [
  '--webhook-url <address>',
  'The address that receives the bot’s events, instead of code.',
] as const;

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
        'Creates a bot with its own chat address. It does not respond until code, a webhook or an agent is configured. With a webhook, prints the secret that signs its requests.',
      )
      .argument('<name>', 'The name of the bot. No other bot of the workspace may have it.')
      .option('--webhook-id <id>', 'The last part of the chat address. Default: generated.')
      .option(...codeOption)
      .option(...webhookOption)
      .option(...jsonOption),
    'workspace',
  ).action(async (name, options) => {
    const { webhookId } = options;
    const input = {
      name,
      ...(webhookId !== undefined && { webhookId }),
      ...deploymentOf(options),
    };
    const client = await connect('workspace', options, io);
    const { signal } = io;
    const { bot } = await client.createBot(input, { signal });
    const { deployment } = await client.getBotDeployment({ id: bot.id }, { signal });
    const { chatUrl, signingSecret } = deployment;
    if (options.json) {
      return printJson(io, { bot, chatUrl, ...(signingSecret !== undefined && { signingSecret }) });
    }
    io.stdout.write(`Bot   ${bot.id}\nName  ${oneLine(bot.name)}\nChat  ${chatUrl}\n`);
    printSecret(io, deployment);
  });

export const updateBot = (io: Io) =>
  withConnection(
    createCommand('update', 'bots update Support --name Help --tag team=sales')
      .description('Changes the name or the tags of a bot.')
      .argument(...botArgument)
      .option('--name <name>', 'The new name.')
      .option(
        '--tag <name=value>',
        'Sets a tag; without a value, `--tag team=`, removes it. Can be repeated.',
        (text, earlier: string[] = []) => [...earlier, text],
      )
      .option(...jsonOption),
    'workspace',
  ).action(async (idOrName, options) => {
    const { name, tag } = options;
    if (name === undefined && tag === undefined)
      throw new UsageError('Nothing to change. Pass --name or --tag.');
    const tags = tag && Object.fromEntries(tag.map(tagOf));
    const client = await connect('workspace', options, io);
    const { id } = await findBot(client, idOrName, io.signal);
    const input = { id, ...(name !== undefined && { name }), ...(tags && { tags }) };
    const { bot } = await client.updateBot(input, { signal: io.signal });
    if (options.json) return printJson(io, { bot });
    const words = Object.entries(bot.tags).map(([key, value]) => `${key}=${value}`);
    io.stdout.write(
      `Bot   ${bot.id}\nName  ${oneLine(bot.name)}\nTags  ${oneLine(words.join(' ')) || '-'}\n`,
    );
  });

const agentOption = [
  '--agent <address>',
  'The address of an agent that answers the visitors, instead of code. Its key is AGENT_KEY in the environment, further headers are AGENT_HEADERS.',
] as const;

export const deployBot = (io: Io) =>
  withConnection(
    createCommand('deploy', 'bots deploy Support --webhook-url https://bot.example.com/events')
      .description(
        'Sets the program of a bot: a module in the server’s folder of bots, a webhook, or an agent at an address. With a first webhook, prints the secret that signs its requests.',
      )
      .argument(...botArgument)
      .option(...codeOption)
      .option(...webhookOption)
      .option(
        '--webhook-format <format>',
        'With `--webhook-url`: `hosted` for a bot that is written with the SDK of the hosted product, or `standard`.',
      )
      .option(...agentOption)
      .option(
        '--agent-protocol <protocol>',
        `With \`--agent\`: ${protocolNames.join(', ')}. Default: by the address.`,
      )
      .option('--agent-model <name>', 'With `--agent`: the name of the model.')
      .option('--agent-instructions <file>', 'With `--agent`: a text file with instructions.')
      .option('--agent-options <json>', 'With `--agent`: fields that are merged into each request.')
      .option(
        '--agent-show <names>',
        `With \`--agent\`: the parts of an answer that visitors see: ${agentShown.join(',')}, or none.`,
      )
      .option(
        '--agent-knowledge <bases>',
        'With `--agent`: ids or names of knowledge bases from whose files it answers, or all. Anybody who can open the chat may get their content.',
      )
      .option(
        '--agent-timeout <seconds>',
        'With `--agent`: seconds without a byte after which a run fails. Default: those of the server.',
      )
      .option('--none', 'Removes the code, the webhook or the agent: the bot does not respond.')
      .option(...jsonOption),
    'workspace',
  ).action(async (idOrName, options) => {
    const agent = await agentOf(options, io.env);
    const changes = { ...deploymentOf(options), ...(agent && { agent }) };
    const { none = false, webhookFormat } = options;
    if (Object.keys(changes).length + Number(none) !== 1) {
      throw new UsageError('Pass one of --code, --webhook-url, --agent and --none.');
    }
    if (webhookFormat !== undefined && !isFormat(webhookFormat)) {
      throw new UsageError('--webhook-format must be hosted or standard.');
    }
    if (webhookFormat !== undefined && options.webhookUrl === undefined) {
      throw new UsageError('--webhook-format needs --webhook-url.');
    }
    const client = await connect('workspace', options, io);
    const { signal } = io;
    const { id, name } = await findBot(client, idOrName, signal);
    const { deployment: before } = await client.getBotDeployment({ id }, { signal });
    const input = none
      ? { code: null, webhookUrl: null, agent: null }
      : { ...changes, ...(webhookFormat !== undefined && { webhookFormat }) };
    const { deployment } = await client.setBotDeployment({ id, ...input }, { signal });
    const { chatUrl, code, webhookUrl, agent: deployed, signingSecret } = deployment;
    const isNew = signingSecret !== before.signingSecret;
    if (options.json) {
      return printJson(io, {
        id,
        chatUrl,
        code,
        webhookUrl,
        agent: deployed,
        ...(isNew && { signingSecret }),
      });
    }
    const runs = code ?? webhookUrl ?? deployed?.url ?? 'nothing';
    io.stdout.write(`Bot   ${id}\nName  ${oneLine(name)}\nRuns  ${oneLine(runs)}\nChat  ${chatUrl}\n`);
    if (isNew) printSecret(io, deployment);
  });

export const deleteBot = (io: Io) =>
  withConnection(
    createCommand('delete', 'bots delete Support --yes')
      .description('Deletes a bot with its users, conversations, files, tables and tokens.')
      .argument(...botArgument)
      .option('--yes', 'Confirms the deletion. Required, because it cannot be undone.'),
    'workspace',
  ).action(async (idOrName, options) => {
    if (!options.yes)
      throw new UsageError('The bot and all its data would be deleted. Pass --yes to confirm.');
    const client = await connect('workspace', options, io);
    const { id, name } = await findBot(client, idOrName, io.signal);
    await client.deleteBot({ id }, { signal: io.signal });
    io.stderr.write(`Deleted ${oneLine(name)} (${id}).\n`);
  });

export const snippet = (io: Io) =>
  withConnection(
    createCommand('snippet', 'snippet Support')
      .description('Prints the HTML that embeds a bot’s chat in a page.')
      .argument(...botArgument),
    'workspace',
  ).action(async (bot, options) => {
    const client = await connect('workspace', options, io);
    const { id } = await findBot(client, bot, io.signal);
    const found = await client.getBotSnippet({ id }, { signal: io.signal });
    io.stdout.write(`${found.snippet}\n`);
  });

const isFormat = (text: string): text is 'hosted' | 'standard' => text === 'hosted' || text === 'standard';

/** Returns the values that the options of a command set. Throws UsageError for both at once. */
function deploymentOf({ code, webhookUrl }: { code?: unknown; webhookUrl?: unknown }): {
  code?: string;
  webhookUrl?: string;
} {
  if (code !== undefined && webhookUrl !== undefined) {
    throw new UsageError('Pass either --code or --webhook-url, not both.');
  }
  return {
    ...(typeof code === 'string' && { code }),
    ...(typeof webhookUrl === 'string' && { webhookUrl }),
  };
}

/** The secret is on stdout, so that a script can read it. The API returns it again, to those who may change the bot. */
function printSecret({ stdout, stderr }: Io, { signingSecret }: Deployment): void {
  if (signingSecret === undefined) return;
  stdout.write(`Sign  ${signingSecret}\n`);
  stderr.write(
    'The last line is the secret with which the webhook checks that a request is from this server.\n',
  );
}

/** `team=sales` sets a tag, `team=` removes it. */
function tagOf(text: string): [string, string | null] {
  const at = text.indexOf('=');
  if (at < 1) throw new UsageError('--tag must have the form name=value.');
  return [text.slice(0, at), text.slice(at + 1) || null];
}

/** The options, as commander returns them. */
interface AgentOptions {
  agent?: string | undefined;
  agentProtocol?: string | undefined;
  agentModel?: string | undefined;
  agentInstructions?: string | undefined;
  agentOptions?: string | undefined;
  agentShow?: string | undefined;
  agentKnowledge?: string | undefined;
  agentTimeout?: string | undefined;
}

/**
 * Returns the agent for setBotDeployment; undefined without an address. Its key and headers are read from the environment,
 * because every user of the machine can read a command line. Throws UsageError.
 */
export async function agentOf(options: AgentOptions, env: Record<string, string | undefined>) {
  const { agent: url, agentProtocol: protocol, agentModel: model, agentInstructions: file } = options;
  if (url === undefined) {
    const agentOption = Object.entries(options).find(
      ([name, value]) => /^agent[A-Z]/.test(name) && value !== undefined,
    );
    if (agentOption) throw new UsageError('The other options of agents need --agent.');
    return undefined;
  }
  if (protocol !== undefined && !isProtocol(protocol)) {
    throw new UsageError(`--agent-protocol must be one of ${protocolNames.join(', ')}.`);
  }
  const { AGENT_KEY: key, AGENT_HEADERS: headers } = env;
  return {
    url,
    ...(protocol === undefined ? {} : { protocol }),
    ...(model === undefined ? {} : { model }),
    ...(file === undefined ? {} : { instructions: await readText(file) }),
    ...(options.agentOptions === undefined
      ? {}
      : { options: jsonObject('--agent-options', options.agentOptions) }),
    ...(options.agentShow === undefined ? {} : { show: shownOf(options.agentShow) }),
    ...(options.agentKnowledge === undefined ? {} : { knowledge: knowledgeOf(options.agentKnowledge) }),
    ...(options.agentTimeout === undefined ? {} : { timeout: secondsOf(options.agentTimeout) }),
    ...(key ? { key } : {}),
    ...(headers ? { headers: jsonObject('AGENT_HEADERS', headers) as Record<string, string> } : {}),
  };
}

const isProtocol = (text: string): text is ProtocolName => protocolNames.some((name) => name === text);

function shownOf(text: string): AgentShown[] {
  const names = text === 'none' ? [] : text.split(',').map((name) => name.trim());
  if (names.every((name): name is AgentShown => agentShown.some((one) => one === name))) return names;
  throw new UsageError(
    `--agent-show must be names of ${agentShown.join(', ')}, separated by commas, or none.`,
  );
}

function knowledgeOf(text: string): string[] | 'all' {
  if (text === 'all') return text;
  const names = text.split(',').map((name) => name.trim());
  if (names.every((name) => name !== '')) return names;
  throw new UsageError(
    '--agent-knowledge must be ids or names of knowledge bases, separated by commas, or all.',
  );
}

function secondsOf(text: string): number {
  const seconds = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (seconds >= 1 && seconds <= maxAgentTimeout) return seconds;
  throw new UsageError(`--agent-timeout must be a whole number from 1 to ${maxAgentTimeout}.`);
}

/** The value is omitted from the error, because it may contain a secret. */
function jsonObject(name: string, text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // The error below covers it.
  }
  throw new UsageError(`${name} must be a JSON object.`);
}

const readText = (file: string): Promise<string> =>
  readFile(file, 'utf8').catch(() => {
    throw new UsageError(`The file ${file} cannot be read.`);
  });
