// Tests bots with an agent: a whole server, and an agent with chat completions on this machine.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Message } from '../../../protocol/message.ts';
import { heldLimit, holdLimits } from '../../testing/held-timers.testing.ts';
import { pollOptions, startTestServer, type TestOptions, type TestServer } from '../../testing.ts';
import type { Agent } from './agent.ts';
import { limitTexts } from './limit-message.ts';
import { defaultAgentLimits } from './limits.ts';
import { type AgentServer, agentAt, begin, chunk, done, say, startAgentServer } from './testing.ts';

let agent: AgentServer;
const servers: TestServer[] = [];
beforeEach(async () => {
  agent = await startAgentServer();
});
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()));
  await agent.close();
});

const times = { retries: [1, 1] };

async function start(fields: Partial<Agent> = {}, options: TestOptions = {}): Promise<TestServer> {
  const server = await startTestServer({ agents: { agent: agentAt(agent.url, fields), times }, ...options });
  servers.push(server);
  return server;
}

/** A visitor with a conversation. */
async function visit(server: TestServer) {
  const { key, id } = await server.user();
  const conversationId = await server.conversation(key);
  const messages = async (): Promise<Message[]> => {
    const { body } = await server.call('GET', `/conversations/${conversationId}/messages`, { key });
    return (body as { messages: Message[] }).messages.reverse();
  };
  /** The messages of the bot, when there are this many. */
  const answers = async (count: number): Promise<Message[]> => {
    const own = async () => (await messages()).filter(({ userId }) => userId !== id);
    await expect.poll(async () => (await own()).length, pollOptions).toBeGreaterThanOrEqual(count);
    return own();
  };
  return {
    key,
    id,
    conversationId,
    messages,
    answers,
    send: (text: string) => server.sendMessage(key, conversationId, text),
    /** Sends a message and returns the next message of the bot. */
    async ask(text: string, headers: Record<string, string> = {}): Promise<Message | undefined> {
      const count = (await answers(0)).length;
      await server.sendMessage(key, conversationId, text, headers);
      return (await answers(count + 1)).at(-1);
    },
  };
}

const textOf = (message: Message | undefined) =>
  message?.payload.type === 'markdown' ? message.payload.markdown : undefined;

const call = (index: number, id: string, name: string, input: string): string =>
  chunk({ tool_calls: [{ index, id, function: { name, arguments: input } }] });

