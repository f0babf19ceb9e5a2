// WebKitGTK by WebDriver (W3C): its driver and a screen of its own are started, and spoken to with fetch.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { findBrowser } from '../../scripts/browser.mjs';
import { type Driver, type KeyName, keysOf } from './driver.ts';

/** What WebDriver calls the keys that are no characters. */
const codes: Partial<Record<KeyName | 'Shift' | 'Control', string>> = {
  Enter: '\uE007',
  Tab: '\uE004',
  Escape: '\uE00C',
  ArrowUp: '\uE013',
  Home: '\uE011',
  Shift: '\uE008',
  Control: '\uE009',
};
/** Milliseconds for an answer of the driver: a page may take long, but not for ever. */
const limit = 30_000;
const elementKey = 'element-6066-11e4-a52e-4f735466cecf';

/** @throws when a program is missing or does not start. */
export async function launchWebkit(): Promise<Driver> {
  const children: ChildProcess[] = [];
  const end = async () => {
    for (const child of children.splice(0).reverse()) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const exit = once(child, 'exit');
      child.kill();
      await exit;
    }
  };
  try {
    const DISPLAY = await startScreen(children);
    const send = await startDriver(children, { ...process.env, DISPLAY });
    return await createDriver(send, end);
  } catch (error) {
    await end();
    throw error;
  }
}

type Send = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) => Promise<unknown>;

function start(
  children: ChildProcess[],
  name: string,
  args: string[],
  env?: NodeJS.ProcessEnv,
): ChildProcess {
  const path = findBrowser(name);
  if (!path) throw new Error(`There is no ${name} on this machine.`);
  const child = spawn(path, args, { stdio: ['ignore', 'pipe', 'ignore'], ...(env && { env }) });
  children.push(child);
  return child;
}

/** A screen that nobody sees; it looks for a free number by itself, and tells it. */
async function startScreen(children: ChildProcess[]): Promise<string> {
  const args = ['-displayfd', '1', '-screen', '0', '1400x1000x24', '-nolisten', 'tcp'];
  const { stdout } = start(children, 'xvfb', args);
  if (stdout) for await (const line of createInterface({ input: stdout })) return `:${line.trim()}`;
  throw new Error('Xvfb ended before it was ready.');
}

async function startDriver(children: ChildProcess[], env: NodeJS.ProcessEnv): Promise<Send> {
  // It does not say which port it chose: so the port is chosen for it.
  const port = await freePort();
  const child = start(children, 'webkit', [`--port=${port}`, '--host=127.0.0.1'], env);
  child.stdout?.resume();
  const send: Send = async (method, path, body) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      signal: AbortSignal.timeout(limit),
      ...(body && { body: JSON.stringify(body) }),
    });
    const { value } = (await response.json()) as { value: { error?: string; message?: string } | null };
    if (!response.ok) throw new Error(`${path}: ${value?.error}: ${value?.message}`);
    return value;
  };
  for (;;) {
    const isUp = await send('GET', '/status').catch(() => false);
    if (isUp) return send;
    if (child.exitCode !== null) throw new Error('WebKitWebDriver ended before it was ready.');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (!address || typeof address === 'string') throw new Error('There is no free port.');
  return address.port;
}

async function createDriver(send: Send, end: () => Promise<void>): Promise<Driver> {
  const { sessionId, capabilities } = (await send('POST', '/session', {
    capabilities: { alwaysMatch: { pageLoadStrategy: 'normal' } },
  })) as { sessionId: string; capabilities: { browserVersion: string } };
  const post = (path: string, body: object) => send('POST', `/session/${sessionId}/${path}`, body);
  const execute = (run: unknown, args: unknown[]) =>
    post('execute/sync', { script: `return (${run}).apply(null, arguments)`, args });
  /** Presses keys one after the other, while `held` is down. */
  const keys = (values: string[], held?: string) =>
    post('actions', {
      actions: [
        {
          type: 'key',
          id: 'keyboard',
          actions: [
            ...(held ? [{ type: 'keyDown', value: held }] : []),
            ...values.flatMap((value) => ['keyDown', 'keyUp'].map((type) => ({ type, value }))),
            ...(held ? [{ type: 'keyUp', value: held }] : []),
          ],
        },
      ],
    });
  const driver: Driver = {
    version: `WebKitGTK ${capabilities.browserVersion}`,
    goto: async (url) => void (await post('url', { url })),
    // The answer is whatever the function gives, by JSON.
    evaluate: (run, ...args) => execute(run, args) as Promise<Awaited<ReturnType<typeof run>>>,
    async click(x, y) {
      const at = { type: 'pointerMove', x: Math.round(x), y: Math.round(y), origin: 'viewport' };
      const press = ['pointerDown', 'pointerUp'].map((type) => ({ type, button: 0 }));
      await post('actions', { actions: [{ type: 'pointer', id: 'mouse', actions: [at, ...press] }] });
    },
    type: async (text) => void (await keys([...text])),
    async press(key) {
      const { held, name } = keysOf(key);
      await keys([codes[name] ?? name], held && codes[held]);
    },
    async choose(find, paths) {
      const input = (await execute(find, [])) as Record<string, string>;
      await post(`element/${input[elementKey]}/value`, { text: paths.join('\n') });
    },
    async resize(width, height) {
      const inner = () => driver.evaluate(() => [innerWidth, innerHeight] as const);
      // Around the page there are a frame and a bar, which have no size one can ask for.
      const [w, h] = await inner();
      const outer = (await send('GET', `/session/${sessionId}/window/rect`)) as {
        width: number;
        height: number;
      };
      const rect = { x: 0, y: 0, width: width + outer.width - w, height: height + outer.height - h };
      await post('window/rect', rect);
    },
    async screenshot() {
      return Buffer.from(String(await send('GET', `/session/${sessionId}/screenshot`)), 'base64');
    },
    async close() {
      await send('DELETE', `/session/${sessionId}`).catch(() => {});
      await end();
    },
  };
  await driver.resize(1280, 800);
  return driver;
}
