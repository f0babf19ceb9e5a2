// Tests the steps of a run: calls of tools that the platform runs, over HTTP, with a scripted agent.
import { describe, expect, test } from 'vitest';
import type { NewInterrupt } from '../../../protocol/types/interrupts.ts';
import { createAddresses } from '../webhooks/addresses.ts';
import { type Agent, protocolOf } from './agent.ts';
import { useAgent } from './chat.testing.ts';
import { answersOf } from './interrupts.ts';
import { type RunOptions, runAgent } from './run.ts';
import { localAnswer } from './test-message.ts';
import { agentAt, begin, chunk, done, testRun } from './testing.ts';
import type { AgentTool } from './tools.ts';

const agent = useAgent();

const inputSchema = { type: 'object', properties: { query: { type: 'string' } } };
const tool = (run: (input: Record<string, unknown>, signal: AbortSignal) => Promise<unknown>): AgentTool => ({
  name: 'look_up',
  title: 'Looking it up',
  description: 'Looks a word up.',
  inputSchema,
  run,
});
const dictionary = tool(async ({ query }) => ({ meaning: `of ${query}` }));

const call = (index: number, id: string, name: string, input: string) =>
  chunk({ tool_calls: [{ index, id, function: { name, arguments: input } }] });
const lookUp = (id: string, input = '{"query":"bell"}', name = 'look_up') =>
  call(0, id, name, input) + chunk({}, 'tool_calls') + done;
const saying = (text: string) => chunk({ content: text }) + chunk({}, 'stop') + done;

/** The responses of the agent, one for each request. */
const script = (...bodies: string[]) =>
  agent.answer((response, _, index) => begin(response).end(bodies[index] ?? bodies.at(-1)));

async function run(fields: Partial<RunOptions> & { of?: Partial<Agent> } = {}) {
  const { of = {}, ...rest } = fields;
  const stop = new AbortController();
  const { handle, answer } = localAnswer(stop.signal, () => {});
  const asked: NewInterrupt[] = [];
  const end = handle.stream.end.bind(handle.stream);
  handle.stream.end = (payload, options) => {
    asked.push(...((options?.interrupts ?? []) as NewInterrupt[]));
    return end(payload, options);
  };
  const target = agentAt(agent.url, { show: ['tools', 'tool-input', 'tool-output'], ...of });
  const { tools: _, ...run } = testRun();
  const usage: number[] = [];
  let failure: unknown;
  const running = runAgent({
    agent: target,
    protocol: protocolOf(target.protocol),
    run,
    tools: [dictionary],
    handle,
    addresses: createAddresses(true),
    times: { retries: [1] },
    onUsage: (tokens) => usage.push(tokens),
    ...rest,
  }).catch((error: unknown) => {
    failure = error;
    return undefined;
  });
  return {
    stop: (reason: unknown) => stop.abort(reason),
    async ended() {
      const ended = await running;
      return { ...answer(), state: ended?.state, failure, asked, usage };
    },
  };
}
const ended = async (fields: Parameters<typeof run>[0] = {}) => (await run(fields)).ended();
const messagesOf = (index: number) => agent.requests[index]?.body.messages as unknown as object[];
const resultsOf = (index: number) =>
  messagesOf(index).filter(
    (one): one is { role: string; tool_call_id: string; content: string } => 'tool_call_id' in one,
  );

