// Tests what is read from the parts of an answer: order, cuts, and values of any shape.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isRunningPart, type Part, type PartChange } from '../../protocol/parts.ts';
import { type Row, toRow } from '../chat/store/rows.ts';
import { toSpeech } from './main.tsx';
import { partsOf, readAnswer } from './read-parts.ts';

function rowOf(markdown: unknown, parts: unknown, status: Row['status'] = 'sent'): Row {
  const payload = { type: 'markdown', markdown } as Row['payload'];
  const message = {
    id: 'm',
    createdAt: '2026-01-01T00:00:00.000Z',
    userId: 'bot',
    conversationId: 'c',
    payload,
  };
  return { ...toRow('m', message, 'bot'), parts: parts as readonly PartChange[], status };
}
const tool = (id: string, at: number, state = 'output-available') => ({
  id,
  type: 'tool',
  at,
  toolName: id,
  state,
});
const shapeOf = (row: Row) =>
  readAnswer(row).pieces.map((piece) =>
    piece.type === 'steps' ? piece.steps.map(({ id }) => id) : piece.text,
  );

describe('the pieces of an answer', () => {
  test('text is cut where steps belong, and steps without text between them are one group', () => {
    const parts = [tool('c', 6), tool('a', 0), tool('b', 0), tool('d', 8)];
    expect(shapeOf(rowOf('First.\n\nSecond.', parts))).toEqual([
      ['a', 'b'],
      'First.',
      ['c', 'd'],
      '\n\nSecond.',
    ]);
  });

  test('a block ends a group, and is its text', () => {
    const block = { id: 'x', type: 'block', at: 0, name: 'order', data: {}, fallback: 'Order A-1' };
    expect(shapeOf(rowOf('Text', [tool('a', 0), block, tool('b', 0)]))).toEqual([
      ['a'],
      'Order A-1',
      ['b'],
      'Text',
    ]);
  });

  test('another payload is one piece, before or after its parts', () => {
    const row = { ...rowOf('', [tool('a', 0), tool('b', 9)]), payload: { type: 'text', text: 'Hi' } } as Row;
    expect(readAnswer(row).pieces.map(({ type }) => type)).toEqual(['steps', 'text', 'steps']);
  });

  test('keys stay the same while the answer grows', () => {
    const parts: PartChange[] = [tool('a', 0)];
    const keys: string[][] = [];
    let text = '';
    for (const word of ['One ', 'two', '\n\nThree', ' four']) {
      text += word;
      if (word === '\n\nThree') parts.push(tool('b', 'One two'.length));
      keys.push(readAnswer(rowOf(text, parts, 'streaming')).pieces.map(({ key }) => key));
    }
    expect(keys).toEqual([
      ['a', 'text 0'],
      ['a', 'text 0'],
      ['a', 'text 0', 'b', 'text 7'],
      ['a', 'text 0', 'b', 'text 7'],
    ]);
  });
});

test('sources have their numbers by their places', () => {
  const parts = ['a', 'b'].map((id) => ({ id, type: 'source', at: 0, title: id }));
  const { sources } = readAnswer(rowOf('', [parts[0], tool('t', 0), parts[1], { ...parts[0], title: 'c' }]));
  expect(sources.map(({ title }) => title)).toEqual(['c', 'b']);
});

test('suggestions send their value, by default their label', () => {
  const items = [{ label: 'One' }, { label: 'Two', value: '2' }, { label: ' ' }, null, 5, { value: 'x' }];
  const { suggestions } = readAnswer(rowOf('', [{ id: 's', type: 'suggestions', at: 0, items }]));
  expect(suggestions).toEqual([
    { label: 'One', text: 'One' },
    { label: 'Two', text: '2' },
  ]);
});

test('no part of a completed answer is running, however the answer has ended', () => {
  const parts = [
    tool('a', 0, 'input-streaming'),
    tool('b', 0, 'approval-requested'),
    {
      id: 'r',
      type: 'reasoning',
      at: 0,
      text: 'Hm',
      state: 'streaming',
      startedAt: '2026-01-01T00:00:00.000Z',
    },
    { id: 't', type: 'status', at: 0, text: 'Searching' },
  ];
  expect(partsOf(rowOf('', parts, 'streaming')).filter(isRunningPart)).toHaveLength(4);
  for (const status of ['aborted', 'sent'] as const) {
    const row = rowOf('', parts, status);
    expect(partsOf(row).filter(isRunningPart)).toEqual([]);
    expect(readAnswer(row).status).toBe('');
  }
});

