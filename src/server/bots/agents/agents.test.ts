// Tests bots with an agent: a whole server, and an agent with chat completions on this machine.
import { describe, expect, test } from 'vitest';
import de from '../../../locales/de.json' with { type: 'json' };
import { requesterFor } from '../../admin/testing.ts';
import { startServer } from '../../testing/servers.testing.ts';
import { pollOptions, type TestOptions, type TestServer } from '../../testing.ts';
import type { Agent } from './agent.ts';
import { markdownOf, startChat, useAgent } from './chat.testing.ts';
import { type AgentServer, agentAt, begin, chunk, done, say } from './testing.ts';

type Responder = Parameters<AgentServer['answer']>[0];

const agent = useAgent();
const times = { retries: [1, 1] };

const start = (fields: Partial<Agent> = {}, options: TestOptions = {}): Promise<TestServer> =>
  startServer({ agent: agentAt(agent.url, fields), agentHooks: { times }, ...options });
const visit = (server: TestServer) => startChat(() => server);

const call = (index: number, id: string, name: string, input: string): string =>
  chunk({ tool_calls: [{ index, id, function: { name, arguments: input } }] });

describe('a bot with an agent', () => {
  test('answers with the text of the agent, and tells it the conversation', async () => {
    const options = { temperature: 0, stream_options: null };
    const visitor = await visit(await start({ key: 'k', headers: { 'x-team': 'a' }, options }));
    agent.answer((response, { body }) => say(response, `You said ${body.messages.at(-1)?.content}.`));
    expect(markdownOf(await visitor.ask('One'))).toBe('You said One.');
    expect(markdownOf(await visitor.ask('Two'))).toBe('You said Two.');
    expect(agent.requests.map(({ path }) => path)).toEqual(['/v1/chat/completions', '/v1/chat/completions']);
    expect(agent.requests[1]?.headers).toMatchObject({ authorization: 'Bearer k', 'x-team': 'a' });
    expect(agent.requests[1]?.body).toEqual({
      model: 'test-model',
      messages: [
        { role: 'system', content: 'Be kind.' },
        { role: 'user', content: 'One' },
        { role: 'assistant', content: 'You said One.' },
        { role: 'user', content: 'Two' },
      ],
      stream: true,
      max_completion_tokens: 2_048,
      temperature: 0,
    });
  });

  test('answers each of two messages that were sent at once, and does not show it the later one', async () => {
    const visitor = await visit(await start());
    agent.answer((response, { body }) => say(response, `To ${body.messages.at(-1)?.content}`));
    await Promise.all([visitor.send('One'), visitor.send('Two')]);
    const answers = await visitor.answers(2);
    expect(answers.map(markdownOf).sort()).toEqual(['To One', 'To Two']);
    const [first, second] = agent.requests.map(({ body }) => body.messages.slice(1));
    expect(first).toHaveLength(1);
    expect(second?.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
  });

  test('asks for nothing where nobody has written: events, feedback, the start of a conversation', async () => {
    const server = await start();
    const visitor = await visit(server);
    const { key, conversationId } = visitor;
    await server.call('POST', '/events', { key, body: { conversationId, payload: { a: 1 } } });
    const answer = await visitor.ask('Hello');
    await server.call('POST', `/messages/${answer?.id}/feedback`, { key, body: { value: 'positive' } });
    await visitor.ask('Again');
    expect(agent.requests).toHaveLength(2);
  });

  test('shows steps and sources, and writes the citations at the end', async () => {
    const visitor = await visit(await start());
    const annotations = [
      ['https://a.example/', 23],
      ['https://b.example/', 34],
      ['https://a.example/', 34],
      ['javascript:alert(1)', 5],
    ].map(([url, end_index]) => ({ type: 'url_citation', url_citation: { url, title: url, end_index } }));
    agent.answer((response) =>
      begin(response).end(
        chunk({ content: 'Let me see.' }) +
          call(0, 'a', 'search', '{"q":"bikes"}') +
          call(1, 'b', 'stock', '{}') +
          chunk({ content: 'Two 😀 bikes, one bell.' }) +
          chunk({ annotations }) +
          chunk({}, 'stop') +
          done,
      ),
    );
    const answer = await visitor.ask('Bikes?');
    // The offsets of the agent count no paragraph.
    expect(markdownOf(answer)).toBe('Let me see.\n\nTwo 😀 bikes[1], one bell.[1][2]');
    const source = { type: 'source', at: expect.any(Number) };
    expect(answer?.parts).toEqual([
      { id: 'p1', type: 'tool', at: 11, toolName: 'search', state: 'output-available' },
      { id: 'p2', type: 'tool', at: 11, toolName: 'stock', state: 'output-available' },
      { id: 'p3', ...source, title: 'https://a.example/', url: 'https://a.example/' },
      { id: 'p4', ...source, title: 'https://b.example/', url: 'https://b.example/' },
    ]);
  });

  test('shows the parts that are allowed: all of them, or the text alone', async () => {
    const body =
      chunk({ reasoning_content: 'Hm.' }) +
      call(0, 'a', 'search', '{"q":1}') +
      chunk({ content: 'Yes' }) +
      chunk({
        annotations: [{ type: 'url_citation', url: 'https://a.example/', title: 'A', end_index: 3 }],
      }) +
      chunk({}, 'stop') +
      done;
    agent.answer((response) => begin(response).end(body));
    const all = await visit(
      await start({ show: ['status', 'reasoning', 'tools', 'tool-input', 'tool-output', 'sources'] }),
    );
    const answer = await all.ask('Hello');
    expect(markdownOf(answer)).toBe('Yes[1]');
    expect(answer?.parts).toMatchObject([
      { type: 'reasoning', text: 'Hm.', state: 'done' },
      { type: 'tool', toolName: 'search', input: { q: 1 }, state: 'output-available' },
      { type: 'source', title: 'A' },
    ]);
    const none = await visit(await start({ show: [] }));
    const plain = await none.ask('Hello');
    expect(markdownOf(plain)).toBe('Yes');
    expect(plain?.parts).toBeUndefined();
  });

  test('keeps half an answer as a failed one, and tells the log the code alone', async () => {
    const server = await start();
    const visitor = await visit(server);
    agent.answer((response) =>
      begin(response).end(`${chunk({ content: 'Half an' })}data: {"error":{"message":"SECRET"}}\n\n`),
    );
    const answer = await visitor.ask('Hello');
    expect(markdownOf(answer)).toBe('Half an');
    expect(answer?.metadata).toMatchObject({ error: 'agent_failed' });
    agent.answer((response) => begin(response).end(chunk({ content: 'Cut' })));
    expect((await visitor.ask('Hello'))?.metadata).toMatchObject({ error: 'agent_failed' });
    // Nobody else tells of it.
    expect(await visitor.answers(2)).toHaveLength(2);
    expect(server.log.filter(({ msg }) => msg === 'agent failed')).toMatchObject([
      { reason: 'error', status: null },
      { reason: 'incomplete' },
    ]);
    expect(JSON.stringify(server.log)).not.toContain('SECRET');
  });

  test.each<[string, Responder, object]>([
    ['a status', (response) => response.writeHead(401).end('SECRET'), { status: 401 }],
    ['no text', (response) => begin(response).end(chunk({}, 'stop') + done), { reason: 'empty' }],
    [
      'a call that nobody answers',
      (response) => begin(response).end(call(0, 'a', 'x', '{}') + chunk({}, 'tool_calls')),
      { reason: 'calls' },
    ],
    ['a connection that ends', (response) => response.destroy(), { reason: 'ECONNRESET' }],
  ])('tells the visitor of the failure of an answer without text: %s', async (_, reply, logged) => {
    const server = await start();
    const visitor = await visit(server);
    agent.answer(reply);
    const answer = await visitor.ask('Hello');
    expect(answer).toMatchObject({
      payload: { type: 'text', text: 'Sorry, no answer came. Please try again.' },
      metadata: { error: 'bot_failed' },
    });
    expect(await visitor.answers(1)).toHaveLength(1);
    expect(server.log.filter(({ msg }) => msg === 'agent failed')).toMatchObject([logged]);
    const admin = requesterFor(server, server.admin.token ?? '', server.admin.workspaceId);
    const { bots } = (await admin('GET', '/bots')).body;
    const { logs } = (await admin('GET', `/bots/${bots[0].id}/logs`)).body;
    expect(logs).toMatchObject([{ type: 'agent_failed', level: 'error', ...logged }]);
  });

  test('a connection that breaks after the last word of the agent does not make it fail', async () => {
    const visitor = await visit(await start());
    agent.answer((response) => {
      begin(response).write(chunk({ content: 'Whole' }) + chunk({}, 'stop'), () => response.destroy());
    });
    const answer = await visitor.ask('Hello');
    expect(markdownOf(answer)).toBe('Whole');
    expect(answer?.metadata?.error).toBeUndefined();
  });

  test('shows no reasoning that only a closing tag ends, and keeps the next one back', async () => {
    const server = await start();
    const visitor = await visit(server);
    const stream = await server.listen(visitor.key, visitor.conversationId);
    let goOn = () => {};
    agent.answer((response) => {
      begin(response).write(chunk({ content: 'CANARY thinks.' }));
      goOn = () =>
        response.end(chunk({ content: '</think>' }) + chunk({ content: 'Hello' }) + chunk({}, 'stop'));
    });
    const asked = visitor.ask('One');
    const first = await stream.untilType('message_stream_delta');
    goOn();
    const answer = await asked;
    expect(markdownOf(answer)).toBe('Hello');
    expect(answer?.parts).toBeUndefined();
    // It was taken back.
    await stream.untilType('message_stream_complete');
    const { data } = await stream.untilType('message_stream_abort');
    expect(data.streamId).toBe(first.data.streamId);
    expect(answer?.metadata?.streamId).not.toBe(data.streamId);
    const before = stream.frames.length;
    const again = visitor.ask('Two');
    await expect.poll(() => agent.requests.length, pollOptions).toBe(2);
    goOn();
    expect(markdownOf(await again)).toBe('Hello');
    await stream.until(
      ({ signal }) => signal?.type === 'message_stream_complete' && signal.data.message.id !== answer?.id,
    );
    expect(JSON.stringify(stream.frames.slice(before))).not.toContain('CANARY');
    await stream.cancel();
  });

  test('200,000 tiny events become few signals, and end at a limit', async () => {
    const server = await start();
    const visitor = await visit(server);
    const stream = await server.listen(visitor.key, visitor.conversationId);
    const tiny = 'data: {"choices":[{"delta":{"content":"a"}}]}\n\n';
    agent.answer((response) => begin(response).end(tiny.repeat(200_000) + done));
    const answer = await visitor.ask('Hello');
    expect(markdownOf(answer)).toBe('a'.repeat(100_000));
    expect(answer?.metadata).toMatchObject({ error: 'agent_failed' });
    expect(server.log.filter(({ msg }) => msg === 'agent failed')).toMatchObject([
      { reason: 'too_many_events' },
    ]);
    await stream.untilType('message_stream_complete');
    const deltas = stream.frames.filter(({ signal }) => signal?.type === 'message_stream_delta');
    // Some batches end with a piece of the response, before they are full.
    expect(deltas.length).toBeLessThan(100_000 / 25);
    await stream.cancel();
  });

  test('an answer that is too long is truncated, by the agent or here', async () => {
    const visitor = await visit(await start());
    agent.answer((response) => begin(response).end(chunk({ content: 'Cut' }) + chunk({}, 'length') + done));
    expect((await visitor.ask('Hello'))?.metadata).toMatchObject({ truncated: true });
    agent.answer((response) => {
      begin(response);
      const write = () => response.write(chunk({ content: '😀'.repeat(4_000) }), (error) => error || write());
      write();
    });
    const answer = await visitor.ask('More');
    expect(answer?.metadata).toMatchObject({ truncated: true });
    expect(markdownOf(answer)?.length).toBeGreaterThan(120_000);
    expect(markdownOf(answer)).toMatch(/^(?:😀)+$/u);
    await agent.requests[1]?.closed;
  });

  test('a stop by the visitor closes the connection and keeps the text', async () => {
    const server = await start();
    const visitor = await visit(server);
    const stream = await server.listen(visitor.key, visitor.conversationId, 0);
    agent.answer((response) => begin(response).write(chunk({ content: 'Begun' })));
    await visitor.send('Hello');
    const { streamId } = (await stream.untilType('message_stream_delta')).data;
    await visitor.post(`/conversations/${visitor.conversationId}/stop`, { streamId });
    await agent.requests[0]?.closed;
    const [answer] = await visitor.answers(1);
    expect(markdownOf(answer)).toBe('Begun');
    expect(answer?.metadata).toMatchObject({ stopped: true });
    expect(server.log.filter(({ msg }) => msg === 'agent failed')).toEqual([]);
    await stream.cancel();
    // The next message is answered.
    agent.answer((response) => say(response, 'Again'));
    expect(markdownOf(await visitor.ask('Hello'))).toBe('Again');
  });
});

describe('the limits of agents', () => {
  const startLimited = (limits: TestOptions, now: () => number = Date.now) =>
    startServer({ agent: agentAt(agent.url), agentHooks: { times }, now, ...limits });

  test('a user who has used up the runs of an hour reads one sentence, and the agent is not called', async () => {
    let time = Date.now();
    const server = await startLimited({ AGENT_RUNS_PER_HOUR: 2 }, () => time);
    const visitor = await visit(server);
    await visitor.ask('One');
    await visitor.ask('Two');
    const refused = await visitor.ask('Three');
    expect(refused).toMatchObject({
      payload: { type: 'text', text: 'There are too many requests now. Please try again later.' },
      metadata: { error: 'agent_limit' },
    });
    expect(agent.requests).toHaveLength(2);
    const inGerman = await visitor.ask('Drei', { 'x-visitor-locale': 'chat=de-AT&page=en' });
    expect(inGerman?.payload).toEqual({ type: 'text', text: de.agents.limit });
    // Others are answered, and so is the user in the next hour.
    const other = await visit(server);
    expect(markdownOf(await other.ask('Hello'))).toBe('Hello');
    time += 60 * 60 * 1_000;
    expect(markdownOf(await visitor.ask('Four'))).toBe('Hello');
    // The agent is not told of the refusal.
    const contents = agent.requests.at(-1)?.body.messages.map(({ content }) => content);
    expect(contents).not.toContain('There are too many requests now. Please try again later.');
    expect(contents).not.toContain(de.agents.limit);
  });

  test('runs at a time: of a user in several conversations, and of a bot', async () => {
    const server = await startLimited({ agentHooks: { times, concurrency: { ofUser: 1, ofBot: 2 } } });
    const release: (() => void)[] = [];
    agent.answer((response) => {
      begin(response).write(chunk({ content: 'Begun' }));
      release.push(() => response.end(chunk({}, 'stop') + done));
    });
    const first = await visit(server);
    await first.send('One');
    await expect.poll(() => release.length, pollOptions).toBe(1);
    const refusal = { metadata: { error: 'agent_limit' } };
    const elsewhere = await startChat(() => server, first);
    expect(await elsewhere.ask('Two')).toMatchObject(refusal);
    const second = await visit(server);
    await second.send('Three');
    await expect.poll(() => release.length, pollOptions).toBe(2);
    const third = await visit(server);
    expect(await third.ask('Four')).toMatchObject(refusal);
    for (const one of release) one();
    await first.answers(1);
    await second.answers(1);
    agent.answer((response) => say(response, 'Free'));
    expect(markdownOf(await third.ask('Five'))).toBe('Free');
  });

  test('tokens of a day: as the agent tells them, otherwise estimated; also of runs that failed', async () => {
    let time = Date.UTC(2026, 0, 1);
    const server = await startLimited({ AGENT_TOKENS_PER_DAY: 100 }, () => time);
    const visitor = await visit(server);
    agent.answer((response) =>
      begin(response).end(
        `${chunk({ content: 'Hello' })}data: {"choices":[],"usage":{"prompt_tokens":90,"completion_tokens":9}}\n\n`,
      ),
    );
    await visitor.ask('One');
    agent.answer((response) => say(response, 'x'.repeat(40)));
    expect(markdownOf(await visitor.ask('Two'))).toBe('x'.repeat(40));
    expect((await visitor.ask('Three'))?.metadata).toEqual({ error: 'agent_limit' });
    expect(agent.requests).toHaveLength(2);
    time += 24 * 60 * 60 * 1_000;
    expect(markdownOf(await visitor.ask('Four'))).toBe('x'.repeat(40));
  });

  const status =
    (code: number): Responder =>
    (response) =>
      response.writeHead(code).end();
  test.each<[string, Responder, string | undefined]>([
    ...[401, 429, 503].map((code): [string, Responder, undefined] => [
      `status ${code}`,
      status(code),
      undefined,
    ]),
    ['an answer that breaks off', (response) => begin(response).end(), 'agent_limit'],
    ['a connection that breaks off', (response) => response.destroy(), 'agent_limit'],
  ])(
    'tokens of a day are estimated unless the agent has refused the request: %s',
    async (_, respond, error) => {
      const visitor = await visit(await startLimited({ AGENT_TOKENS_PER_DAY: 100 }));
      agent.answer(respond);
      // More characters than the tokens of the day.
      await visitor.ask('x'.repeat(1_000));
      agent.answer((response) => say(response, 'Here again.'));
      expect((await visitor.ask('Hello?')).metadata?.error).toBe(error);
    },
  );
});
