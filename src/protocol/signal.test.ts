// Tests the guard of the stream: a signal is `{type, data}` in JSON, everything else is ignored.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyText } from './any-text.testing.ts';
import { parseSignal, ping } from './signal.ts';

test('a signal is returned unchanged, with extra keys', () => {
  const signal = { type: 'typing_stopped', data: { conversationId: 'c', userId: 'u', extra: 1 }, more: true };
  expect(parseSignal(JSON.stringify(signal))).toEqual(signal);
});

test('an unknown type is a signal without a listener', () => {
  expect(parseSignal('{"type":"new_thing","data":{}}')).toEqual({ type: 'new_thing', data: {} });
});

test.each([
  ping,
  '',
  '{}',
  '{',
  'null',
  '[]',
  '5',
  '"ping"',
  '<html>',
  '{"type":"x"}',
  '{"data":{}}',
  '{"type":5,"data":{}}',
  '{"type":"x","data":null}',
  '{"type":"x","data":"y"}',
  '{"type":"x","data":{}} trailing',
])('%j is not a signal', (data) => expect(parseSignal(data)).toBeUndefined());

test('any text and any JSON never throw', () => {
  fc.assert(
    fc.property(fc.oneof(anyText(), fc.json()), (data) => {
      const signal: unknown = parseSignal(data);
      if (signal !== undefined)
        expect(signal).toMatchObject({ type: expect.any(String), data: expect.anything() });
    }),
  );
});
