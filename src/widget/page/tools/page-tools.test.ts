// Tests what runs a tool of the page: the check of its input, its result, and tools and inputs that misbehave.
import { afterEach, describe, expect, test, vi } from 'vitest';
import { clientLimits } from '../../../protocol/interrupts.ts';
import { findIssue } from '../../../protocol/json-schema.ts';
import { readResult, runTool } from './run-tool.ts';

const { signal } = new AbortController();
const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).length;
afterEach(() => void vi.useRealTimers());

describe('the check of an input', () => {
  const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });
  test.each<[string, unknown, unknown, string | undefined]>([
    ['a valid object', object({ id: { type: 'string' } }, { required: ['id'] }), { id: 'a' }, undefined],
    ['another type', object({ id: { type: 'string' } }), { id: 1 }, 'input.id is not of the type string'],
    ['a missing property', object({}, { required: ['id'] }), {}, 'input.id is missing'],
    [
      'an unknown property',
      object({}, { additionalProperties: false }),
      { a: 1 },
      'input.a is not a known property',
    ],
    ['one of several types', { type: ['string', 'null'] }, null, undefined],
    ['a choice', { enum: ['a', 'b'] }, 'c', 'input is none of the choices'],
    ['a constant', { const: { a: 1 } }, { a: 1 }, undefined],
    [
      'a list',
      { type: 'array', items: { type: 'integer' } },
      [1, 1.5],
      'input[1] is not of the type integer',
    ],
    ['too many entries', { type: 'array', maxItems: 1 }, [1, 2], 'input has too many entries'],
    ['a range', { minimum: 2 }, 1, 'input is too small'],
    ['characters', { maxLength: 1 }, '😀', undefined],
    ['a pattern', { pattern: '^A-\\d$' }, 'B-1', 'input does not match the pattern'],
    [
      'a reference',
      { $ref: '#/$defs/id', $defs: { id: { type: 'string' } } },
      1,
      'input is not of the type string',
    ],
    [
      'a reference to nothing',
      { $ref: '#/$defs/id' },
      1,
      'input: the schema refers to #/$defs/id, which it does not have',
    ],
    ['a reference to itself', { $ref: '#' }, 1, 'input is nested too deeply'],
    [
      'references to itself that multiply',
      { not: { anyOf: [{ $ref: '#' }, { $ref: '#' }] } },
      1,
      'input takes too long to check',
    ],
    [
      'any of',
      { anyOf: [{ type: 'string' }, { type: 'number' }] },
      true,
      'input has none of the allowed forms',
    ],
    [
      'both of one of',
      { oneOf: [{ type: 'number' }, { minimum: 0 }] },
      1,
      'input has none of the allowed forms',
    ],
    ['a schema that allows nothing', false, 1, 'input has a form that is not allowed'],
    ['no schema', {}, { any: [1] }, undefined],
    ...[19.99, 0.07, 1.1, 1_000_000.01, -4.35, 0].map((value): [string, unknown, unknown, undefined] => [
      `${value} as a multiple of a cent`,
      { multipleOf: 0.01 },
      value,
      undefined,
    ]),
    ...[19.995, 0.0001, 1_000_000.001].map((value): [string, unknown, unknown, string] => [
      `${value} as no multiple of a cent`,
      { multipleOf: 0.01 },
      value,
      'input is not a multiple of 0.01',
    ]),
    [
      'a property that a pattern names',
      { patternProperties: { '^x-': { type: 'string' } }, additionalProperties: false },
      { 'x-a': 'a' },
      undefined,
    ],
    [
      'a property that a pattern names, with another type',
      { patternProperties: { '^x-': { type: 'string' } } },
      { 'x-a': 1 },
      'input.x-a is not of the type string',
    ],
    [
      'a property that no pattern names',
      { patternProperties: { '^x-': {} }, additionalProperties: false },
      { a: 'a' },
      'input.a is not a known property',
    ],
    ['a tuple', { prefixItems: [{ type: 'string' }, { type: 'number' }], items: false }, ['a', 1], undefined],
    [
      'a tuple with another type',
      { prefixItems: [{ type: 'string' }], items: { type: 'number' } },
      [1, 1],
      'input[0] is not of the type string',
    ],
    [
      'a tuple that is too long',
      { prefixItems: [{}], items: false },
      [1, 2],
      'input[1] has a form that is not allowed',
    ],
    [
      'a constant in another order',
      { const: { a: [{ b: 1, c: 2 }], d: 3 } },
      { d: 3, a: [{ c: 2, b: 1 }] },
      undefined,
    ],
    ['a choice in another order', { enum: [{ a: 1, b: 2 }] }, { b: 2, a: 1 }, undefined],
    ['a constant whose list has another order', { const: [1, 2] }, [2, 1], 'input is not the expected value'],
    [
      'equal objects',
      { uniqueItems: true },
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      'input has an entry twice',
    ],
    ['__proto__', {}, JSON.parse('{"a":{"__proto__":{"x":1}}}'), 'input.a.__proto__ is not allowed'],
    [
      '__proto__ in the schema',
      JSON.parse('{"properties":{"__proto__":{"type":"string"}}}'),
      { toString: 1 },
      undefined,
    ],
  ])('%s', (_, schema, value, issue) => {
    expect(findIssue(schema, value)).toBe(issue);
  });
});

