// Tests of the parts of an answer that ends with questions: what fits, and what is left for the answers.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { limits } from '../../../protocol/limits.ts';
import type { Part } from '../../../protocol/parts.ts';
import type { NewInterrupt } from '../../../protocol/types/interrupts.ts';
import { createPartList } from '../../api/part-list.ts';
import { type Settlement, settledParts } from '../../chat/interrupts/settled-parts.ts';
import { endParts } from './asked-interrupts.ts';

const question: NewInterrupt = { reason: 'confirmation', message: 'Sure?' };
const now = Date.parse('2026-01-01T00:00:00.000Z');
const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value));
const tool = (fields: object = {}): Part => {
  return { id: 't', at: 0, type: 'tool', toolName: 'send', state: 'input-available', ...fields };
};

test('a message that accepts a question has room for every answer, and can be changed afterwards', () => {
  const asked = fc.record({
    message: fc.string({ minLength: 1, maxLength: 2_000 }),
    size: fc.nat(15_000),
    answer: fc.oneof(fc.nat(20_000), fc.constant(undefined)),
    character: fc.constantFrom('x', '"', '\u{1f600}', 'ä', '\u0000'),
  });
  fc.assert(
    fc.property(fc.array(asked, { minLength: 1, maxLength: 10 }), fc.nat(4_000), (cases, size) => {
      const list = createPartList();
      list.apply({ ...tool({ input: 'x'.repeat(size) }) });
      const interrupts = cases.map((one) => ({
        ...question,
        message: one.message,
        input: { text: 'x'.repeat(one.size) },
      }));
      let ended: ReturnType<typeof endParts>;
      try {
        ended = endParts(list.parts, interrupts, 0, now);
      } catch (error) {
        expect(error).toMatchObject({ type: 'PayloadTooLarge' });
        return;
      }
      const settlements = new Map<string, Settlement>(
        ended.asked.map(({ id }, n) => {
          const { answer, character = 'x' } = cases[n] ?? {};
          if (answer === undefined) return [id, { state: 'cancelled', by: 'superseded' }];
          const payload = { a: character.repeat(answer) };
          return [id, { state: 'resolved', by: 'visitor', payload }];
        }),
      );
      const settled = settledParts(ended.parts, settlements);
      expect(bytes(settled)).toBeLessThan(limits.parts.bytes + 100);
      expect(createPartList(settled).apply({ id: 't', state: 'output-error' })).toBeDefined();
      for (const part of settled) {
        if (part.type === 'interrupt' && part.response !== undefined)
          expect(bytes(part.response)).toBeLessThanOrEqual(limits.interrupts.shownResponseBytes);
      }
    }),
    { numRuns: 150 },
  );
});

const longSchema = Object.fromEntries(
  Array.from({ length: 12 }, (_, n) => [
    `p${n}`,
    { type: 'string', enum: Array.from({ length: 100 }, (_, m) => `${m} ${'x'.repeat(100)}`) },
  ]),
);
const source = { id: 's', at: 0, type: 'source', title: 'S' } as Part;
test.each([
  [
    'an input that the tool has only in part',
    [tool({ input: 'xx', truncated: true })],
    { toolId: 't' },
    /input/,
  ],
  ['an input that is a text', [tool({ input: 'xx' })], { toolId: 't' }, /input/],
  ['a part that is not a tool', [source], { toolId: 's' }, /no tool/],
  ['a tool that has ended', [tool({ state: 'output-denied' })], { toolId: 't' }, /has ended/],
  ['a field that is too long', [], { toolName: 'x'.repeat(301) }, /toolName/],
  [
    'a schema that is too long',
    [],
    { responseSchema: { type: 'object', properties: longSchema } },
    /responseSchema/,
  ],
])('%s is refused', (_, parts, fields, message) => {
  expect(() => endParts(parts, [{ ...question, ...fields } as NewInterrupt], 0, now)).toThrow(message);
});

test('more than 10 questions are refused, and those of a message with 100 parts', () => {
  expect(() => endParts([], Array(11).fill(question), 0, now)).toThrow(/interrupts/);
  const parts = Array.from({ length: 100 }, (_, n) => ({ ...source, id: `s${n}` }));
  expect(() => endParts(parts, [question], 0, now)).toThrow(/100 parts/);
});

test('the times of an interrupt are those of the clock that is given', () => {
  const { parts, asked } = endParts([], [question, { ...question, expiresIn: 30_000 }], 7, now);
  expect(parts).toMatchObject([
    { at: 7, expiresAt: '2026-01-01T00:15:00.000Z' },
    { at: 7, expiresAt: '2026-01-01T00:00:30.000Z' },
  ]);
  expect(asked.map(({ expiresAt }) => expiresAt - now)).toEqual([900_000, 30_000]);
});
