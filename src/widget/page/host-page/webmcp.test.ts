// @vitest-environment jsdom
// Tests tools and agents of the browser with a strict stand-in for the interface of the browser, which refuses what the specification
// refuses: the forms that older browsers have, and failures. e2e/page-tools/webmcp.spec.ts runs a browser that has it.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { PageHooks, PageTool } from '../../../protocol/page-api/page-api.ts';
import type { Widget } from '../../launcher-chat-interface.ts';
import { applyWebmcp } from './webmcp.ts';

interface Registered {
  name: string;
  description: string;
  inputSchema?: object;
  annotations?: object;
  execute(input: unknown, options?: object): unknown;
}

let tools: Map<string, Registered>;
let problems: string[];
let controller: AbortController;
let hooks: Set<PageHooks>;
let configured: number;

/** As the specification has it. */
const current = () => ({
  async registerTool(tool: Registered, { signal }: { signal: AbortSignal }) {
    signal.throwIfAborted();
    if (!/^[\w.-]{1,128}$/.test(tool.name) || tools.has(tool.name) || !tool.description)
      throw new DOMException(`Not taken: ${tool.name}`, 'InvalidStateError');
    JSON.stringify(tool.inputSchema);
    tools.set(tool.name, tool);
    signal.addEventListener('abort', () => tools.delete(tool.name));
  },
  getTools: async () => [...tools.values()],
  async executeTool(tool: Registered, input: unknown, options: object) {
    if (typeof input !== 'object' || input === null) throw new TypeError('invalid input object');
    return JSON.stringify(await tool.execute(input, options)) ?? 'undefined';
  },
});
/** As browsers had it first: at the navigator, without signals and promises. */
const older = () => ({
  registerTool(tool: Registered) {
    if (tools.has(tool.name)) throw new DOMException('Duplicate', 'InvalidStateError');
    tools.set(tool.name, tool);
  },
  unregisterTool(name: string) {
    if (!tools.delete(name)) throw new DOMException('Unknown', 'InvalidStateError');
  },
});

const place = (on: object, get: () => unknown) =>
  Object.defineProperty(on, 'modelContext', { configurable: true, get });

beforeEach(() => {
  tools = new Map();
  problems = [];
  controller = new AbortController();
  hooks = new Set();
  configured = 0;
  vi.spyOn(console, 'warn').mockImplementation(() => {});
});
afterEach(() => {
  controller.abort();
  for (const on of [document, navigator]) Reflect.deleteProperty(on, 'modelContext');
  vi.restoreAllMocks();
});

const widgetOf = () =>
  ({
    signal: controller.signal,
    hooks,
    emit: (_: string, { message }: Error) => void problems.push(message),
    config: () => {
      configured += 1;
    },
  }) as unknown as Widget;

const page = (name: string, more: Partial<PageTool> = {}, signal?: AbortSignal) => {
  const tool: PageTool = { name, description: 'A tool.', execute: (input) => ({ got: input }), ...more };
  const entry: PageHooks = { tool: [tool, { signal }] };
  hooks.add(entry);
  return entry;
};
const names = () => [...tools.keys()].sort();
const settled = () => new Promise((resolve) => setTimeout(resolve));

