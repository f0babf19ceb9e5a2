// One command in an empty folder starts a chat with an agent: the built server, a third-party mock of an agent, and a
// browser.
import { LLMock } from '@copilotkit/aimock';
import { expect, test } from '../support/fixtures.ts';
import { createServedAgent, type ServedAgent } from './serve-agent.ts';

const mock = new LLMock({ port: 0 });
let served: ServedAgent;

test.beforeAll(async () => {
  mock.addFixture({
    match: { userMessage: 'bikes' },
    response: {
      blocks: [
        { type: 'text', text: 'Let me look.' },
        { type: 'toolCall', id: 'c1', name: 'search_stock', arguments: '{"q":"CANARY-INPUT"}' },
        { type: 'text', text: 'There are **two bikes**.' },
      ],
      reasoning: 'CANARY-REASONING',
      finishReason: 'stop',
    },
  });
  mock.addFixture({
    match: { userMessage: 'break' },
    response: { error: { message: 'CANARY-ERROR', type: 'server_error' }, status: 401 },
  });
  await mock.start();
  served = await createServedAgent();
});
test.afterAll(async () => {
  await served.close();
  await mock.stop();
});

const secrets = { AGENT_KEY: 'CANARY-KEY', AGENT_HEADERS: '{"X-Team":"CANARY-HEADER"}' };

test('serve --agent in an empty folder: an answer with a step is in the window, and no secret leaves the server', async ({
  page,
}) => {
  const log: string[] = [];
  const url = await served.serve(['--agent', `${mock.url}/v1`, '--agent-model', 'test-model'], log, secrets);
  const received: Promise<string>[] = [];
  page.on('response', (response) => {
    // The stream of the conversation has no end: what it contains is in the list of messages, too.
    if (!response.url().includes('/listen')) received.push(response.text().catch(() => ''));
  });
  await page.goto(url);
  await page.locator('.launcher').click();
  const window = page.getByRole('dialog', { name: /^(Chat with|The chat is loading)/ });
  const input = window.getByRole('textbox', { name: 'Message' });
  await expect(input).toHaveAccessibleDescription('You are chatting with an AI assistant.');
  await input.fill('Do you have bikes?');
  await input.press('Enter');
  const answer = window.locator('.row[data-side="bot"][data-status="sent"]').first();
  await expect(answer).toContainText('There are two bikes.');
  await expect(answer.locator('strong')).toHaveText('two bikes');
  await expect(answer).toContainText('search_stock');

  await input.fill('Now break');
  await input.press('Enter');
  await expect(window.locator('.row[data-side="bot"]').last()).toContainText('Sorry, no answer came.');
  await expect(window.getByRole('button', { name: 'Try again', exact: true })).toBeVisible();

  // After a reload, everything comes from what is stored.
  await page.reload();
  await page.locator('.launcher').click();
  await expect(answer).toContainText('There are two bikes.');
  await expect(answer).toContainText('search_stock');

  const seen = [...(await Promise.all(received)), await page.content(), ...log].join('\n');
  expect(seen).toContain('two bikes');
  expect(seen).not.toContain('CANARY');
  const request = mock.getLastRequest();
  expect(request?.headers).toMatchObject({ 'x-team': expect.any(String) });
});
