// The README and the guides match the product: methods, events, folders, and the examples, which are run.
import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createCacheFolder } from '../../scripts/cache-folder.mjs';
import { ChatClient } from '../../src/client/index.ts';
import { expect, test } from '../support/fixtures.ts';
import { startPlatform } from '../support/server.ts';

const read = (path: string) => readFile(path, 'utf8');

test('the reference names every method and event of window.platform, and no others', async ({
  chat,
  page,
}) => {
  const reference = await read('docs/reference/page-api.md');
  const [methodTable = '', eventTable = ''] = reference.split('| Event |');
  const named = [...methodTable.matchAll(/^\| .*?\|/gm)].flatMap(([cell]) => [
    ...cell.matchAll(/`(\w+)[(`]/g),
  ]);
  await chat.goto();
  const methods = await page.evaluate(() => Object.keys(window.platform as object));
  expect(named.map(([, name]) => name).sort()).toEqual(methods.sort());
  const types =
    (await read('src/protocol/page-api/page-api.ts')).match(/PlatformEvents \{(.*?)\n\}/s)?.[1] ?? '';
  const events = [...types.matchAll(/^ {2}'?([\w:]+)'?: /gm)].map(([, name]) => name);
  const listed = [...eventTable.matchAll(/^\| (.*?) \|/gm)].flatMap(([, cell]) => [
    ...(cell ?? '').matchAll(/`([^`]+)`/g),
  ]);
  expect(listed.map(([, name]) => name).sort()).toEqual([...events, '*'].sort());
});

test('the client example of docs/guides/apis.md runs as it is written', async ({ platform }) => {
  const example = /```ts\n(import \{ ChatClient.*?)```/s.exec(await read('docs/guides/apis.md'))?.[1] ?? '';
  const code = example.replace('http://127.0.0.1:3000', platform.url);
  expect(code).toContain(platform.url);
  // Inside the project, so that the package's own name resolves to its exports.
  const folder = await createCacheFolder('example-');
  try {
    await writeFile(join(folder, 'example.mjs'), code);
    const { stdout } = await promisify(execFile)(process.execPath, [join(folder, 'example.mjs')], {
      timeout: 30_000,
      env: { ...process.env, FORCE_COLOR: '0' },
    });
    expect(stdout).toContain("{ type: 'text', text: 'Hello' }");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('the Node recipe of docs/guides/identify.md signs keys that the server accepts', async () => {
  const recipe = /```js\n(import .*?)```/s.exec(await read('docs/guides/identify.md'))?.[1] ?? '';
  expect(recipe).toContain('signUserKey');
  const secret = '8f14e45fceea167a5a36dedd4bea2543';
  const { chatUrl, dispose } = await startPlatform({ USER_KEYS: 'personal', USER_KEY_SECRET: secret });
  const folder = await createCacheFolder('example-');
  try {
    await writeFile(join(folder, 'example.mjs'), `${recipe}process.stdout.write(userKey);`);
    const { stdout } = await promisify(execFile)(process.execPath, [join(folder, 'example.mjs')], {
      timeout: 30_000,
      env: { ...process.env, USER_KEY_SECRET: secret },
    });
    const client = new ChatClient({ chatUrl, userKey: stdout });
    expect((await client.getOrCreateUser({})).user.id).toBe('customer-7');
  } finally {
    await rm(folder, { recursive: true, force: true });
    await dispose();
  }
});

test('the embedding examples of the README work as they are written', { tag: '@story' }, async ({
  chat,
  page,
  platform,
  serve,
}) => {
  const tags = [...(await read('README.md')).matchAll(/```html\n(.*?)```/gs)].map(([, tag]) => tag ?? '');
  expect(tags).toHaveLength(2);
  const [served = '', attributes = ''] = tags.map((tag) =>
    tag.replaceAll('http://127.0.0.1:3000', platform.url),
  );
  await chat.goto(serve('/readme-1', `<!doctype html><title>A page</title><body>${served}`, {}));
  await page.goto(serve('/readme-2', `<!doctype html><title>A page</title><body>${attributes}`, {}));
  await page.waitForFunction(() => 'platform' in window && 'init' in (window.platform as object));
  await expect(chat.launcher).toHaveCount(0);
  await page.evaluate(() => (window.platform as { init(): void }).init());
  await expect(chat.launcher).toBeVisible();
});

test('the example of docs/guides/self-hosting.md changes the configuration', async () => {
  // A separate server, because the stored configuration would affect other tests.
  const { url, chatUrl, admin, dispose } = await startPlatform();
  try {
    const page = await read('docs/guides/self-hosting.md');
    const section = page.slice(page.indexOf('## Change the configuration'));
    const example = /```sh\n(.*?)```/s.exec(section)?.[1] ?? '';
    const code = example
      .replaceAll('http://127.0.0.1:3000', url)
      .replace('pat_...', admin.token)
      .replace('ws_...', admin.workspaceId);
    expect(code).toContain(url);
    expect(code).not.toContain('...');
    const { stdout } = await promisify(execFile)('sh', ['-euc', code], { timeout: 30_000 });
    expect(stdout).toContain('{"configuration":{"botName":"Support","color":"#0a7a5a"}}');
    expect(stdout).toContain(`${chatUrl}/webchat.js`);
    const seen = await (await fetch(`${chatUrl}/webchat`)).json();
    expect(seen).toMatchObject({ configuration: { botName: 'Support', color: '#0a7a5a' } });
    expect(await (await fetch(`${chatUrl}/webchat.js`)).text()).toContain('"botName":"Support"');
  } finally {
    await dispose();
  }
});
