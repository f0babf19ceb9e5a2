// The real widget with the mock of the Chat API: installed in the page and over HTTP, by the snippets of the guide as they
// are written.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { rolldown } from 'rolldown';
import { ChatClient } from '../../src/client/index.ts';
import { createMockServer } from '../../src/packages/widget/mock/index.ts';
import { expect, test } from '../support/fixtures.ts';
import { pageHtml } from '../support/host-page.ts';

/** The JavaScript examples of the guide. */
const snippets = async () => {
  const page = await readFile('docs/guides/mock-server.md', 'utf8');
  const found = [...page.matchAll(/```js\n([\s\S]*?)```/g)].map(([, code]) => code ?? '');
  expect(found).toHaveLength(3);
  return found;
};
const withoutImports = (code: string) => code.replace(/^import .*\n/gm, '');
const AsyncFunction = (async () => {}).constructor as new (
  ...names: string[]
) => (...values: unknown[]) => Promise<void>;

test('installed in the page: the chat needs no server, and answers from the list', { tag: '@story' }, async ({
  chat,
  page,
  platform,
  serve,
}) => {
  const [snippet = ''] = await snippets();
  const folder = await mkdtemp(join(tmpdir(), 'mock-'));
  const input = join(folder, 'page.js');
  await writeFile(input, snippet.replace('http://127.0.0.1:3000', platform.url));
  const mock = resolve('src/packages/widget/mock/index.ts');
  const bundle = await rolldown({ input, resolve: { alias: { '@platform-webchat/widget/mock': mock } } });
  const { output } = await bundle.generate({ format: 'iife' });
  await rm(folder, { recursive: true });
  // Nothing but the files of the widget may be loaded.
  const csp = `default-src 'none'; script-src 'nonce-n0nce' ${platform.url}; img-src data:; font-src ${platform.url}`;
  const html = pageHtml(`<script nonce="n0nce">${output[0].code}</script>`);
  await chat.goto(serve('/mock', html, { 'content-security-policy': csp }));
  await chat.launcher.click();
  await chat.send('hello');
  await expect(chat.botRows).toHaveText([/Hello! How can I help\?/]);
  await chat.send('and now?');
  await expect(chat.botRows.nth(1)).toContainText('A second answer.');
  await expect(chat.botRows.nth(1).locator('strong')).toHaveText('second');
  const statuses = chat.rows.and(page.locator('[data-side="visitor"]'));
  await expect(statuses.first()).toHaveAttribute('data-status', 'sent');
  expect(chat.requests.filter((url) => url.includes('mock.test'))).toEqual([]);
});

test('over HTTP: the snippet for Playwright runs as it is written', async ({
  chat,
  page,
  platform,
  serve,
}) => {
  const [, snippet = ''] = await snippets();
  const html = pageHtml(`<script src="${platform.url}/webchat/webchat.js" data-manual></script>
    <script>platform.init({ chatUrl: window.chatUrl })</script>`);
  const address = serve('/mock-http', html, {});
  const code = withoutImports(snippet).replace('http://localhost:5173/', address);
  const lines: unknown[][] = [];
  const run = new AsyncFunction('createMockServer', 'page', 'console', code);
  await run(createMockServer, page, { log: (...values: unknown[]) => lines.push(values) });
  expect(lines).toEqual([[expect.arrayContaining(['createUser', 'createConversation', 'createMessage']), 4]]);
  // The server of the snippet is closed now.
  chat.ignoreConsoleErrors('ERR_');
});

test('in Node: the snippet for the client runs as it is written', async () => {
  const [, , snippet = ''] = await snippets();
  const lines: unknown[] = [];
  const run = new AsyncFunction('createMockServer', 'ChatClient', 'console', withoutImports(snippet));
  await run(createMockServer, ChatClient, { log: (line: unknown) => lines.push(line) });
  expect(lines).toEqual([403, 'Ada', 'NetworkError']);
});
