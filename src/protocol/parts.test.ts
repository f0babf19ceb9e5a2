// Laws of the changes of parts.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  applyPartChange,
  isRunningPart,
  mergePartChanges,
  omitLongValues,
  type Part,
  type PartChange,
  settleParts,
  textOfInterrupts,
  toolStates,
} from './parts.ts';

const fields = fc.record(
  {
    text: fc.oneof(fc.string(), fc.constant(null)),
    textDelta: fc.string(),
    title: fc.oneof(fc.string(), fc.constant(null)),
    state: fc.constantFrom(...toolStates),
  },
  { requiredKeys: [] },
);
const change = (id: string) => fields.map((field): PartChange => ({ id, ...field }) as PartChange);

test('two changes of a part do the same as both together', () => {
  fc.assert(
    fc.property(fc.option(change('a')), change('a'), change('a'), (before, first, second) => {
      const parts = before ? applyPartChange([], before) : [];
      const apart = applyPartChange(applyPartChange(parts, first), second);
      expect(applyPartChange(parts, mergePartChanges(first, second))).toEqual(apart);
    }),
    { numRuns: 2_000 },
  );
});

test('a change adds a part at the end, or changes the part of its id in its place', () => {
  const parts = [
    { id: 'a', at: 0, type: 'status', text: 'A' },
    { id: 'b', at: 1, type: 'source', title: 'B', url: 'https://example.com' },
  ] as Part[];
  expect(applyPartChange(parts, { id: 'a', text: 'C' }).map(({ id }) => id)).toEqual(['a', 'b']);
  expect(applyPartChange(parts, { id: 'b', url: null })[1]).toEqual({
    id: 'b',
    at: 1,
    type: 'source',
    title: 'B',
  });
  expect(applyPartChange(parts, { id: 'c', type: 'status' }).map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  expect(parts).toHaveLength(2);
});

test('nothing runs in an answer that has ended, and what had ended is unchanged', () => {
  const now = '2026-01-01T00:00:00.000Z';
  const tools = toolStates.map((state): Part => ({ id: state, at: 0, type: 'tool', toolName: 't', state }));
  const parts: Part[] = [
    { id: 's', at: 0, type: 'status', text: 'Searching' },
    { id: 'r', at: 0, type: 'reasoning', text: 'Hm', state: 'streaming', startedAt: now },
    ...tools,
    { id: 'q', at: 0, type: 'source', title: 'Q' },
  ];
  const settled = settleParts(parts, now);
  expect(settled.filter(isRunningPart)).toEqual([]);
  expect(settled.map(({ id }) => id)).toEqual(['r', ...toolStates, 'q']);
  expect(settled[0]).toMatchObject({ state: 'done', endedAt: now });
  expect(settled.slice(1, -1).map((part) => (part.type === 'tool' ? part.state : ''))).toEqual([
    'cancelled',
    'cancelled',
    'cancelled',
    'cancelled',
    'output-available',
    'output-error',
    'output-denied',
    'cancelled',
  ]);
  expect(settleParts(settled, 'later')).toEqual(settled);
});

test('lists have no long texts and values of parts, and say so', () => {
  const part: Part = {
    id: 't',
    at: 0,
    type: 'tool',
    toolName: 't',
    state: 'output-available',
    input: { a: 'x'.repeat(2_000) },
    output: 'short',
  };
  expect(omitLongValues(part)).toEqual({
    id: 't',
    at: 0,
    type: 'tool',
    toolName: 't',
    state: 'output-available',
    output: 'short',
    omitted: true,
  });
  const { input: _, ...small } = part;
  expect(omitLongValues(small as Part)).toBe(small);
});

const asked = (state: 'open' | 'resolved' | 'cancelled'): Part => ({
  id: 'i',
  at: 0,
  type: 'interrupt',
  reason: 'tool_call',
  message: 'Send it?',
  toolId: 't',
  input: { text: 'x'.repeat(2_000) },
  expiresAt: '2026-01-01T00:00:00.000Z',
  state,
});

test.each([
  ['open', 'approval-requested', 'approval-requested'],
  ['open', 'approval-responded', 'cancelled'],
  ['open', 'input-available', 'cancelled'],
  ['open', 'output-available', 'output-available'],
  ['resolved', 'approval-responded', 'approval-responded'],
  ['resolved', 'approval-requested', 'cancelled'],
  ['cancelled', 'approval-requested', 'cancelled'],
  ['cancelled', 'approval-responded', 'cancelled'],
] as const)('of an interrupt that is %s, a tool that is %s becomes %s at the end', (state, before, after) => {
  const tool: Part = { id: 't', at: 0, type: 'tool', toolName: 'send', state: before };
  const other: Part = { ...tool, id: 'other' };
  const [first, second] = settleParts([tool, other, asked(state)], '');
  expect(first).toMatchObject({ state: after });
  expect(second).toMatchObject({ state: after === 'output-available' ? after : 'cancelled' });
});

test('an interrupt that waits keeps its long input, and one that is settled does not', () => {
  expect(omitLongValues(asked('open'))).toEqual(asked('open'));
  expect(omitLongValues(asked('resolved'))).toMatchObject({ omitted: true });
  expect(omitLongValues(asked('resolved'))).not.toHaveProperty('input');
});

test('the text of interrupts is that of all, in their order', () => {
  const second = { ...asked('open'), id: 'j', message: 'And now?' } as Part;
  expect(textOfInterrupts([asked('resolved'), { id: 's', at: 0, type: 'status', text: 'S' }, second])).toBe(
    'Send it?\n\nAnd now?',
  );
});
