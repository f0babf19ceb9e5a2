// Tests `npm run cluster`: it starts everything, a killed process comes back, everything ends with Ctrl-C, and the data stays.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type BuiltServer, buildServer, pollOptions } from '../../src/server/testing.ts';
import { usualProcesses } from './usual-processes.ts';

const root = join(import.meta.dirname, '../..');
let folder: string;
let built: BuiltServer;
let child: ChildProcess | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'webchat-cluster-'));
  // PostgreSQL runs as another user when this is root.
  await chmod(folder, 0o711);
  // The command runs in the folder of the repository, whose build other tests may be replacing.
  built = await buildServer();
  for (const name of ['scripts', 'docs']) await cp(join(root, name), join(folder, name), { recursive: true });
  await cp(join(built.dist, 'node'), join(folder, 'dist/node'), { recursive: true });
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  await cp(join(root, 'package.json'), join(folder, 'package.json'));
});
afterEach(async () => {
  if (child && child.exitCode === null && child.signalCode === null) {
    const exit = once(child, 'exit');
    child.kill('SIGTERM');
    await exit;
  }
  await built.dispose();
  await rm(folder, { recursive: true, force: true });
});

async function start() {
  const args = [
    'scripts/cluster.mjs',
    '--processes',
    String(usualProcesses),
    '--port',
    '0',
    '--folder',
    'home',
  ];
  const started = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  child = started;
  let text = '';
  for (const output of [started.stdout, started.stderr]) output.on('data', (part) => (text += part));
  await expect
    .poll(() => {
      if (started.exitCode !== null) throw new Error(`It ended: ${text}`);
      return text;
    }, pollOptions)
    .toMatch(/^Open http\S+\/demo\/ /m);
  const url = /^Open (http:\/\/127\.0\.0\.1:\d+)\//m.exec(text)?.[1] ?? '';
  const pids = () => [...text.matchAll(/^process \w: pid (\d+)/gm)].map(([, pid]) => Number(pid));
  return {
    url,
    pids,
    async stop() {
      const exit = once(started, 'exit');
      started.kill('SIGINT');
      expect(await exit).toEqual([0, null]);
    },
  };
}

async function call(url: string, method: string, path: string, key?: string, body?: unknown) {
  const response = await fetch(`${url}/chat/demo${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...(key ? { 'x-user-key': key } : {}) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status}`);
  return response.json();
}

const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test('npm run cluster: visitors chat through the proxy, a killed process comes back, Ctrl-C ends all, the data stays', async () => {
  const cluster = await start();
  const { key } = await call(cluster.url, 'POST', '/users', undefined, {});
  const { conversation } = await call(cluster.url, 'POST', '/conversations', key, {});
  const list = `/conversations/${conversation.id}/messages`;
  const payload = { type: 'text', text: 'before the kill' };
  await call(cluster.url, 'POST', '/messages', key, { conversationId: conversation.id, payload });
  const [first = 0] = cluster.pids();
  process.kill(first, 'SIGKILL');
  await expect.poll(() => cluster.pids().length, pollOptions).toBe(usualProcesses + 1);
  const texts = async (url: string) => JSON.stringify(await call(url, 'GET', list, key).catch(() => ''));
  await expect.poll(() => texts(cluster.url), pollOptions).toContain('before the kill');
  await cluster.stop();
  expect(cluster.pids().filter(isRunning)).toEqual([]);
  await expect(fetch(`${cluster.url}/healthz`)).rejects.toThrow();

  const again = await start();
  await expect.poll(() => texts(again.url), pollOptions).toContain('before the kill');
  await again.stop();
});
