// Runs the sample of docs/guides/bots.md unchanged: a bot in its own process, and a visitor that talks to it.
import { type ChildProcess, spawn } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { build } from 'vite';
import { afterEach, expect, test } from 'vitest';
import { createCacheFolder } from '../../../../scripts/cache-folder.mjs';
import { freePort } from '../../../../scripts/services/service.mjs';
import { pollOptions, readStream, startTestServer } from '../../testing.ts';
import { addWebhookBot, startVisitor } from './testing.ts';

const root = join(import.meta.dirname, '../../../..');
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

test('the webhook sample of docs/guides/bots.md answers visitors through the Runtime API', async () => {
  const page = await readFile(join(root, 'docs/guides/bots.md'), 'utf8');
  const example = /## Webhook bots[\s\S]*?```js\n([\s\S]*?)```/.exec(page)?.[1] ?? '';
  expect(example).toContain('verifyWebhook');
  const folder = await createCacheFolder('bot-docs-');
  ends.push(() => rm(folder, { recursive: true, force: true }));
  // The client package as one file.
  await build({
    logLevel: 'silent',
    configFile: false,
    build: {
      outDir: folder,
      lib: { entry: join(root, 'src/client/index.ts'), formats: ['es'], fileName: () => 'client.mjs' },
    },
  });
  await writeFile(join(folder, 'bot.mjs'), example.replace("'platform-webchat/client'", "'./client.mjs'"));

  const server = await startTestServer({
    WEBHOOK_PRIVATE: 'first',
    webhookTimes: { plan: { blocking: Array(10_000).fill(50), deferred: [] } },
  });
  ends.push(() => server.close());
  const http = createServer(
    getRequestListener(server.composition.app.fetch, { overrideGlobalObjects: false }),
  );
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  ends.push(() => {
    http.closeAllConnections();
    return new Promise((resolve) => http.close(resolve));
  });
  const port = await freePort();
  const bot = await addWebhookBot(server, `http://127.0.0.1:${port}/`);
  const start = (): ChildProcess =>
    spawn(process.execPath, [join(folder, 'bot.mjs')], {
      env: {
        ...process.env,
        SERVER: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
        BOT_ID: bot.id,
        BOT_TOKEN: bot.token,
        SIGNING_SECRET: bot.secret,
        PORT: String(port),
      },
      stdio: 'inherit',
    });
  // The first event is retried until the process of the bot listens.
  const visitor = await startVisitor(() => server, 'away');
  let child = start();
  ends.push(() => child.kill('SIGKILL'));
  const stream = readStream(await visitor.listen());
  await visitor.sendText('Hello');
  await stream.untilType('typing_started');
  await stream.until(({ data }) => data.includes('You said: Hello'));
  await stream.untilType('typing_stopped');
  await stream.cancel();

  // After a kill and a restart, messages from the meantime are answered once.
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
  await visitor.sendText('Anybody?');
  child = start();
  await expect
    .poll(visitor.texts, pollOptions)
    .toEqual(['Hello', 'You said: Hello', 'Anybody?', 'You said: Anybody?']);
  // A request without the secret is rejected.
  await expect.poll(() => isOpen(port), pollOptions).toBe(true);
  const forged = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{"event":{}}' });
  expect(forged.status).toBe(400);
});

const isOpen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
