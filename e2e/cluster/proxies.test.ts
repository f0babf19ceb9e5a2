// Tests the examples in docs/cluster: a real haproxy and a real nginx with these files before server processes, and the
// unit of systemd.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Agent, type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { findProgram, provide } from '../../scripts/browser.mjs';
import { freePort } from '../../scripts/services/service.mjs';
import { createUserKeys } from '../../src/server/auth/user-keys.ts';
import { type Process, useServerProcess } from '../../src/server/testing/process.testing.ts';
import { pollOptions, readStream } from '../../src/server/testing.ts';
import { type ProxyName, type ProxyProcess, startProxy } from './proxy.ts';

const serverProcess = useServerProcess();
const examples = join(import.meta.dirname, '../../docs/cluster');
const secret = '7c1f0d9a4be24d6f8e55a1b3c9d2e8f07c1f0d9a4be24d6f';
const key = createUserKeys(secret).sign('ada');
const conversationId = 'shared';

let proxy: ProxyProcess | undefined;
afterEach(async () => {
  await proxy?.stop();
  proxy = undefined;
});

/** A process with its own data, in which the same visitor has the same conversation, so that a stream can end at any. */
async function startProcess(name: string, port: number, env: Record<string, string> = {}): Promise<Process> {
  const server = await serverProcess.run({
    PORT: String(port),
    DATA_DIR: join(serverProcess.folder(), name),
    USER_KEY_SECRET: secret,
    TRUST_PROXY: '1',
    DRAIN_DELAY: '5',
    BOT: await serverProcess.bot('export default () => {};'),
    ...env,
  });
  expect(server.stderr()).toContain('"started"');
  await call(server.url, 'POST', '/users/get-or-create', {});
  await call(server.url, 'POST', '/conversations/get-or-create', { id: conversationId });
  return server;
}

