// The options of `bots deploy` that describe an agent at an address.
import { readFile } from 'node:fs/promises';
import {
  type AgentShown,
  agentShown,
  maxAgentTimeout,
  type ProtocolName,
  protocolNames,
} from '../../protocol/admin/agent.ts';
import { UsageError } from '../errors.ts';

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
    const given = Object.entries(options).find(
      ([name, value]) => /^agent[A-Z]/.test(name) && value !== undefined,
    );
    if (given) throw new UsageError('The other options of agents need --agent.');
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
