// A run of an agent for tests.
import type { AgentRun } from './protocol.ts';

/** Returns the first run of a conversation that has one message. */
export const testRun = (fields: Partial<AgentRun> = {}): AgentRun => ({
  runId: 'event-1',
  conversationId: 'conversation-1',
  model: 'test-model',
  instructions: 'Be kind.',
  history: [{ id: 'message-1', role: 'user', text: 'Hello', createdAt: '2026-01-01T00:00:00.000Z' }],
  knowledge: [],
  tools: [],
  context: [],
  state: undefined,
  resume: [],
  maxOutputTokens: 2_048,
  ...fields,
});