test('a list that grows is read as the whole list is', () => {
  const grown: PartChange[] = [];
  const changes: PartChange[] = [
    { id: 'r', type: 'reasoning', at: 0, text: 'a', state: 'streaming' },
    { id: 'r', textDelta: 'b' },
    { id: 'r', state: 'done', endedAt: null },
  ];
  for (const change of changes) {
    grown.push(change);
    partsOf(rowOf('', grown, 'streaming'));
  }
  expect(partsOf(rowOf('', grown))).toEqual(partsOf(rowOf('', [...changes])));
  expect(partsOf(rowOf('', grown))).toEqual([
    { id: 'r', type: 'reasoning', at: 0, text: 'ab', state: 'done' },
  ]);
});

test('values of any shape are read without an error', () => {
  // JSON can hold an object that is neither a text nor a number: `String()` and `Number()` of it are errors.
  const inconvertible = fc.constantFrom({ toString: 0, valueOf: 0 }, [{ toString: 0 }]);
  const value = fc.oneof(fc.anything(), inconvertible);
  const part = fc.record(
    {
      id: fc.oneof(fc.constantFrom('a', 'b', '__proto__'), fc.string(), value),
      type: fc.oneof(
        fc.constantFrom(
          'status',
          'reasoning',
          'tool',
          'source',
          'suggestions',
          'block',
          'interrupt',
          'constructor',
        ),
        value,
      ),
      at: value,
      text: value,
      textDelta: fc.oneof(fc.string(), value),
      title: value,
      message: value,
      toolId: value,
      toolName: value,
      url: value,
      items: fc.oneof(fc.array(fc.oneof(fc.record({ label: value, value }), value)), value),
      state: value,
      fallback: value,
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(
      fc.oneof(fc.array(fc.oneof(part, fc.anything())), fc.anything()),
      fc.anything(),
      (parts, text) => {
        const { pieces } = readAnswer(rowOf(text, parts));
        const all = pieces.map((piece) => ('text' in piece ? piece.text : '')).join('');
        expect(typeof all).toBe('string');
      },
    ),
  );
});

test('no text is lost or said twice, wherever its parts are', () => {
  const run = fc.tuple(fc.string(), fc.array(fc.integer({ min: -5, max: 60 }), { maxLength: 8 }));
  fc.assert(
    fc.property(run, ([text, places]) => {
      const parts = places.map((at, i) => tool(`t${i}`, at)) as unknown as Part[];
      const pieces = readAnswer(rowOf(text, parts)).pieces;
      const all = pieces.map((piece) => (piece.type === 'text' ? piece.text : '')).join('');
      expect(text.startsWith(all) && text.slice(all.length).trim() === '').toBe(true);
    }),
  );
});

describe('the questions of an answer', () => {
  const ask = (id: string, more: object = {}) => ({
    id,
    type: 'interrupt',
    at: 0,
    reason: 'tool_call',
    message: `May I ${id}?`,
    expiresAt: '2026-01-01T00:00:00.000Z',
    state: 'open',
    ...more,
  });
  const asking = (text: string, ...parts: object[]): Row => ({
    ...rowOf('', parts),
    payload: { type: 'text', text },
  });

  test('a question belongs where it was asked, in the place of the tool that waits for it, with its title', () => {
    const waiting = { ...tool('send_mail', 6, 'approval-requested'), title: 'Send a mail' };
    const parts = [waiting, ask('send', { at: 6, toolId: 'send_mail', toolName: 'send_mail' }), ask('b')];
    const { pieces, steps } = readAnswer(rowOf('First.\n\nSecond.', parts));
    expect(pieces.map((piece) => [piece.type, 'title' in piece ? piece.title : ''])).toEqual([
      ['interrupt', ''],
      ['text', ''],
      ['interrupt', 'Send a mail'],
      ['text', ''],
    ]);
    expect(steps).toBe(0);
    expect(readAnswer(rowOf('', [ask('a', { toolName: 'pay' })])).pieces[0]).toMatchObject({ title: 'pay' });
  });

  test('a tool is a step again while it runs, and when it has ended with something to tell', () => {
    const shown = (state: string, part: object, more = {}, status: Row['status'] = 'sent') => {
      const row = rowOf('', [{ ...tool('pay', 0, state), ...more }, part], status);
      return readAnswer(row).pieces.map(({ type }) => type);
    };
    const answered = ask('a', { toolId: 'pay', state: 'resolved', by: 'visitor' });
    expect(shown('approval-responded', answered)).toEqual(['interrupt']);
    expect(shown('input-available', answered, {}, 'streaming')).toEqual(['steps', 'interrupt']);
    // The line of the answer says it already.
    for (const state of ['output-available', 'output-denied', 'cancelled'])
      expect(shown(state, answered)).toEqual(['interrupt']);
    for (const more of [{ output: 'Sent' }, { errorText: 'Closed' }, { omitted: true }])
      expect(shown('output-available', answered, more)).toEqual(['steps', 'interrupt']);
    // Nobody is asked for a tool of the page that only reads.
    expect(shown('approval-requested', ask('a', { toolId: 'pay', readOnly: true }))).toEqual(['steps']);
  });

  test('an answer that only asks has no other text', () => {
    const shown = (row: Row) => readAnswer(row).pieces.map((piece) => 'text' in piece && piece.text);
    expect(shown(asking('May I a?', ask('a')))).toEqual(['May I a?']);
    expect(shown(asking('May I a?\n\nMay I b?', ask('a'), ask('b')))).toEqual(['May I a?', 'May I b?']);
    expect(shown(asking('Something else', ask('a')))).toEqual(['May I a?', ' payload']);
  });

  test('an open question is announced with the need for an answer, and a settled one is not', () => {
    const said = (row: Row, text: string) => toSpeech(row, text, {});
    expect(said(asking('May I a?', ask('a')), 'May I a?')).toBe('May I a?\nAn answer is needed');
    expect(said(rowOf('Text.', [tool('t', 0), ask('a')]), 'Text.')).toBe(
      'Text.\n1 step\nMay I a?\nAn answer is needed',
    );
    const settled = ask('a', { state: 'resolved', response: { approved: true } });
    expect(said(rowOf('Text.', [settled]), 'Text.')).toBe('Text.');
    // Then the words of the payload are said.
    expect(said(asking('May I a?', settled), 'May I a?')).toBe('');
  });

  test('a tool of the page that changes something is a question, and one that only reads is not', () => {
    const call = { reason: 'client_tool', toolName: 'May I a?' };
    const { pieces, questions } = readAnswer(rowOf('', [ask('a', call)]));
    // The question is the name of the tool, so no title repeats it.
    expect(pieces).toMatchObject([{ type: 'interrupt', text: 'May I a?', title: '' }]);
    expect(questions).toEqual(['May I a?']);
    expect(readAnswer(rowOf('', [ask('a', { ...call, readOnly: true })])).pieces).toEqual([]);
  });
});

describe('blocks', () => {
  const block = (id: string, more: object = {}) => ({
    id,
    type: 'block',
    at: 0,
    name: 'order',
    data: { id },
    fallback: `Order ${id}`,
    ...more,
  });
  const texts = (row: Row) => readAnswer(row).pieces.map((piece) => 'text' in piece && piece.text);
  const ofBlocks = (text: string, ...parts: object[]): Row => ({
    ...rowOf('', parts),
    payload: { type: 'text', text },
  });

  test('an answer of blocks alone has no other text, and another text stays', () => {
    expect(texts(ofBlocks('Order a\n\nOrder b', block('a'), block('b')))).toEqual(['Order a', 'Order b']);
    expect(texts(ofBlocks('Hello', block('a')))).toEqual(['Order a', ' payload']);
  });

  test('a block without a text stands by its name', () => {
    expect(texts(rowOf('', [block('a', { fallback: ' ' })]))).toEqual(['order']);
    expect(texts(rowOf('', [block('a', { fallback: 3, name: {} })]))).toEqual(['']);
  });

  test('the texts of the page for its blocks are announced once, after the text', () => {
    const blocks = {
      draw: () => null,
      describe: ({ data }: { data: unknown }) => `It is ${(data as { id: string }).id}`,
    };
    expect(toSpeech(rowOf('Text.', [block('a'), tool('t', 0)]), 'Text.', { blocks })).toBe(
      'Text.\nIt is a\n1 step',
    );
    expect(toSpeech(ofBlocks('Order a', block('a')), 'Order a', { blocks })).toBe('It is a');
    // The page does not draw them.
    expect(toSpeech(ofBlocks('Order a', block('a')), 'Order a', {})).toBe('Order a');
    expect(toSpeech(rowOf('Text.', [block('a')]), 'Text.', {})).toBe('Text.\nOrder a');
  });
});
