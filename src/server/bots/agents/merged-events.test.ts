// Tests how the events of a batch are merged.
import { expect, test } from 'vitest';
import { createEventMerger } from './merged-events.ts';
import type { AgentEvent } from './protocol.ts';
import * as told from './protocols/told.testing.ts';

const { text, reasoning: thought } = told;
const tool = told.tool('t', 'look');
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
      told.status('a'),
      told.status('b'),
      block('x', 1),
      block('x', 2),
      block('y', 3),
      told.paragraph,
      told.paragraph,
    ],
    [told.status('b'), block('x', 2), block('y', 3), told.paragraph],
  ],
  [
    'what counts each time',
    Array(2)
      .fill([tool, told.usage(1, 1)])
      .flat(),
    Array(2)
      .fill([tool, told.usage(1, 1)])
      .flat(),
  ],
  [
    'text of a batch that was reasoning',
    [text('a'), told.step, text('b'), tool, text('c'), told.textWasReasoning, text('d')],
    [text('a'), told.step, told.textWasReasoning, thought('b'), tool, thought('c'), text('d')],
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
