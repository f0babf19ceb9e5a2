// Tests of a server that stops: what clients and bots notice between SIGTERM and the end of the process.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createPubSub } from './realtime/pub-sub.ts';
import { useServerProcess } from './testing/process.testing.ts';
import { enter } from './testing/visitor.testing.ts';
import { pollOptions, readStream } from './testing.ts';

const serverProcess = useServerProcess();
const { run, bot } = serverProcess;

test('shutdown: during the delay /readyz is 503, everything else works, and a second signal ends the process', async () => {
  const { child, url, exit } = await run({ DRAIN_DELAY: '600' });
  const visitor = await enter(url);
  const stream = readStream(await visitor.listen());
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  child.kill('SIGTERM');
  const ready = async () => {
    const response = await fetch(`${url}/readyz`);
    return [response.status, await response.text()];
  };
  await expect.poll(ready, pollOptions).toEqual([503, '{"status":"draining"}']);
  expect((await visitor.send('late')).status).toBe(201);
  await stream.until(({ data }) => data.includes('late'));
  expect((await (await enter(url)).send('new')).status).toBe(201);
  child.kill('SIGTERM');
  expect(await exit).toBe(1);
});

test('shutdown: bot code finishes, its answer is stored and sent, and the event is not delivered again', async () => {
  const go = join(serverProcess.folder(), 'go');
  const env = {
    DRAIN_TIMEOUT: '600',
    BOT: await bot(`import { access } from 'node:fs/promises';
      export default async (event, bot) => {
        if (event.type !== 'text') return;
        await bot.reply({ type: 'text', text: 'begun' });
        while (!(await access(${JSON.stringify(go)}).then(() => true, () => false)))
          await new Promise((next) => setTimeout(next, 10));
        await bot.reply({ type: 'text', text: 'finished ' + bot.signal.aborted });
      }`),
  };
  const server = await run(env);
  let { url } = server;
  const visitor = await enter(() => url);
  const stream = readStream(await visitor.listen());
  await visitor.send('hello');
  await stream.until(({ data }) => data.includes('begun'));
  server.child.kill('SIGTERM');
  // The server listens no more.
  await expect
    .poll(
      () =>
        fetch(server.url).then(
          () => 'open',
          () => 'closed',
        ),
      pollOptions,
    )
    .toBe('closed');
  await writeFile(go, '');
  await stream.until(({ data }) => data.includes('finished false'));
  expect(await server.exit).toBe(0);
  ({ url } = await run(env));
  await expect.poll(visitor.texts, pollOptions).toHaveLength(3);
  expect((await visitor.texts()).sort()).toEqual(['begun', 'finished false', 'hello']);
});

test('shutdown: streams are closed a tenth at a time, each with another time to reconnect, and new ones at once', async () => {
  const pubSub = createPubSub();
  const closed: string[] = [];
  const retries = new Set<string>();
  const subscribe = (id: string) => {
    let remove = () => {};
    remove = pubSub.subscribe({
      botId: 'bot',
      conversationId: id,
      ownerId: id,
      userId: id,
      keyHash: '',
      accepts: () => true,
      isValid: () => true,
      send() {},
      close(last) {
        retries.add(new TextDecoder().decode(last?.bytes));
        closed.push(id);
        remove();
      },
    });
  };
  for (let n = 0; n < 95; n += 1) subscribe(String(n));
  const done = pubSub.closeInSteps(100);
  expect(closed).toHaveLength(10);
  await done;
  expect(closed).toHaveLength(95);
  expect(pubSub.size).toBe(0);
  subscribe('late');
  expect(closed.at(-1)).toBe('late');
  expect(retries.size).toBeGreaterThan(50);
  for (const retry of retries) expect(retry).toMatch(/^retry: ([5-9]\d\d|[1-4]\d{3}|5000)\n\n$/);
});
