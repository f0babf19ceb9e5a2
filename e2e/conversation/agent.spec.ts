// One command from an empty folder is a chat with an agent: the built server, an agent that others have written, and a browser.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { LLMock } from '@copilotkit/aimock';
import { expect, test } from '@playwright/test';

const mock = new LLMock({ port: 0 });
let folder: string;
let server: ChildProcess | undefined;

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
  folder = await mkdtemp(join(tmpdir(), 'agent-e2e-'));
});
test.afterAll(async () => {
  if (server && server.exitCode === null) {
    const exit = once(server, 'exit');
    server.kill('SIGTERM');
    await exit;
  }
  await mock.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Runs `platform-webchat serve` with these flags in the empty folder, and returns the address of the demo page. */
async function serve(flags: string[], log: string[]): Promise<string> {
  const program = resolve('dist/node/src/cli/main.js');
  const started = spawn(process.execPath, [program, 'serve', '--port', '0', ...flags], {
    cwd: folder,
    env: {
      ...process.env,
      NODE_ENV: '',
      AGENT_KEY: 'CANARY-KEY',
      AGENT_HEADERS: '{"X-Team":"CANARY-HEADER"}',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  server = started;
  started.stderr.setEncoding('utf8').on('data', (text: string) => log.push(text));
  for await (const line of createInterface({ input: started.stdout })) {
    log.push(line);
    const [, url] = /^ready (http:\S+)$/.exec(line) ?? [];
    if (url === undefined) continue;
    started.stdout.resume();
    return url;
  }
  throw new Error(`The server ended before it was ready. ${log.join('')}`);
}

test('serve --agent in an empty folder: an answer with a step is in the window, and no secret leaves the server', async ({
  page,
}) => {
  const log: string[] = [];
  const url = await serve(['--agent', `${mock.url}/v1`, '--agent-model', 'test-model'], log);
  const received: Promise<string>[] = [];
  page.on('response', (response) => {
    // The stream of the conversation has no end: what it contains is in the list of messages, too.
    if (!response.url().includes('/listen')) received.push(response.text().catch(() => ''));
  });
  await page.goto(url);
  await page.locator('.launcher').click();
  const window = page.getByRole('dialog', { name: /^(Chat with|The chat is loading)/ });
  const input = window.getByRole('textbox', { name: 'Message' });
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
