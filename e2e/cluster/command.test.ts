// Tests `npm run cluster`: it starts everything, its address shows the demo, a killed process comes back, everything ends with
// Ctrl-C, and the data stays.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { pollOptions } from '../../src/server/testing.ts';
import { type ClusterFolder, createClusterFolder, isRunning } from './local-cluster.ts';
import { usualProcesses } from './usual-processes.ts';

let folder: ClusterFolder;
beforeEach(async () => {
  folder = await createClusterFolder();
});
afterEach(() => folder.dispose());

async function call(url: string, method: string, path: string, key?: string, body?: unknown) {
  const response = await fetch(`${url}/chat/demo${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...(key ? { 'x-user-key': key } : {}) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status}`);
  return response.json();
}

test('npm run cluster: visitors chat through the proxy, a killed process comes back, Ctrl-C ends all, the data stays', async () => {
  const cluster = await folder.start();
  const url = new URL(cluster.demoUrl).origin;
  const { key } = await call(url, 'POST', '/users', undefined, {});
  const { conversation } = await call(url, 'POST', '/conversations', key, {});
  const list = `/conversations/${conversation.id}/messages`;
  const payload = { type: 'text', text: 'before the kill' };
  await call(url, 'POST', '/messages', key, { conversationId: conversation.id, payload });
  const [first = 0] = cluster.pids();
  process.kill(first, 'SIGKILL');
  await expect.poll(() => cluster.pids().length, pollOptions).toBe(usualProcesses + 1);
  const texts = async (url: string) => JSON.stringify(await call(url, 'GET', list, key).catch(() => ''));
  await expect.poll(() => texts(url), pollOptions).toContain('before the kill');
  await cluster.stop();
  expect(cluster.pids().filter(isRunning)).toEqual([]);
  await expect(fetch(`${url}/healthz`)).rejects.toThrow();

  const again = await folder.start();
  await expect.poll(() => texts(new URL(again.demoUrl).origin), pollOptions).toContain('before the kill');
  await again.stop();
});

test('npm run cluster: the printed address is that of the demo page, and everything that the page loads is there', async () => {
  const { demoUrl, stop } = await folder.start();
  const response = await fetch(demoUrl);
  expect(response.status).toBe(200);
  const html = await response.text();
  const addresses = [...html.matchAll(/(?:src|href)="([^"#]+)"/g)].map(([, address = '']) => address);
  expect(addresses).toContain('chat/demo/webchat.js');
  for (const address of addresses) {
    expect([address, (await fetch(new URL(address, demoUrl))).status]).toEqual([address, 200]);
  }
  await stop();
});