describe('offer', () => {
  test('the tools of the page are registered, follow the page, and end with the chat', async () => {
    const context = current();
    place(document, () => context);
    const widget = widgetOf();
    const end = new AbortController();
    const first = page('a');
    page('b', {}, end.signal);
    applyWebmcp(widget, 'offer');
    await settled();
    expect(names()).toEqual(['a', 'b']);
    end.abort();
    expect(names()).toEqual(['a']);
    // A newer one takes the place of that of the same name.
    page('a', { description: 'Newer.' });
    page('c');
    applyWebmcp(widget, 'offer');
    await settled();
    expect(names()).toEqual(['a', 'c']);
    expect(tools.get('a')?.description).toBe('Newer.');
    hooks.delete(first);
    applyWebmcp(widget, 'offer');
    await settled();
    expect(names()).toEqual(['a', 'c']);
    applyWebmcp(widget, undefined);
    expect(names()).toEqual([]);
    applyWebmcp(widget, 'offer');
    await settled();
    expect(names()).toEqual(['a', 'c']);
    controller.abort();
    expect([names(), problems]).toEqual([[], []]);
  });

  test('an input is compared with the schema before the page gets a copy of it', async () => {
    const context = current();
    place(document, () => context);
    const execute = vi.fn((input: { id: string }) => input.id);
    page('a', { inputSchema: { type: 'object', required: ['id'] }, execute });
    applyWebmcp(widgetOf(), 'offer');
    await settled();
    const call = (input: unknown) => tools.get('a')?.execute(input, {});
    await expect(call({})).rejects.toThrow('input.id is missing');
    expect(execute).not.toHaveBeenCalled();
    const input = { id: 'A-1' };
    expect(await call(input)).toBe('A-1');
    expect(execute.mock.calls[0]?.[0]).not.toBe(input);
  });

  test('what the browser refuses is reported once, and the others are registered', async () => {
    const context = current();
    place(document, () => context);
    const widget = widgetOf();
    tools.set('taken', {} as Registered);
    page('taken');
    page('a b');
    hooks.add({
      tool: [
        {
          get name(): string {
            throw new Error('no');
          },
        } as never,
      ],
    });
    page('good');
    applyWebmcp(widget, 'offer');
    applyWebmcp(widget, 'offer');
    await settled();
    expect(names()).toEqual(['good', 'taken']);
    expect(problems).toHaveLength(3);
    expect(problems[0]).toContain('webmcp: the browser did not accept a tool');
  });

  test('an older browser: at the navigator, without promises; tools are removed by name', async () => {
    const context = older();
    place(navigator, () => context);
    const widget = widgetOf();
    const removal = page('a');
    page('b');
    applyWebmcp(widget, 'offer');
    await settled();
    expect(names()).toEqual(['a', 'b']);
    expect(await tools.get('a')?.execute({ x: 1 })).toEqual({ got: { x: 1 } });
    hooks.delete(removal);
    applyWebmcp(widget, 'offer');
    expect(names()).toEqual(['b']);
    controller.abort();
    expect([names(), problems]).toEqual([[], []]);
  });
});

describe('use', () => {
  const foreign = async () => {
    const foreignEntry = [...hooks].find((entry) => entry.foreign);
    return (await foreignEntry?.foreign?.()) ?? [];
  };

  test('the tools of the browser, as they are when the bot is told of them; nothing after the end', async () => {
    const context = current();
    place(document, () => context);
    const widget = widgetOf();
    applyWebmcp(widget, 'use');
    applyWebmcp(widget, 'use');
    expect([hooks.size, configured]).toEqual([1, 1]);
    expect(await foreign()).toEqual([]);
    const annotations = { readOnlyHint: true, untrustedContentHint: true };
    const execute = (input: unknown) => ({ got: input });
    tools.set('a', { name: 'a', description: 'A.', annotations, inputSchema: { type: 'object' }, execute });
    tools.set('b', { name: 'b', description: 'B.', execute: () => undefined });
    const [a, b] = await foreign();
    expect(a).toEqual({
      name: 'a',
      description: 'A.',
      inputSchema: { type: 'object' },
      annotations: { untrustedContentHint: true },
      execute: expect.any(Function),
    });
    const { signal } = new AbortController();
    expect(await a?.execute({ x: 1 }, { signal })).toEqual({ got: { x: 1 } });
    expect(await b?.execute({}, { signal })).toBeNull();
    controller.abort();
    expect(hooks.size).toBe(0);
  });

  test('an older browser takes the input as JSON, and has the schema as JSON', async () => {
    const executeTool = vi.fn(async () => 'not JSON');
    place(document, () => ({
      registerTool() {},
      getTools: async () => [{ name: 'a', description: 'A.', inputSchema: '{"type":"object"}' }],
      executeTool,
    }));
    applyWebmcp(widgetOf(), 'use');
    const [a] = await foreign();
    expect(a?.inputSchema).toEqual({ type: 'object' });
    expect(await a?.execute({ x: 1 }, { signal: controller.signal })).toBe('not JSON');
    expect(executeTool.mock.calls[0]?.slice(1)).toEqual(['{"x":1}', { signal: controller.signal }]);
  });

  test('a browser that cannot list tools offers none', () => {
    place(navigator, older);
    applyWebmcp(widgetOf(), 'use');
    expect(hooks.size).toBe(0);
  });
});

test.each(['offer', 'use'] as const)('%s: without the interface, nothing happens', (mode) => {
  const throwing = () => {
    throw new DOMException('Not allowed', 'SecurityError');
  };
  for (const get of [() => undefined, () => null, () => ({}), () => ({ registerTool: 1 }), throwing]) {
    place(document, get);
    place(navigator, get);
    page('a');
    applyWebmcp(widgetOf(), mode);
  }
  expect([[...hooks].some(({ foreign }) => foreign), problems]).toEqual([false, []]);
});
