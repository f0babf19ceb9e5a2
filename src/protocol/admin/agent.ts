// An agent at an address that answers the visitors of a bot.

export type { AgentDeployment } from '../types/bots.ts';

/** The protocols of agents. */
export const protocolNames = ['openai-chat', 'openai-responses', 'ag-ui', 'ai-sdk'] as const;
export type ProtocolName = (typeof protocolNames)[number];

/**
 * What visitors can see of the work of an agent, besides its text. `tools`: their names and states. `snippets`: the passages of
 * `sources`.
 */
export const agentShown = [
  'status',
  'reasoning',
  'tools',
  'tool-input',
  'tool-output',
  'sources',
  'snippets',
] as const;
export type AgentShown = (typeof agentShown)[number];

/** Without reasoning and values of tools: they have data of others and internal names more often than a visitor needs them. */
export const defaultAgentShown: readonly AgentShown[] = ['status', 'tools', 'sources'];

/** Seconds of a run of an agent, and of the longest silence within one. */
export const maxAgentTimeout = 300;

/** Headers of the connection and of the body, which the server sets itself. */
const ownHeaders = [
  'connection',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/** Whether a header has a valid name (RFC 9110, 5.1) and a value of printable ASCII characters. */
export const isAllowedHeader = (name: string, value: unknown): boolean =>
  /^[\w!#$%&'*+.^`|~-]{1,100}$/.test(name) &&
  !ownHeaders.includes(name.toLowerCase()) &&
  typeof value === 'string' &&
  /^[\x21-\x7e](?:[\x20-\x7e]{0,3998}[\x21-\x7e])?$/.test(value);
