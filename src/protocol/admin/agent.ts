// An agent at an address that answers the visitors of a bot.

/** The protocols of agents. */
export const protocolNames = ['openai-chat', 'openai-responses', 'ag-ui', 'ai-sdk'] as const;
export type ProtocolName = (typeof protocolNames)[number];

/** What visitors can see of the work of an agent, besides its text. `tools`: their names and states. */
export const agentShown = ['status', 'reasoning', 'tools', 'tool-input', 'tool-output', 'sources'] as const;
export type AgentShown = (typeof agentShown)[number];

/** Without reasoning and values of tools: they have data of others and internal names more often than a visitor needs them. */
export const defaultAgentShown: readonly AgentShown[] = ['status', 'tools', 'sources'];
