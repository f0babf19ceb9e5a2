// Measures how long other requests wait while a dashboard configuration of 49 MB is stored and served.
import { request } from 'node:http';
import { Worker } from 'node:worker_threads';
import type { Case, Environment, Values } from '../measure.ts';

const bytes = 49_000_000;

/** The thread that asks the server all the time; its array has the longest wait in tenths of milliseconds. */
const prober = `
  const { workerData: { url, shared } } = require('node:worker_threads');
  const { get, Agent } = require('node:http');
  const agent = new Agent({ keepAlive: true });
  const ask = () => {
    const start = performance.now();
    get(url, { agent }, (answer) => {
      answer.resume().on('end', () => {
        Atomics.store(shared, 0, Math.max(Atomics.load(shared, 0), Math.round(10 * (performance.now() - start))));
        Atomics.add(shared, 1, 1);
        setTimeout(ask, 1);
      });
    });
  };
  ask();`;

async function measure({ platform }: Environment): Promise<Values> {
  const shared = new Int32Array(new SharedArrayBuffer(8));
  const worker = new Worker(prober, {
    eval: true,
    workerData: { url: `${platform.chatUrl}/hello`, shared },
  });
  const headers = {
    authorization: `Bearer ${platform.admin.token}`,
    'x-workspace-id': platform.admin.workspaceId,
  };
  const bots = await fetch(`${platform.url}/v1/admin/bots`, { headers });
  const [bot] = ((await bots.json()) as { bots: { id: string }[] }).bots;
  const path = `/v1/admin/bots/${bot?.id}/webchat`;
  const put = (configuration: object) =>
    send(`${platform.url}${path}`, 'PUT', headers, Buffer.from(JSON.stringify({ configuration })));
  /** The longest wait of another request during `work`. */
  const waitDuring = async (work: () => Promise<void>): Promise<readonly [number, 'ms']> => {
    const asked = Atomics.load(shared, 1);
    while (Atomics.load(shared, 1) < asked + 20) await new Promise((resolve) => setTimeout(resolve, 10));
    Atomics.store(shared, 0, 0);
    await work();
    return [Atomics.load(shared, 0) / 10, 'ms'];
  };
  try {
    const configuration = { additionalStylesheet: `/*${'x'.repeat(bytes - 100)}*/` };
    return {
      'wait while it is stored': await waitDuring(() => put(configuration)),
      'wait while it is read': await waitDuring(() => send(`${platform.chatUrl}/webchat`, 'GET', {})),
      'wait while it is sent': await waitDuring(() => send(`${platform.chatUrl}/webchat`, 'GET', {})),
      'wait while the script has it': await waitDuring(() =>
        send(`${platform.chatUrl}/webchat.js`, 'GET', {}),
      ),
    };
  } finally {
    // Other cases measure pages.
    await put({});
    await worker.terminate();
  }
}

/** Sends a request and reads the whole response. */
function send(url: string, method: string, headers: Record<string, string>, body?: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      {
        method,
        headers: {
          ...headers,
          ...(body ? { 'content-type': 'application/json', 'content-length': body.length } : {}),
        },
      },
      (answer) => {
        if (answer.statusCode !== 200) reject(new Error(`${method} ${url}: ${answer.statusCode}`));
        answer.resume().on('end', resolve);
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

export const configurationCases: Case[] = [{ name: 'configuration of 49 MB', times: 3, run: measure }];
