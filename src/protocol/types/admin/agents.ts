// Generated from src/protocol/schemas/admin/agents.ts by type-modules.test.ts (`npm run generate`). Do not edit.
// biome-ignore-all format: generated
// biome-ignore-all assist/source/organizeImports: generated

/** The agent of a bot. Its key and the values of its headers cannot be read. */
export interface AgentDeployment {
  url: string;
  protocol: 'openai-chat' | 'openai-responses' | 'ag-ui' | 'ai-sdk';
  model?: string;
  /** Returned only to callers who may change it, like the next field. */
  instructions?: string;
  /** Merged into the body of each request last; null removes a field. */
  options?: Record<string, unknown>;
  show: ('status' | 'reasoning' | 'tools' | 'tool-input' | 'tool-output' | 'sources' | 'snippets')[];
  /**
   * Ids or names of knowledge bases, or `all`: the agent gets passages of their files, and may tell their content to
   * anybody who can open the chat.
   */
  knowledge?: 'all' | string[];
  /** Seconds without a byte after which a run fails; by default those of the setting `AGENT_TIMEOUT`. */
  timeout?: number;
  /** Whether requests have a key. */
  hasKey: boolean;
  /** The names of further headers. */
  headerNames: string[];
}
