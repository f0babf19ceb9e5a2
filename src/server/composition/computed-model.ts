// The language model of computed columns.
import type { Agent } from '../bots/index.ts';
import type { ModelOptions } from '../tables/index.ts';

/** The language model of computed columns: the agent, if it has chat completions. */
export const modelOf = (agent: Agent | undefined): ModelOptions | undefined =>
  agent?.protocol === 'openai-chat' && agent.model !== undefined
    ? { url: agent.url, key: agent.key, headers: agent.headers, model: agent.model, options: agent.options }
    : undefined;
