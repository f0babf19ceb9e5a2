// Tests what goes with a message of the visitor: the tools and the context of the page, their limits, and values of the page that
// misbehave.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { clientLimits } from '../../../protocol/interrupts.ts';
import type { PageHooks } from '../../../protocol/page-api/page-api.ts';
import type { SessionContext } from '../../chat/session/context.ts';
import { createOffers } from './offer.ts';

let controller: AbortController;
let hooks: Set<PageHooks>;
let problems: string[];
beforeEach(() => {
  controller = new AbortController();
  hooks = new Set();
  problems = [];
  vi.spyOn(console, 'warn').mockImplementation(() => {});
});
afterEach(() => {
  controller.abort();
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const offers = () => {
  const widget = {
    signal: controller.signal,
    hooks,
    emit: (_: string, error: { code: string; message: string }) =>
      void problems.push(`${error.code}: ${error.message}`),
  };
  return createOffers({ widget } as unknown as SessionContext, { keepId: () => 'tab-1' });
};
const collect = () => offers().collect();
const tool = (name: unknown, more: object = {}) =>
  hooks.add({ tool: [{ name, description: 'A tool.', execute: () => 1, ...more } as never] });
const context = (input: unknown) => hooks.add({ context: input as never });
const nested = (levels: number): object => (levels === 0 ? {} : { a: nested(levels - 1) });

describe('the tools that are sent', () => {
  test('nothing is sent where the page offers nothing', async () => {
    expect(await collect()).toBeUndefined();
  });

  test('a tool is sent with the fields of the dictionary only, and of two with one name the newer one is sent', async () => {
    tool('a', { description: 'Old.' });
    tool('a', {
      title: 'A',
      description: 'New.',
      secret: 'canary',
      inputSchema: { type: 'object' },
      annotations: { readOnlyHint: 'yes', untrustedContentHint: true, other: 1 },
    });
    expect(await collect()).toEqual({
      id: 'tab-1',
      tools: [
        {
          name: 'a',
          title: 'A',
          description: 'New.',
          inputSchema: { type: 'object' },
          annotations: { untrustedContentHint: true },
        },
      ],
    });
    expect(problems).toEqual([]);
  });

  test('33 tools: the last one is left out and reported, once', async () => {
    for (let number = 1; number <= clientLimits.tools + 1; number += 1) tool(`tool_${number}`);
    const { collect: ask } = offers();
    expect((await ask())?.tools?.map(({ name }) => name)).not.toContain('tool_33');
    expect((await ask())?.tools).toHaveLength(clientLimits.tools);
    expect(problems).toEqual([expect.stringContaining('tool_33 is not sent')]);
  });

  test('more than 32,000 bytes: what does not fit is left out, and what follows and fits is sent', async () => {
    tool('large', { description: 'é'.repeat(15_000) });
    tool('too_large', { description: 'é'.repeat(10_000) });
    tool('small');
    const offered = await collect();
    expect(offered?.tools?.map(({ name }) => name)).toEqual(['large', 'small']);
    expect(new TextEncoder().encode(JSON.stringify(offered)).length).toBeLessThanOrEqual(clientLimits.bytes);
  });

  test.each<[string, unknown, object]>([
    ['a name with a space', 'a b', {}],
    ['a name of 65 characters', 'x'.repeat(65), {}],
    ['no name', undefined, {}],
    ['no description', 'a', { description: '' }],
    ['no function', 'a', { execute: 'x' }],
    ['a schema that is a list', 'a', { inputSchema: [] }],
    ['a schema of a text', 'a', { inputSchema: { type: 'string' } }],
    ['a schema that JSON does not have', 'a', { inputSchema: { a: 1n } }],
    // The server takes no body that is nested more deeply than a hundred levels.
    ['a schema that is nested too deeply', 'a', { inputSchema: nested(97) }],
    [
      'a schema that throws',
      'a',
      {
        get inputSchema() {
          throw new Error('no');
        },
      },
    ],
  ])('a tool with %s is left out and reported, and the others are sent', async (_, name, more) => {
    const input = Object.defineProperties({ name, description: 'A.', execute: () => 1 }, {
      ...Object.getOwnPropertyDescriptors(more),
    } as PropertyDescriptorMap);
    hooks.add({ tool: [input as never] });
    tool('good');
    expect((await collect())?.tools?.map((tool) => tool.name)).toEqual(['good']);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain('invalid_argument: registerTool()');
  });

  test('a tool whose fields throw is left out and reported', async () => {
    hooks.add({
      tool: [
        {
          get name(): string {
            throw new Error('no');
          },
        } as never,
      ],
    });
    tool('good');
    expect((await collect())?.tools).toHaveLength(1);
    expect(problems).toHaveLength(1);
  });
});

describe('the context that is sent', () => {
  test('the last one counts; what is not a text is JSON', async () => {
    context([{ description: 'Old', value: 1 }]);
    context(() => [
      { description: 'Text', value: 'a' },
      { description: 'Object', value: { a: 1 }, more: 'canary' },
      { description: 'Nothing', value: undefined },
    ]);
    expect((await collect())?.context).toEqual([
      { description: 'Text', value: 'a' },
      { description: 'Object', value: '{"a":1}' },
      { description: 'Nothing', value: 'null' },
    ]);
  });

  test.each<[string, unknown]>([
    ['that throws', () => Promise.reject(new Error('no'))],
    ['that throws at once', () => JSON.parse('{')],
    ['that returns no list', () => 7],
    ['without a description', [{ value: 1 }]],
    ['of something else', [null]],
  ])('a function %s: the tools are sent without a context', async (_, input) => {
    tool('good');
    context(input);
    const offered = await collect();
    expect(offered?.tools).toHaveLength(1);
    expect(offered).not.toHaveProperty('context');
  });

  test('a function that never returns is waited for ten seconds', async () => {
    vi.useFakeTimers();
    tool('good');
    context(() => new Promise(() => {}));
    const collecting = collect();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(await collecting).not.toHaveProperty('context');
    expect(problems).toEqual([expect.stringContaining('hook_failed')]);
  });

  test('a hundred thousand entries: 32 are sent, and few problems are reported', async () => {
    context(Array.from({ length: 100_000 }, (__, index) => ({ description: `Entry ${index}`, value: 1 })));
    expect((await collect())?.context).toHaveLength(clientLimits.context);
    expect(problems.length).toBeLessThan(3);
  });
});
