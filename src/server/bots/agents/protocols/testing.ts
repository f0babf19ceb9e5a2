// Helpers for tests of protocols.
import { createParser } from 'eventsource-parser';
import type { AgentEvent, AgentProtocol, AgentRun, ServerEvent } from '../protocol.ts';
import { testRun } from '../testing.ts';

/** A run with one message, and some other fields. */
export const runOf = (fields: Partial<AgentRun> = {}): AgentRun =>
  testRun({
    ...{ runId: 'run_1', conversationId: 'conversation_1', model: undefined, instructions: '' },
    history: [
      { id: 'message_1', role: 'user', text: 'Where is A-1?', createdAt: '2026-01-02T03:04:05.000Z' },
    ],
    ...fields,
  });

/** A tool that the page offers. */
export const pageTool = {
  name: 'open_page',
  description: 'Opens a page.',
  inputSchema: { type: 'object', properties: { path: { type: 'string' } } },
};

/** The events that a protocol reads from a stream of these objects (or texts, as they are) and its end. */
export function readAll(
  protocol: AgentProtocol,
  events: readonly unknown[],
  run: AgentRun = runOf(),
): AgentEvent[] {
  const reader = protocol.createReader(run);
  const found = events.flatMap((event) => [
    ...reader.read({ event: 'message', data: typeof event === 'string' ? event : JSON.stringify(event) }),
  ]);
  return [...found, ...reader.end()];
}

/** The events that a protocol reads from the text of a stream, which is given to a parser in pieces of `size` characters. */
export function readStream(
  protocol: AgentProtocol,
  text: string,
  run: AgentRun = runOf(),
  size = 1,
): AgentEvent[] {
  const reader = protocol.createReader(run);
  const found: AgentEvent[] = [];
  const read = (event: ServerEvent) => found.push(...reader.read(event));
  const parser = createParser({ onEvent: ({ event = 'message', data }) => read({ event, data }) });
  for (let index = 0; index < text.length; index += size) parser.feed(text.slice(index, index + size));
  return [...found, ...reader.end()];
}

/** The events as the text of a stream. */
export const streamOf = (events: readonly unknown[]): string =>
  events.map((event) => `data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`).join('');

/** The text of an answer, with its paragraphs. */
export const answerOf = (events: readonly AgentEvent[]): string =>
  events
    .map((event) => (event.type === 'text' ? event.delta : event.type === 'paragraph' ? '\n\n' : ''))
    .join('');

/** The calls of an answer: name, input and result. */
export function callsOf(events: readonly AgentEvent[]) {
  const calls = new Map<string, { name: string; input?: unknown; output?: unknown; end?: string }>();
  for (const event of events) {
    if (event.type === 'tool') calls.set(event.id, { name: event.name });
    if (event.type === 'tool-input') Object.assign(calls.get(event.id) ?? {}, { input: event.input });
    if (event.type === 'tool-output') Object.assign(calls.get(event.id) ?? {}, { output: event.output });
    if (event.type === 'tool-error' || event.type === 'tool-denied')
      Object.assign(calls.get(event.id) ?? {}, { end: event.type });
  }
  return Object.fromEntries(calls);
}

/** The last state that the reader gave with `saveState`. */
export const savedStateOf = (events: readonly AgentEvent[]): unknown =>
  events.flatMap((event) => (event.type === 'saveState' ? [event.state] : [])).at(-1);