async function call(url: string, method: string, path: string, body?: unknown): Promise<Response> {
  const response = await fetch(`${url}/chat/demo${path}`, {
    method,
    headers: { 'x-user-key': key, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response;
}

const post = (url: string, text: string) =>
  call(url, 'POST', '/messages', { conversationId, payload: { type: 'text', text } });

async function startTwo(name: ProxyName, env: Record<string, string> = {}) {
  const ports = [await freePort(), await freePort()];
  const servers = [
    await startProcess('a', ports[0] ?? 0, env),
    await startProcess('b', ports[1] ?? 0, env),
  ] as const;
  proxy = await startProxy(name, ports);
  return { servers, ports, url: proxy.url };
}

const listen = async (url: string) =>
  readStream(await call(url, 'GET', `/conversations/${conversationId}/listen`));

describe.each<ProxyName>(['haproxy', 'nginx'])('%s', (name) => {
  test('frames of a stream arrive while it is open, and open streams are spread over the processes', async () => {
    const { servers, url } = await startTwo(name);
    const streams = await Promise.all(Array.from({ length: 8 }, () => listen(url)));
    for (const [n, server] of servers.entries()) await post(server.url, `from ${n}`);
    // Each process has its own data here, so that a frame tells at which one the stream is.
    const texts = await Promise.all(
      streams.map(async (stream) => (await stream.until(({ data }) => data.includes('from '))).data),
    );
    // Health checks of haproxy find both ready.
    expect(proxy?.log()).not.toContain('DOWN');
    expect(texts.filter((text) => text.includes('from 0')).length).toBeGreaterThanOrEqual(2);
    expect(texts.filter((text) => text.includes('from 1')).length).toBeGreaterThanOrEqual(2);
    await Promise.all(streams.map((stream) => stream.cancel()));
  });

  test('the bytes of an upload reach the process while the request is open', async () => {
    const { url, servers } = await startTwo(name);
    const size = 200_000;
    // The proxy may choose either process, and only one knows the file.
    const response = await call(servers[0].url, 'POST', '/files', { key: 'a.bin', size });
    const { file } = (await response.json()) as { file: { id: string; uploadUrl: string } };
    servers[1].child.kill('SIGKILL');
    await servers[1].exit;
    const sending = request(url + new URL(file.uploadUrl).pathname, {
      method: 'PUT',
      headers: { 'content-length': size },
    });
    const answer = new Promise<IncomingMessage>((resolve, reject) => {
      sending.once('response', resolve).once('error', reject);
    });
    sending.write(Buffer.alloc(size / 2, 'x'));
    const path = join(serverProcess.folder(), 'a/files', file.id);
    const received = () =>
      stat(path).then(
        (found) => found.size,
        () => 0,
      );
    await expect.poll(received, pollOptions).toBe(size / 2);
    sending.end(Buffer.alloc(size / 2, 'y'));
    expect((await answer).statusCode).toBe(204);
  });

  test('a process that stops is taken out: no request fails, its streams end and reconnect elsewhere, and it comes back', async () => {
    const { servers, ports, url } = await startTwo(name);
    const [first, second] = servers;
    let isOver = false;
    const statuses = new Map<number, number>();
    const requests = (async () => {
      while (!isOver) {
        const { status } = await fetch(`${url}/chat/demo/conversations/${conversationId}`, {
          headers: { 'x-user-key': key },
        });
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    })();
    const streams = await Promise.all(Array.from({ length: 6 }, () => listen(url)));
    await post(first.url, 'who is at the first');
    const ofFirst = streams.filter(({ frames }) => frames.length > 0);
    await expect
      .poll(
        () => streams.filter(({ frames }) => frames.some(({ data }) => data.includes('first'))).length,
        pollOptions,
      )
      .toBeGreaterThan(0);
    first.child.kill('SIGTERM');
    expect(await first.exit).toBe(0);
    await Promise.all(
      ofFirst
        .filter(({ frames }) => frames.some(({ data }) => data.includes('first')))
        .map(({ ended }) => ended),
    );
    // A visitor who reconnects is at the other one.
    const again = await listen(url);
    await post(second.url, 'at the second');
    await again.until(({ data }) => data.includes('at the second'));
    await again.cancel();

    const restarted = await startProcess('a', ports[0] ?? 0);
    await expect
      .poll(async () => {
        const probes = await Promise.all(Array.from({ length: 4 }, () => listen(url)));
        await post(restarted.url, 'back');
        await post(second.url, 'still');
        const texts = await Promise.all(
          probes.map(async (stream) => (await stream.until(({ data }) => /back|still/.test(data))).data),
        );
        await Promise.all(probes.map((stream) => stream.cancel()));
        return texts.some((text) => text.includes('back'));
      }, pollOptions)
      .toBe(true);
    isOver = true;
    await requests;
    expect([...statuses.keys()]).toEqual([200]);
    expect(statuses.get(200)).toBeGreaterThan(20);
    for (const stream of streams) await stream.cancel();
  });

  test('a process that is killed is left out', async () => {
    const { servers, url } = await startTwo(name);
    servers[0].child.kill('SIGKILL');
    await servers[0].exit;
    const statusOf = () => fetch(`${url}/healthz`).then(({ status }) => status);
    await expect.poll(statusOf, pollOptions).toBe(200);
    for (let n = 0; n < 30; n += 1) expect(await statusOf()).toBe(200);
  });

  test('the server sees the address of the client, whatever the client claims', async () => {
    const { url } = await startTwo(name, { RATE_LIMIT: '20' });
    const from = (localAddress: string, claimed?: string) =>
      new Promise<number>((resolve, reject) => {
        const agent = new Agent({ localAddress } as object);
        request(
          `${url}/chat/demo/users/me`,
          { agent, headers: { 'x-user-key': 'wrong', ...(claimed ? { 'x-forwarded-for': claimed } : {}) } },
          (response) => {
            response.resume();
            agent.destroy();
            resolve(response.statusCode ?? 0);
          },
        )
          .once('error', reject)
          .end();
      });
    const statuses: number[] = [];
    // Each request claims another address.
    for (let n = 0; n < 60; n += 1) statuses.push(await from('127.0.0.2', `203.0.113.${n}`));
    expect(statuses[0]).toBe(401);
    expect(statuses.at(-1)).toBe(429);
    expect(await from('127.0.0.3')).toBe(401);
  });
});

test('the unit of systemd is valid, and waits longer for the end of a process than it drains', () => {
  provide('systemd');
  const text = readFileSync(join(examples, 'webchat@.service'), 'utf8');
  const folder = mkdtempSync(join(tmpdir(), 'webchat-systemd-'));
  try {
    const unit = join(folder, 'webchat@.service');
    // The only path that this machine may have elsewhere.
    writeFileSync(unit, text.replace('/usr/bin/node', process.execPath));
    const output = execFileSync(findProgram('systemd') ?? '', ['verify', unit], {
      encoding: 'utf8',
      stdio: 'pipe',
    });
    expect(output).toBe('');
    writeFileSync(unit, text.replace('ExecStart=', 'ExecStarts='));
    expect(() => execFileSync(findProgram('systemd') ?? '', ['verify', unit], { stdio: 'pipe' })).toThrow();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const drain = 5 + 10 + 2 * 5;
  expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(text)?.[1])).toBeGreaterThan(drain);
});

test('haproxy accepts the example for compose.yaml, which differs in how it finds the processes only', () => {
  provide('haproxy');
  const path = join(examples, 'haproxy-compose.cfg');
  execFileSync(findProgram('haproxy') ?? '', ['-c', '-f', path], { stdio: 'pipe' });
  const settings = (file: string) =>
    readFileSync(join(examples, file), 'utf8')
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line && !/^(?:#|server|default-server|resolvers|nameserver|hold)/.test(line));
  expect(settings('haproxy-compose.cfg')).toEqual(settings('haproxy.cfg'));
});

test('compose.yaml and the Dockerfile name files that exist, and settings of the server', () => {
  const compose = readFileSync(join(examples, 'compose.yaml'), 'utf8');
  expect(compose).toContain('./haproxy-compose.cfg:');
  const dockerfile = readFileSync('Dockerfile', 'utf8');
  expect(dockerfile).toContain('dist/node/src/server/main.js');
  expect(compose).toContain('build: ../..');
  const grace = Number(/stop_grace_period: (\d+)s/.exec(compose)?.[1]);
  expect(grace).toBeGreaterThan(25);
});