describe('the steps of a run', () => {
  test('the platform runs the tool, sends its result in the next request, and shows the step', async () => {
    script(
      chunk({ content: 'One moment.' }) + lookUp('a'),
      chunk({ content: 'It rings.' }) + lookUp('b', '{"query":"ring"}'),
      saying('Done.'),
    );
    const { text, parts, failure, state } = await ended();
    expect(failure).toBeUndefined();
    expect(text).toBe('One moment.\n\nIt rings.\n\nDone.');
    expect(parts).toEqual([
      expect.objectContaining({
        type: 'tool',
        at: 11,
        toolName: 'look_up',
        title: 'Looking it up',
        state: 'output-available',
        input: { query: 'bell' },
        output: { meaning: 'of bell' },
      }),
      expect.objectContaining({ type: 'tool', at: 22, output: { meaning: 'of ring' } }),
    ]);
    const calls = (id: string, content: string, query: string) => ({
      role: 'assistant',
      content,
      tool_calls: [
        { id, type: 'function', function: { name: 'look_up', arguments: JSON.stringify({ query }) } },
      ],
    });
    expect(messagesOf(2)).toEqual([
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: 'Hello' },
      calls('a', 'One moment.', 'bell'),
      { role: 'tool', tool_call_id: 'a', content: '{"meaning":"of bell"}' },
      calls('b', 'It rings.', 'ring'),
      { role: 'tool', tool_call_id: 'b', content: '{"meaning":"of ring"}' },
    ]);
    expect(agent.requests.map(({ body }) => body.tools)).toEqual(Array(3).fill([expect.any(Object)]));
    // The messages of this turn are not those of the next one.
    expect(state).toBeUndefined();
  });

  test('hidden inputs and outputs are in no part, and a hidden step leaves a paragraph alone', async () => {
    script(chunk({ content: 'One moment.' }) + lookUp('a'), saying('Done.'));
    const shown = await ended({ of: { show: ['tools'] } });
    expect(shown.parts).toMatchObject([{ type: 'tool', state: 'output-available' }]);
    expect(JSON.stringify(shown.parts)).not.toMatch(/bell/);
    agent.requests.length = 0;
    const hidden = await ended({ of: { show: [] } });
    expect(hidden).toMatchObject({ text: 'One moment.\n\nDone.', parts: [] });
  });

  test.each([
    ['a name that nobody has', lookUp('a', '{}', 'delete_all'), 'There is no tool of this name.'],
    ['arguments that are not JSON', lookUp('a', '{"query":'), 'The arguments are not a JSON object.'],
    ['arguments that are a list', lookUp('a', '[1]'), 'The arguments are not a JSON object.'],
  ])('%s: the agent reads an error, and the run goes on', async (_, body, error) => {
    script(body, saying('Sorry.'));
    const { text, failure, parts } = await ended();
    expect({ text, failure }).toEqual({ text: 'Sorry.', failure: undefined });
    expect(parts).toMatchObject([{ type: 'tool', state: 'output-error' }]);
    expect(messagesOf(1).at(-1)).toEqual({
      role: 'tool',
      tool_call_id: 'a',
      content: JSON.stringify({ error }),
    });
    // Servers refuse arguments that are not JSON.
    const { tool_calls } = messagesOf(1).at(-2) as { tool_calls: { function: { arguments: string } }[] };
    for (const one of tool_calls) expect(() => JSON.parse(one.function.arguments)).not.toThrow();
  });

  test('a tool that throws is logged, and the agent reads nothing of the error', async () => {
    script(lookUp('a'), saying('Sorry.'));
    const errors: unknown[] = [];
    const { text } = await ended({
      tools: [tool(() => Promise.reject(new Error('SECRET')))],
      onToolError: (name, error) => errors.push([name, (error as Error).message]),
    });
    expect(text).toBe('Sorry.');
    expect(errors).toEqual([['look_up', 'SECRET']]);
    expect(JSON.stringify(messagesOf(1))).not.toContain('SECRET');
    expect(JSON.stringify(messagesOf(1))).toContain('The tool has failed.');
  });

  test('a result that is too long, and one without a value', async () => {
    script(lookUp('a'), lookUp('b'), saying('Sorry.'));
    let count = 0;
    const values = ['x'.repeat(40_000), undefined];
    const { text } = await ended({ tools: [tool(async () => values[count++])] });
    expect(text).toBe('Sorry.');
    expect(resultsOf(2)).toMatchObject([
      { content: '{"error":"The result is too long."}' },
      { content: 'null' },
    ]);
  });

  test('several calls in one response: each has its result; more than 16 are refused', async () => {
    const many = Array.from({ length: 18 }, (_, n) => call(n, `c${n}`, 'look_up', `{"query":"${n}"}`));
    script(many.join('') + chunk({}, 'tool_calls') + done, saying('Done.'));
    let runs = 0;
    const { text } = await ended({ tools: [tool(async () => (runs += 1))] });
    expect([text, runs]).toEqual(['Done.', 16]);
    const results = resultsOf(1);
    expect(results.map(({ tool_call_id }) => tool_call_id)).toEqual(many.map((_, n) => `c${n}`));
    expect(results.at(-1)).toMatchObject({ content: '{"error":"There are too many calls at once."}' });
  });

  test('an id that is repeated in a later step is another call, with its own result', async () => {
    script(lookUp('call_0'), lookUp('call_0', '{"query":"ring"}'), lookUp('', '{}'), saying('Done.'));
    const { parts } = await ended();
    expect(parts).toHaveLength(3);
    const results = resultsOf(3);
    expect(new Set(results.map(({ tool_call_id }) => tool_call_id)).size).toBe(3);
    expect(results.map(({ content }) => content)).toEqual([
      '{"meaning":"of bell"}',
      '{"meaning":"of ring"}',
      '{"meaning":"of undefined"}',
    ]);
  });

  test('offsets of sources count the text of their own step', async () => {
    const annotation = { type: 'url_citation', url: 'https://a.example/', title: 'A', end_index: 2 };
    script(
      chunk({ content: 'One moment.' }) + lookUp('a'),
      chunk({ content: 'It, then.' }) + chunk({ annotations: [annotation] }) + chunk({}, 'stop') + done,
    );
    const { text } = await ended({ of: { show: ['sources'] } });
    expect(text).toBe('One moment.\n\nIt[1], then.');
  });

  test('after the last allowed step the run fails, and its text is kept', async () => {
    script(chunk({ content: 'Again.' }) + lookUp('a'));
    const { failure, text } = await ended({ steps: 3 });
    expect(failure).toMatchObject({ code: 'too_many_steps', isAnswered: true });
    expect(agent.requests).toHaveLength(3);
    expect(text).toBe('Again.\n\nAgain.\n\nAgain.');
  });

  test('tokens of all steps are added up, and a used up day ends the run between two steps', async () => {
    const usage = 'data: {"choices":[],"usage":{"prompt_tokens":30,"completion_tokens":10}}\n\n';
    script(usage + lookUp('a'), usage + lookUp('b'), usage + saying('Done.'));
    expect((await ended()).usage).toEqual([120]);
    agent.requests.length = 0;
    const seen: number[] = [];
    const stopped = await ended({
      mayContinue: async (tokens) => {
        seen.push(tokens);
        return tokens < 80;
      },
    });
    expect(seen).toEqual([40, 80]);
    expect(stopped.failure).toMatchObject({ code: 'tokens_per_day' });
    expect(agent.requests).toHaveLength(2);
  });

  test('the bytes of all steps together are limited', async () => {
    const padding = `: ${'x'.repeat(64_000)}\n\n`.repeat(60);
    script(padding + lookUp('a'), padding + lookUp('b'), padding + lookUp('c'));
    const { failure } = await ended();
    expect(failure).toMatchObject({ code: 'too_large' });
    expect(agent.requests).toHaveLength(3);
  });

  test('the time of all steps together is limited, also while a tool runs that never ends', async () => {
    script(lookUp('a'));
    const { failure } = await ended({ times: { run: 200 }, tools: [tool(() => new Promise(() => {}))] });
    expect(failure).toMatchObject({ code: 'run_timeout' });
    expect(agent.requests.length).toBeLessThanOrEqual(1);
  });

  test('a stop while a tool runs ends the run, and no further request is made', async () => {
    script(lookUp('a'));
    const reason = new Error('stopped');
    let signalOfTool: AbortSignal | undefined;
    const started = await run({
      tools: [
        tool((_, signal) => {
          signalOfTool = signal;
          return new Promise(() => {});
        }),
      ],
    });
    await expect.poll(() => signalOfTool !== undefined, { timeout: 30_000 }).toBe(true);
    started.stop(reason);
    const { failure, usage } = await started.ended();
    expect(failure).toBe(reason);
    expect(signalOfTool?.aborted).toBe(true);
    expect(agent.requests).toHaveLength(1);
    expect(usage).toHaveLength(1);
  });

  test('a response that breaks between two steps keeps the text of the first', async () => {
    agent.answer((response, _, index) =>
      index === 0
        ? begin(response).end(chunk({ content: 'One moment.' }) + lookUp('a'))
        : response.writeHead(500).end(),
    );
    const { failure, text } = await ended();
    expect(failure).toMatchObject({ code: 'status', status: 500, isAnswered: true });
    expect(text).toBe('One moment.');
  });

  test('without tools a call fails the run, because it gets no result', async () => {
    script(lookUp('a'));
    expect((await ended({ tools: [] })).failure).toMatchObject({ code: 'calls' });
    expect(agent.requests[0]?.body.tools).toBeUndefined();
  });

  test('a tool whose result comes from elsewhere ends the run with a question, which keeps the other results', async () => {
    const elsewhere: AgentTool = {
      name: 'open_page',
      description: 'Opens a page.',
      inputSchema,
      ask: ({ id, input }) => {
        return { id, reason: 'tool_call', message: 'Open it?', toolId: id, toolName: 'open_page', input };
      },
    };
    script(
      call(0, 'a', 'look_up', '{"query":"bell"}') +
        call(1, 'b', 'open_page', '{"query":"/"}') +
        chunk({}, 'tool_calls') +
        done,
      saying('Opened.'),
    );
    const { asked, failure, parts } = await ended({ tools: [dictionary, elsewhere] });
    expect(failure).toBeUndefined();
    expect(asked).toMatchObject([{ reason: 'tool_call', toolName: 'open_page', input: { query: '/' } }]);
    expect(parts).toMatchObject([
      { toolName: 'look_up', state: 'output-available' },
      { toolName: 'open_page', state: 'input-available' },
    ]);
    const [{ state } = { state: undefined }] = asked;
    const answers = answersOf({
      payload: { interrupts: [{ id: 'i', status: 'resolved', by: 'visitor', payload: { ok: true }, state }] },
    } as unknown as Parameters<typeof answersOf>[0]);
    const { tools: _, ...fields } = testRun();
    const after = await ended({
      tools: [dictionary, elsewhere],
      run: { ...fields, state: answers?.state, resume: answers?.resume ?? [] },
    });
    expect(after.text).toBe('Opened.');
    expect(messagesOf(1).slice(-2)).toEqual([
      { role: 'tool', tool_call_id: 'a', content: '{"meaning":"of bell"}' },
      { role: 'tool', tool_call_id: 'b', content: '{"ok":true}' },
    ]);
  });
});
