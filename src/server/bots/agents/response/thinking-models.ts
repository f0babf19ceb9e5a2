// Remembers the models that write reasoning as text which only a closing tag ends: the text of their next answers waits for it.
import type { Agent } from '../agent.ts';

export interface ThinkingModels {
  has(agent: ModelOfAgent): boolean;
  add(agent: ModelOfAgent): void;
}

type ModelOfAgent = Pick<Agent, 'url' | 'model'>;

/** The most models that are remembered, the newest. */
const most = 1_000;

const keyOf = ({ url, model = '' }: ModelOfAgent): string => `${model} ${url}`;

export function createThinkingModels(): ThinkingModels {
  const known = new Set<string>();
  return {
    has: (agent) => known.has(keyOf(agent)),
    add(agent) {
      const key = keyOf(agent);
      known.delete(key);
      known.add(key);
      const [oldest = ''] = known;
      if (known.size > most) known.delete(oldest);
    },
  };
}
