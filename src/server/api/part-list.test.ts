// Parts are valid, within their limits, and a list of changes leads to the same parts everywhere.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyText } from '../../protocol/any-text.testing.ts';
import { limits } from '../../protocol/limits.ts';
import { applyPartChange, type NewPart, type Part, type PartChange } from '../../protocol/parts.ts';
import { ApiError } from './errors.ts';
import { createPartList, newParts } from './part-list.ts';

const now = '2026-01-01T00:00:00.000Z';
const tool = (id: string, more: object = {}): PartChange => ({
  id,
  at: 0,
  type: 'tool',
  toolName: 'get_order',
  state: 'input-available',
  ...more,
});
const reasoning = { id: 'r', at: 0, type: 'reasoning', state: 'streaming', startedAt: now };
const size = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

test('the changes that a list returns lead to its parts, whatever was asked for', () => {
  const text = anyText({ maxLength: 3_000 });
  const anyChange = fc.oneof(
    fc.record({ id: fc.constantFrom('a', 'b'), textDelta: text }),
    fc.record({
      id: fc.constantFrom('a', 'b'),
      text: fc.option(text),
      state: fc.constantFrom('done', 'streaming'),
    }),
    fc.record({
      id: fc.constantFrom('c', 'd'),
      input: fc.option(fc.jsonValue()),
      output: fc.option(text),
      title: fc.option(text),
    }),
  );
  fc.assert(
    fc.property(fc.array(anyChange, { maxLength: 30 }), (changes) => {
      const list = createPartList();
      let mirror: Part[] = [];
      const start = [
        { ...reasoning, id: 'a' },
        { ...reasoning, id: 'b' },
        tool('c'),
        tool('d'),
      ] as PartChange[];
      for (const change of [...start, ...changes] as PartChange[]) {
        const before = list.parts;
        const applied = list.apply(change);
        if (applied) mirror = applyPartChange(mirror, JSON.parse(JSON.stringify(applied)) as PartChange);
        else expect(list.parts).toBe(before);
        expect(JSON.stringify(mirror)).toBe(JSON.stringify(list.parts));
      }
      expect(size(list.parts)).toBeLessThanOrEqual(limits.parts.bytes + limits.parts.parts);
    }),
    { numRuns: 300 },
  );
});

test('reasoning grows piece by piece up to its limit, and says that it was cut', () => {
  const list = createPartList();
  list.apply(reasoning);
  expect(list.apply({ id: 'r', textDelta: 'Hm' })).toEqual({ id: 'r', text: 'Hm' });
  expect(list.apply({ id: 'r', textDelta: ', well' })).toEqual({ id: 'r', textDelta: ', well' });
  const cut = list.apply({ id: 'r', textDelta: 'x'.repeat(20_000) });
  expect(cut?.truncated).toBe(true);
  expect((list.parts[0] as { text: string }).text).toHaveLength(limits.parts.reasoning);
  expect(list.apply({ id: 'r', textDelta: 'more' })).toBeUndefined();
  expect(list.apply({ id: 'r', state: 'done' })).toEqual({ id: 'r', state: 'done' });
});

test('a long value becomes the beginning of its JSON, at most 4,000 bytes, and short ones stay as they are', () => {
  const list = createPartList();
  list.apply(tool('t', { input: { id: 'A-1' }, output: { rows: ['é'.repeat(5_000)] } }));
  const [part] = list.parts;
  expect(part).toMatchObject({ input: { id: 'A-1' }, truncated: true });
  const { output } = part as { output: string };
  expect(output.startsWith('{"rows":["éé')).toBe(true);
  expect(size(output)).toBeLessThanOrEqual(4_000);
  expect(size(output)).toBeGreaterThan(3_900);
  expect(list.apply({ id: 't', state: 'output-available' })).toEqual({ id: 't', state: 'output-available' });
});

test('all parts have at most 64,000 bytes: later values are cut to what is left', () => {
  const list = createPartList();
  for (let n = 0; n < limits.parts.parts; n += 1)
    list.apply(tool(`t${n}`, { input: 'i'.repeat(4_000), output: 'o'.repeat(4_000) }));
  expect(list.parts).toHaveLength(100);
  expect(size(list.parts)).toBeLessThanOrEqual(64_000 + 200);
});

describe('refused', () => {
  test.each<[string, PartChange, RegExp]>([
    ['an interrupt', { id: 'a', at: 0, type: 'interrupt' }, /An interrupt is asked at the end/],
    ['a part without a type', { id: 'a', text: 'x' }, /type/],
    ['an id with a space', { ...tool('a b') }, /id: Expected 1 to 64/],
    [
      'a source with javascript:',
      { id: 'a', at: 0, type: 'source', title: 'x', url: 'javascript:alert(1)' },
      /url: Expected an address/,
    ],
    [
      'a block that is too large',
      { id: 'a', at: 0, type: 'block', name: 'b', data: 'x'.repeat(17_000), fallback: '' },
      /data of a block/,
    ],
  ])('%s', (_, change, message) => {
    const list = createPartList();
    expect(() => list.apply(change)).toThrow(message);
    expect(() => list.apply(change)).toThrow(ApiError);
    expect(list.parts).toEqual([]);
  });

  test('another type for a part that exists, the part after the hundredth, and the source after the twentieth are refused', () => {
    const list = createPartList();
    list.apply(tool('a'));
    expect(() => list.apply({ id: 'a', type: 'source' })).toThrow('The part a has the type tool.');
    const source = (n: number): PartChange => ({ id: `s${n}`, at: 0, type: 'source', title: `${n}` });
    for (let n = 0; n < 20; n += 1) list.apply(source(n));
    expect(() => list.apply(source(20))).toThrow('limited to 20 sources');
    for (let n = 21; n < 100; n += 1) list.apply(tool(`t${n}`));
    expect(() => list.apply(tool('last'))).toThrow('limited to 100 parts');
    expect(list.parts).toHaveLength(100);
  });

  test('two new parts with one id are refused', () => {
    const parts: NewPart[] = [
      { id: 'p2', type: 'source', title: 'A' },
      { type: 'source', title: 'B' },
    ];
    expect(() => newParts(parts, now)).toThrow('The id p2 is given twice.');
  });
});

test('fields of no part are left out, and half characters at the end of a cut text too', () => {
  const list = createPartList();
  list.apply({ id: 's', at: 0, type: 'status', text: `${'x'.repeat(299)}😀`, other: 1 });
  expect(list.parts).toEqual([{ id: 's', at: 0, type: 'status', text: 'x'.repeat(299) }]);
});

test('new parts get ids and places, and nothing runs in them', () => {
  const parts = newParts(
    [
      { type: 'tool', toolName: 'a', state: 'input-available' },
      { type: 'source', title: 'B', at: 4 },
    ],
    now,
  );
  expect(parts).toEqual([
    { at: 0, type: 'tool', toolName: 'a', state: 'cancelled', id: 'p1' },
    { at: 4, type: 'source', title: 'B', id: 'p2' },
  ]);
});
