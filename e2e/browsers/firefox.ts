// Firefox through the WebDriver BiDi connection of selenium-webdriver. geckodriver, the WebDriver server for Firefox,
// is neither a Debian package nor contained in an npm package (the one of that name downloads it from GitHub). Firefox
// itself supports BiDi, so the library connects to it directly.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findProgram } from '../../scripts/browser.mjs';
import type { Driver } from './driver.ts';
import { codesOf } from './key-codes.ts';
import { createProcesses } from './processes.ts';
import { BidiConnection } from './selenium.ts';

/** Sends a command and returns its result as specified. */
type Send = <Result>(method: string, params: object) => Promise<Result>;

/** A value in the page, limited to the types that the commands here return. */
interface RemoteValue {
  type: string;
  value?: string;
  sharedId?: string;
}

/** @throws when Firefox is missing or does not start. */
export async function launchFirefox(): Promise<Driver> {
  const path = findProgram('firefox');
  if (!path) throw new Error('firefox is not installed.');
  const profile = await mkdtemp(join(tmpdir(), 'platform-firefox-'));
  const processes = createProcesses();
  const end = async () => {
    await processes.end();
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const args = ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port=0'];
    const url = await processes.startAndRead(
      path,
      args,
      'stderr',
      (line) => /WebDriver BiDi listening on (ws:\S+)/.exec(line)?.[1],
    );
    const connection = new BidiConnection(`${url}/session`);
    const send: Send = async (method, params) => {
      const response = await connection.send({ method, params: { ...params } });
      const { type, result, error, message } = response as Record<string, unknown>;
      if (type !== 'success') throw new Error(`${method}: ${error}: ${message}`);
      return result as never;
    };
    return await createDriver(send, async () => {
      await send('browser.close', {}).catch(() => {});
      await connection.close();
      await end();
    });
  } catch (error) {
    await end();
    throw error;
  }
}

async function createDriver(send: Send, close: () => Promise<void>): Promise<Driver> {
  const { capabilities } = await send<{ capabilities: { browserVersion: string } }>('session.new', {
    capabilities: {},
  });
  // A new tab, because in the first one the address bar has the focus.
  const { context } = await send<{ context: string }>('browsingContext.create', { type: 'tab' });
  const resize = async (width: number, height: number) =>
    void (await send('browsingContext.setViewport', { context, viewport: { width, height } }));
  await resize(1280, 800);

  /** Calls a function that takes and returns text or an element. */
  const call = async (functionDeclaration: string, argument: string): Promise<RemoteValue> => {
    const outcome = await send<{ result?: RemoteValue; exceptionDetails?: { text: string } }>(
      'script.callFunction',
      {
        functionDeclaration,
        arguments: [{ type: 'string', value: argument }],
        awaitPromise: true,
        target: { context },
      },
    );
    if (!outcome.result) throw new Error(outcome.exceptionDetails?.text ?? 'The function failed.');
    return outcome.result;
  };
  const perform = async (source: object) =>
    void (await send('input.performActions', { context, actions: [source] }));
  const keys = (texts: string[], modifier?: string) =>
    perform({
      type: 'key',
      id: 'keyboard',
      actions: [
        ...(modifier ? [{ type: 'keyDown', value: modifier }] : []),
        ...texts.flatMap((value) => ['keyDown', 'keyUp'].map((type) => ({ type, value }))),
        ...(modifier ? [{ type: 'keyUp', value: modifier }] : []),
      ],
    });

  return {
    version: `Firefox ${capabilities.browserVersion}`,
    goto: async (url) => void (await send('browsingContext.navigate', { context, url, wait: 'complete' })),
    async evaluate(run, ...args) {
      // JSON in both directions instead of the protocol's own serialization, as in WebDriver Classic.
      const text = `async (json) => JSON.stringify(await (${run})(...JSON.parse(json)))`;
      const { value } = await call(text, JSON.stringify(args));
      return value === undefined ? undefined : JSON.parse(value);
    },
    click: (x, y) =>
      perform({
        type: 'pointer',
        id: 'mouse',
        actions: [
          { type: 'pointerMove', x: Math.round(x), y: Math.round(y) },
          { type: 'pointerDown', button: 0 },
          { type: 'pointerUp', button: 0 },
        ],
      }),
    type: (text) => keys([...text]),
    press(key) {
      const { modifier, code } = codesOf(key);
      return keys([code], modifier);
    },
    async choose(find, files) {
      const { sharedId } = await call(`() => (${find})()`, '');
      await send('input.setFiles', { context, element: { sharedId }, files });
    },
    resize,
    async screenshot() {
      const { data } = await send<{ data: string }>('browsingContext.captureScreenshot', { context });
      return Buffer.from(data, 'base64');
    },
    close,
  };
}