describe('a bot with an agent', () => {
  test('answers with the text of the agent, and tells it the conversation', async () => {
    const visitor = await visit(
      await start({
        key: 'k',
        headers: { 'x-team': 'a' },
        options: { temperature: 0, stream_options: null },
      }),
    );
    agent.answer((response, { body }) => say(response, `You said ${body.messages.at(-1)?.content}.`));
    expect(textOf(await visitor.ask('One'))).toBe('You said One.');
    expect(textOf(await visitor.ask('Two'))).toBe('You said Two.');
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
    expect(answers.map(textOf).sort()).toEqual(['To One', 'To Two']);
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
    const annotation = (url: string, end_index: number) => ({
      type: 'url_citation',
      url_citation: { url, title: url, end_index },
    });
    agent.answer((response) =>
      begin(response).end(
        chunk({ content: 'Let me see.' }) +
          call(0, 'a', 'search', '{"q":"bikes"}') +
          call(1, 'b', 'stock', '{}') +
          chunk({ content: 'Two 😀 bikes, one bell.' }) +
          chunk({
            annotations: [
              annotation('https://a.example/', 23),
              annotation('https://b.example/', 34),
              annotation('https://a.example/', 34),
              annotation('javascript:alert(1)', 5),
            ],
          }) +
          chunk({}, 'stop') +
          done,
      ),
    );
    const answer = await visitor.ask('Bikes?');
    // The offsets of the agent count no paragraph.
    expect(textOf(answer)).toBe('Let me see.\n\nTwo 😀 bikes[1], one bell.[1][2]');
    expect(answer?.parts).toEqual([
      { id: 'p1', type: 'tool', at: 11, toolName: 'search', state: 'output-available' },
      { id: 'p2', type: 'tool', at: 11, toolName: 'stock', state: 'output-available' },
      {
        id: 'p3',
        type: 'source',
        at: expect.any(Number),
        title: 'https://a.example/',
        url: 'https://a.example/',
      },
      {
        id: 'p4',
        type: 'source',
        at: expect.any(Number),
        title: 'https://b.example/',
        url: 'https://b.example/',
      },
    ]);
  });

  test('shows the parts that are allowed: all of them, or the text alone', async () => {
    const body =
      chunk({ reasoning_content: 'Hm.' }) +
      call(0, 'a', 'search', '{"q":1}') +
      chunk({ content: 'Yes' }) +
      chunk({
        annotations: [
          { type: 'url_citation', url_citation: { url: 'https://a.example/', title: 'A', end_index: 3 } },
        ],
      }) +
      chunk({}, 'stop') +
      done;
    agent.answer((response) => begin(response).end(body));
    const all = await visit(
      await start({ show: ['status', 'reasoning', 'tools', 'tool-input', 'tool-output', 'sources'] }),
    );
    const answer = await all.ask('Hello');
    expect(textOf(answer)).toBe('Yes[1]');
    expect(answer?.parts).toMatchObject([
      { type: 'reasoning', text: 'Hm.', state: 'done' },
      { type: 'tool', toolName: 'search', input: { q: 1 }, state: 'output-available' },
      { type: 'source', title: 'A' },
    ]);
    const none = await visit(await start({ show: [] }));
    const plain = await none.ask('Hello');
    expect(textOf(plain)).toBe('Yes');
    expect(plain?.parts).toBeUndefined();
  });

  test('keeps half an answer as a failed one, and tells the log the code alone', async () => {
    const server = await start();
    const visitor = await visit(server);
    agent.answer((response) =>
      begin(response).end(`${chunk({ content: 'Half an' })}data: {"error":{"message":"SECRET"}}\n\n`),
    );
    const answer = await visitor.ask('Hello');
    expect(textOf(answer)).toBe('Half an');
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

  test.each<[string, (response: Parameters<typeof begin>[0]) => unknown, object]>([
    ['a status', (response) => response.writeHead(401).end('SECRET'), { status: 401 }],
    ['no text', (response) => begin(response).end(chunk({}, 'stop') + done), { reason: 'empty' }],
    [
      'a call that nobody answers',
      (response) => begin(response).end(call(0, 'a', 'x', '{}') + chunk({}, 'tool_calls')),
      { reason: 'calls' },
    ],
    [
      'a connection that ends',
      (response) => response.destroy(),
      { reason: expect.stringMatching(/^[a-zA-Z_]+$/) },
    ],
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
    const init = {
      headers: { authorization: `Bearer ${server.admin.token}`, 'x-workspace-id': server.admin.workspaceId },
    };
    const bots = (await (await server.fetch('/v1/admin/bots', init)).json()) as { bots: { id: string }[] };
    const logs = await (await server.fetch(`/v1/admin/bots/${bots.bots[0]?.id}/logs`, init)).json();
    expect(logs).toMatchObject({ logs: [{ type: 'agent_failed', level: 'error', ...logged }] });
  });

  test('a connection that breaks after the last word of the agent does not make it fail', async () => {
    const visitor = await visit(await start());
    agent.answer((response) => {
      begin(response).write(chunk({ content: 'Whole' }) + chunk({}, 'stop'), () => response.destroy());
    });
    const answer = await visitor.ask('Hello');
    expect(textOf(answer)).toBe('Whole');
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
    expect(textOf(answer)).toBe('Hello');
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
    expect(textOf(await again)).toBe('Hello');
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
    expect(textOf(answer)).toBe('a'.repeat(100_000));
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
    expect(textOf(answer)?.length).toBeGreaterThan(120_000);
    expect(textOf(answer)).toMatch(/^(?:😀)+$/u);
    await agent.requests[1]?.closed;
  });

  test('a stop by the visitor closes the connection and keeps the text', async () => {
    const server = await start();
    const visitor = await visit(server);
    const stream = await server.listen(visitor.key, visitor.conversationId, 0);
    agent.answer((response) => begin(response).write(chunk({ content: 'Begun' })));
    await visitor.send('Hello');
    const { data } = JSON.parse(
      (await stream.until(({ signal }) => signal?.type === 'message_stream_delta')).data,
    ) as { data: { streamId: string } };
    await server.call('POST', `/conversations/${visitor.conversationId}/stop`, {
      key: visitor.key,
      body: { streamId: data.streamId },
    });
    await agent.requests[0]?.closed;
    const [answer] = await visitor.answers(1);
    expect(textOf(answer)).toBe('Begun');
    expect(answer?.metadata).toMatchObject({ stopped: true });
    expect(server.log.filter(({ msg }) => msg === 'agent failed')).toEqual([]);
    await stream.cancel();
    // The next message is answered.
    agent.answer((response) => say(response, 'Again'));
    expect(textOf(await visitor.ask('Hello'))).toBe('Again');
  });

  test('a run that takes too long fails, and its text is kept', async () => {
    const limits = holdLimits();
    const server = await start({}, { agents: { agent: agentAt(agent.url), times: { run: heldLimit } } });
    const visitor = await visit(server);
    const stream = await server.listen(visitor.key, visitor.conversationId, 0);
    agent.answer((response) => begin(response).write(chunk({ content: 'Slow' })));
    const asked = visitor.ask('Hello');
    await stream.untilType('message_stream_delta');
    limits.latest().elapse();
    const answer = await asked;
    expect(textOf(answer)).toBe('Slow');
    expect(answer?.metadata).toMatchObject({ error: 'agent_failed' });
    await stream.cancel();
    await agent.requests[0]?.closed;
  });

  test('a deleted conversation closes the connection', async () => {
    const server = await start();
    const visitor = await visit(server);
    agent.answer((response) => begin(response).write(chunk({ content: 'Begun' })));
    await visitor.send('Hello');
    await expect.poll(() => agent.requests.length, pollOptions).toBe(1);
    await server.call('DELETE', `/conversations/${visitor.conversationId}`, { key: visitor.key });
    await agent.requests[0]?.closed;
  });
});

describe('the limits of agents', () => {
  const limitsOf = (fields: object) => ({ agents: { limits: { ...defaultAgentLimits, ...fields }, times } });
  const startLimited = (fields: object) =>
    start({}, { agents: { agent: agentAt(agent.url), ...limitsOf(fields).agents } });

  test('a user who has used up the runs of an hour reads one sentence, and the agent is not called', async () => {
    let time = Date.now();
    const server = await start(
      {},
      { agents: { agent: agentAt(agent.url), ...limitsOf({ runsPerHour: 2 }).agents }, now: () => time },
    );
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
    expect(inGerman?.payload).toEqual({ type: 'text', text: limitTexts.de });
    // Others are answered, and so is the user in the next hour.
    const other = await visit(server);
    expect(textOf(await other.ask('Hello'))).toBe('Hello');
    time += 60 * 60 * 1_000;
    expect(textOf(await visitor.ask('Four'))).toBe('Hello');
    // The agent is not told of the refusal.
    const told = agent.requests.at(-1)?.body.messages.map(({ content }) => content);
    expect(told).not.toContain('There are too many requests now. Please try again later.');
    expect(told).not.toContain(limitTexts.de);
  });

  test('runs at a time: of a user in several conversations, and of a bot', async () => {
    const server = await startLimited({ runsOfUser: 1, runsOfBot: 2 });
    const release: (() => void)[] = [];
    agent.answer((response) => {
      begin(response).write(chunk({ content: 'Begun' }));
      release.push(() => response.end(chunk({}, 'stop') + done));
    });
    const first = await visit(server);
    await first.send('One');
    await expect.poll(() => release.length, pollOptions).toBe(1);
    const sameUser = await server.conversation(first.key);
    await server.sendMessage(first.key, sameUser, 'Two');
    const refusals = async (key: string, id: string) => {
      const { body } = await server.call('GET', `/conversations/${id}/messages`, { key });
      return (body as { messages: Message[] }).messages.filter(
        ({ metadata }) => metadata?.error === 'agent_limit',
      ).length;
    };
    await expect.poll(() => refusals(first.key, sameUser), pollOptions).toBe(1);
    const second = await visit(server);
    await second.send('Three');
    await expect.poll(() => release.length, pollOptions).toBe(2);
    const third = await visit(server);
    await third.send('Four');
    await expect.poll(() => refusals(third.key, third.conversationId), pollOptions).toBe(1);
    for (const one of release) one();
    await first.answers(1);
    await second.answers(1);
    agent.answer((response) => say(response, 'Free'));
    expect(textOf(await third.ask('Five'))).toBe('Free');
  });

  test('tokens of a day: as the agent tells them, otherwise estimated; also of runs that failed', async () => {
    let time = Date.UTC(2026, 0, 1);
    const server = await start(
      {},
      { agents: { agent: agentAt(agent.url), ...limitsOf({ tokensPerDay: 100 }).agents }, now: () => time },
    );
    const visitor = await visit(server);
    agent.answer((response) =>
      begin(response).end(
        `${chunk({ content: 'Hello' })}data: {"choices":[],"usage":{"prompt_tokens":90,"completion_tokens":9}}\n\n`,
      ),
    );
    await visitor.ask('One');
    agent.answer((response) => say(response, 'x'.repeat(40)));
    expect(textOf(await visitor.ask('Two'))).toBe('x'.repeat(40));
    expect((await visitor.ask('Three'))?.metadata).toEqual({ error: 'agent_limit' });
    expect(agent.requests).toHaveLength(2);
    time += 24 * 60 * 60 * 1_000;
    expect(textOf(await visitor.ask('Four'))).toBe('x'.repeat(40));
  });

  test.each([401, 429, 503])(
    'tokens of a day: none for a request that is refused with %i',
    async (status) => {
      const visitor = await visit(await startLimited({ tokensPerDay: 100 }));
      agent.answer((response) => response.writeHead(status).end());
      // More characters than the tokens of the day.
      expect((await visitor.ask('x'.repeat(1_000)))?.metadata).toEqual({ error: 'bot_failed' });
      agent.answer((response) => say(response, 'Here again.'));
      expect(textOf(await visitor.ask('Hello?'))).toBe('Here again.');
    },
  );

  test.each<[string, Parameters<typeof agent.answer>[0]]>([
    ['an answer that breaks off', (response) => begin(response).end()],
    ['a connection that breaks off before the answer', (response) => response.destroy()],
  ])('tokens of a day: an estimate for %s', async (_, respond) => {
    const visitor = await visit(await startLimited({ tokensPerDay: 100 }));
    agent.answer(respond);
    await visitor.ask('x'.repeat(1_000));
    expect((await visitor.ask('Hello?'))?.metadata).toEqual({ error: 'agent_limit' });
  });
});
