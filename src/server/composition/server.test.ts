// One set of settings gives the bot its agent and computed columns their model; both ask a server of a third party.
import { LLMock } from '@copilotkit/aimock';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readAgent } from '../bots/index.ts';
import { createTablesFixture, type TablesFixture } from '../tables/testing.ts';
import { pollOptions } from '../testing.ts';
import { modelOf } from './server.ts';
import { readSettings } from './settings.ts';

const mock = new LLMock({ port: 0 });
let fixture: TablesFixture;

beforeAll(async () => {
  mock.addFixture({ match: { userMessage: 'Good morning' }, response: { content: 'How can I help?' } });
  mock.addFixture({ match: { userMessage: 'It is broken' }, response: { content: '{"value":"complaint"}' } });
  await mock.start();
  const settings = readSettings({
    AGENT: `${mock.url}/v1`,
    AGENT_MODEL: 'small-model',
    AGENT_KEY: 'key-of-the-operator',
    AGENT_HEADERS: '{"X-Team":"support"}',
    AGENT_OPTIONS: '{"temperature":0}',
  });
  const agent = await readAgent(settings);
  fixture = await createTablesFixture({ agent, model: modelOf(agent) });
});
afterAll(async () => {
  await fixture.server.close();
  await mock.stop();
});

test('settings of an agent: it answers a visitor, and computes a column with the same address, headers, model and options', async () => {
  const { server } = fixture;
  const { key, id } = await server.user();
  const conversation = await server.conversation(key);
  await server.sendMessage(key, conversation, 'Good morning');
  const answers = async () => {
    const { body } = await server.call('GET', `/conversations/${conversation}/messages`, { key });
    return (body as { messages: { userId: string; payload: { markdown?: string } }[] }).messages
      .filter(({ userId }) => userId !== id)
      .map(({ payload }) => payload.markdown);
  };
  await expect.poll(answers, pollOptions).toEqual(['How can I help?']);

  const label = {
    type: 'string',
    enum: ['complaint', 'praise'],
    'x-zui': {
      computed: { action: 'ai', prompt: 'Is it a complaint or praise?', dependencies: ['message'] },
    },
  };
  const table = await fixture.table({ type: 'object', properties: { message: { type: 'string' }, label } });
  const { body } = await fixture.call('POST', `/${table}/rows`, {
    rows: [{ message: 'It is broken' }],
    waitComputed: true,
  });
  expect(body.rows).toMatchObject([{ label: 'complaint', computed: { label: { status: 'completed' } } }]);

  const requests = mock.getRequests().map(({ path, headers, body: sent }) => ({
    path,
    isStream: (sent as { stream?: boolean }).stream,
    team: headers['x-team'],
    hasKey: headers.authorization !== undefined,
    model: (sent as { model?: string }).model,
    temperature: (sent as { temperature?: number }).temperature,
  }));
  const common = {
    path: '/v1/chat/completions',
    team: 'support',
    hasKey: true,
    model: 'small-model',
    temperature: 0,
  };
  expect(requests).toEqual([
    { ...common, isStream: true },
    { ...common, isStream: false },
  ]);
});