describe('a tool', () => {
  const run = (
    execute: (input: never, options: { signal: AbortSignal }) => unknown,
    input: unknown = {},
    inputSchema = {},
  ) => runTool({ execute, sent: { name: 'a', description: 'A.', inputSchema } }, input, signal);

  test('is not called with an input that breaks its schema', async () => {
    const execute = vi.fn();
    expect(await run(execute, { a: 1 }, { properties: { a: { type: 'string' } } })).toEqual({
      error: 'The input is not valid: input.a is not of the type string.',
    });
    expect(execute).not.toHaveBeenCalled();
  });

  test.each<[string, () => unknown, unknown]>([
    ['a value', () => ({ a: 1 }), { result: { a: 1 } }],
    ['a promise', async () => 'text', { result: 'text' }],
    ['nothing', () => {}, { result: null }],
    ['a function', () => () => {}, { result: null }],
    [
      'an error',
      () => {
        throw new Error('broken');
      },
      { error: 'broken' },
    ],
    ['a rejection with a text', () => Promise.reject('broken'), { error: 'broken' }],
    ['a rejection with nothing', () => Promise.reject(), { error: 'undefined' }],
    [
      'an error whose message throws',
      () => {
        throw {
          get message() {
            throw new Error('no');
          },
        };
      },
      { error: 'The tool has failed.' },
    ],
  ])('that returns %s', async (_, execute, answer) => {
    expect(await run(execute)).toEqual(answer);
  });

  test('a value that JSON does not have is an error', async () => {
    const circle: Record<string, unknown> = {};
    circle.self = circle;
    expect(await run(() => circle)).toEqual({ error: expect.stringContaining('circular') });
    expect(await run(() => 1n)).toEqual({ error: expect.stringContaining('BigInt') });
  });

  test('a result that is nested more deeply than the server takes is an error', async () => {
    const nested = (levels: number): object => (levels === 0 ? {} : { a: nested(levels - 1) });
    expect(await run(() => nested(30))).toEqual({ result: nested(30) });
    expect(await run(() => nested(99))).toEqual({ error: 'The result has more than 64 levels.' });
    expect(await run(() => nested(20_000))).toEqual({ error: expect.any(String) });
  });

  test('is not called when nobody waits for its result any more', async () => {
    const execute = vi.fn();
    const tool = { execute, sent: { name: 'a', description: 'A.' } };
    expect(await runTool(tool, {}, AbortSignal.abort())).toEqual({ error: expect.any(String) });
    expect(execute).not.toHaveBeenCalled();
  });

  test('that never ends has failed after its time, and its signal is aborted', async () => {
    vi.useFakeTimers();
    let signal: AbortSignal | undefined;
    const running = run((_, options) => {
      signal = options.signal;
      return new Promise(() => {});
    });
    await vi.advanceTimersByTimeAsync(clientLimits.runTime);
    expect(await running).toEqual({ error: expect.stringContaining('has not ended in time') });
    expect(signal?.aborted).toBe(true);
  });

  test('gets a copy of the input', async () => {
    const input = { list: [1] };
    await run((own: typeof input) => own.list.push(2), input);
    expect(input).toEqual({ list: [1] });
  });

  test.each(['x', '"', '😀', '\n', '\ud800'])('a result of 5 MB of %j is cut', (character) => {
    const cut = readResult(character.repeat(5_000_000 / character.length));
    expect(bytes(cut)).toBeLessThanOrEqual(clientLimits.resultBytes);
    expect(bytes(cut)).toBeGreaterThan(clientLimits.resultBytes / 4);
    expect(bytes(readResult({ a: character.repeat(100_000) }))).toBeLessThanOrEqual(clientLimits.resultBytes);
  });
});
