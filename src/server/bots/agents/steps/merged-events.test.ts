// Tests how the events of a batch are merged.
import { expect, test } from 'vitest';
import type { AgentEvent } from '../protocol.ts';
import { createEventMerger } from './merged-events.ts';

const text = (delta: string): AgentEvent => ({ type: 'text', delta });
const thought = (delta: string): AgentEvent => ({ type: 'reasoning', delta });
const tool: AgentEvent = { type: 'tool', id: 't', name: 'look' };
const block = (id: string, data: unknown): AgentEvent => ({
  type: 'block',
  id,
  name: 'n',
  data,
  fallback: '',
});

test.each<[string, AgentEvent[], AgentEvent[]]>([
  [
    'pieces of text and of reasoning',
    [text('a'), text('b'), thought('c'), thought('d'), text('e')],
    [text('ab'), thought('cd'), text('e')],
  ],
  ['text around a tool', [text('a'), tool, text('b'), text('c')], [text('a'), tool, text('bc')]],
  [
    'states of the same thing',
    [
      { type: 'status', text: 'a' },
      { type: 'status', text: 'b' },
      block('x', 1),
      block('x', 2),
      block('y', 3),
      { type: 'paragraph' },
      { type: 'paragraph' },
    ],
    [{ type: 'status', text: 'b' }, block('x', 2), block('y', 3), { type: 'paragraph' }],
  ],
  [
    'what counts each time',
    [
      tool,
      tool,
      { type: 'usage', inputTokens: 1, outputTokens: 1 },
      { type: 'usage', inputTokens: 1, outputTokens: 1 },
    ],
    [
      tool,
      tool,
      { type: 'usage', inputTokens: 1, outputTokens: 1 },
      { type: 'usage', inputTokens: 1, outputTokens: 1 },
    ],
  ],
  [
    'text of a batch that was reasoning',
    [text('a'), { type: 'step' }, text('b'), tool, text('c'), { type: 'text-was-reasoning' }, text('d')],
    [
      text('a'),
      { type: 'step' },
      { type: 'text-was-reasoning' },
      thought('b'),
      tool,
      thought('c'),
      text('d'),
    ],
  ],
  ['nothing', [], []],
])('merged events: %s', (_, events, expected) => {
  expect(createEventMerger().merge(events)).toEqual(expected);
});

test('merged events: half a character waits for its other half, also behind a tool and in the next batch', () => {
  const merger = createEventMerger();
  expect(merger.merge([text('a\ud83d'), thought('\ud83d'), tool])).toEqual([text('a'), tool]);
  expect(merger.merge([thought('\ude00'), text('\ude00b')])).toEqual([thought('😀'), text('😀b')]);
  expect(merger.merge([text('\ud83d'), text('!'), text('\ud83d')])).toEqual([text('\ufffd!')]);
});
