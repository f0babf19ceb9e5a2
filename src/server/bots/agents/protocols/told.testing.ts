// Short forms of the events that readers of protocols return, for the expectations of tests.
import type { AgentEvent } from '../protocol.ts';

type Of<Type extends AgentEvent['type']> = Extract<AgentEvent, { type: Type }>;

export const text = (delta: string): AgentEvent => ({ type: 'text', delta });
export const reasoning = (delta: string): AgentEvent => ({ type: 'reasoning', delta });
export const textWasReasoning: AgentEvent = { type: 'text-was-reasoning' };
export const step: AgentEvent = { type: 'step' };
export const paragraph: AgentEvent = { type: 'paragraph' };
export const status = (words: string): AgentEvent => ({ type: 'status', text: words });
export const tool = (id: string, name: string, title?: string): AgentEvent =>
  title === undefined ? { type: 'tool', id, name } : { type: 'tool', id, name, title };
export const input = (id: string, value: unknown): AgentEvent => ({ type: 'tool-input', id, input: value });
export const output = (id: string, value: unknown): AgentEvent => ({
  type: 'tool-output',
  id,
  output: value,
});
export const error = (id: string): AgentEvent => ({ type: 'tool-error', id });
export const denied = (id: string): AgentEvent => ({ type: 'tool-denied', id });
export const source = (title: string, more: { url?: string; end?: number } = {}): Of<'source'> => {
  return { type: 'source', title, ...more };
};
export const usage = (inputTokens: number, outputTokens: number): AgentEvent => {
  return { type: 'usage', inputTokens, outputTokens };
};
export const interrupt = (asked: Of<'interrupt'>['interrupt']): AgentEvent => {
  return { type: 'interrupt', interrupt: asked };
};
export const failed = (code: Of<'failed'>['code']): AgentEvent => ({ type: 'failed', code });
export const ended = (reason: Of<'end'>['reason']): AgentEvent => ({ type: 'end', reason });
export const finished = ended('finished');
