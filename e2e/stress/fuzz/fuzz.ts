// The fuzz test: sends generated requests to the real server over real sockets and checks the invariants. The same seed
// generates the same requests; no duration is asserted.
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import fc from 'fast-check';
import type { TestData } from '../../../src/protocol/operations/example-requests.testing.ts';
import { startPlatform } from '../../support/server.ts';
import { createTestData } from '../../support/test-data/create.ts';
import { checkConversation } from './check-conversation.ts';
import { checkInvariants } from './invariants.ts';
import { type Exchange, type RawResponse, sendRaw } from './raw-http.ts';
import { anyRequest, type PreparedRequest, prepare, type RequestPlan } from './requests.ts';
import { samples } from './samples.ts';

/** Maximum number of concurrent requests. */
const maxConcurrent = 20;
/** Rounds of requests between two checks that a normal conversation still works. */
const checkEvery = 25;
/** The maximum duration of shrinking a failure in milliseconds. */
const shrinkMs = 60_000;

export interface FuzzOptions {
  /** The built server, and the folder in which it expects built files. */
  built: { main: string; dist: string };
  /** The number of rounds of up to twenty requests. */
  rounds: number;
  seed: number;
  /** The path of a printed failure, with which the run starts. */
  path?: string | undefined;
  /** Also sends requests that are never finished, which takes at least four minutes. */
  hold?: boolean;
}

export interface FuzzResult {
  faults: string[];
  figures: Record<string, number | string>;
}

export async function fuzz({ built, rounds, seed, path, hold = false }: FuzzOptions): Promise<FuzzResult> {
  await placeFiles(built.dist);
  let log = '';
  const bot = fileURLToPath(new URL('echo-bot.mjs', import.meta.url));
  const platform = await startPlatform(
    { BOT: bot, FILE_TYPES: '', MAX_FILE_BYTES: '1000000', RATE_LIMIT: '0' },
    { main: built.main, onLog: (text) => (log += text) },
  );
  const { chatUrl, admin } = platform;
  const port = Number(new URL(chatUrl).port);
  const prototype = Reflect.ownKeys(Object.prototype).map(String).sort().join(' ');
  const count = new Map<string, number>();
  const slow: { ms: number; what: string }[] = [];
  let sent = 0;
  /** Whether a request has deleted something since the test data was created. */
  let hasDeleted = false;

  /** Sends one request and returns the violated invariants. */
  async function sendOne(one: RequestPlan, testData: TestData): Promise<string[]> {
    const sample = samples[one.sample] ?? samples[0];
    if (!sample) return [];
    const made = prepare(one, testData);
    const began = performance.now();
    const seen =
      (one.by === 'fetch' ? await sendByFetch(made, port) : undefined) ?? (await sendRaw(port, made));
    sent += 1;
    const ms = performance.now() - began;
    if (ms > (slow.at(-1)?.ms ?? 0) || slow.length < 5) {
      slow.push({ ms, what: `${sample.name} ${shorten(one.edits)}` });
      slow.sort((a, b) => b.ms - a.ms).splice(5);
    }
    const status = seen.answers[0]?.status;
    const kind = status === undefined ? seen.outcome : String(status);
    count.set(kind, (count.get(kind) ?? 0) + 1);
    if (made.method === 'DELETE' && status !== undefined && status <= 299) hasDeleted = true;
    return checkInvariants(sample, made, seen).map((fault) => `${sample.name}: ${fault}`);
  }

  async function checkServer(): Promise<string[]> {
    const faults = await checkConversation(chatUrl, prototype).catch((error: unknown) => [String(error)]);
    return log === '' ? faults : [...faults, `logged: ${log.slice(0, 2_000)}`];
  }

  try {
    const faults: string[] = [];
    let testData = await createTestData({ chatUrl, admin });
    /** Creates new test data, which takes as long as many of the tested requests. */
    const renewTestData = async (): Promise<void> => {
      testData = await createTestData({ chatUrl, admin });
      hasDeleted = false;
    };
    // Every sample must work unchanged; otherwise its route would not be tested.
    for (const [sample, { name, refused }] of samples.entries()) {
      const plain: RequestPlan = { sample, edits: [], framing: 'length', by: 'socket', apart: 0 };
      const { answers } = await sendRaw(port, prepare(plain, testData));
      const [{ status, body } = { status: 0, body: '' }] = answers;
      const isExpected = refused === undefined ? status >= 200 && status <= 399 : refused.includes(status);
      if (!isExpected) faults.push(`${name}, unchanged: ${status} ${body}`);
      faults.push(...(await sendOne({ ...plain, by: 'fetch' }, testData)));
      if (samples[sample]?.method === 'DELETE') await renewTestData();
    }
    faults.push(...(await checkServer()));
    if (faults.length > 0) return { faults, figures: {} };

    const held = hold ? holdOpen(port, await createTestData({ chatUrl, admin })) : [];
    const before = await residentMegabytes(platform.pid);
    const beganAt = Date.now();
    await renewTestData();
    let round = 0;
    let failedAt = 0;
    let middle = before;
    const property = fc.asyncProperty(
      fc.array(anyRequest, { minLength: 1, maxLength: maxConcurrent, size: 'max' }),
      async (requests) => {
        // The time for shrinking is over. The remaining candidates count as passed, which ends the search.
        if (failedAt > 0 && Date.now() - failedAt > shrinkMs) return;
        round += 1;
        if (round === Math.ceil(rounds / 2)) middle = await residentMegabytes(platform.pid);
        const found = (await Promise.all(requests.map((one) => sendOne(one, testData)))).flat();
        if (hasDeleted) await renewTestData();
        if (log !== '' || round % checkEvery === 0) {
          found.push(...(await checkServer()));
          await renewTestData();
        }
        log = '';
        if (found.length === 0) return;
        failedAt ||= Date.now();
        throw new Error([...new Set(found)].join('\n'));
      },
    );
    const details = await fc.check(property, {
      numRuns: rounds,
      seed,
      ...(path === undefined ? {} : { path }),
    });
    if (details.failed) faults.push(...describeFailure(details));
    faults.push(...(await Promise.all(held)).flat());
    faults.push(...(await checkServer()));
    const statuses = [...count].sort(([a], [b]) => a.localeCompare(b));
    return {
      faults,
      figures: {
        rounds: details.numRuns,
        requests: sent,
        seconds: Math.round((Date.now() - beganAt) / 1_000),
        answers: statuses.map(([kind, times]) => `${kind}: ${times}`).join(', '),
        residentMegabytes: `${before} before, ${middle} in the middle, ${await residentMegabytes(platform.pid)} after`,
        ...Object.fromEntries(
          slow.map(({ ms, what }, n) => [`slow ${n + 1}`, `${Math.round(ms)} ms: ${what}`]),
        ),
      },
    };
  } finally {
    await platform.dispose();
  }
}

/** Starts requests that are never finished, which the server has to close. Returns the failures. */
function holdOpen(port: number, { key = '', upload = '' }: TestData): Promise<string[]>[] {
  const headers = `host: x\r\nx-user-key: ${key}\r\ncontent-length: 9\r\n`;
  const begun = {
    'nothing at all': '',
    'half a line': 'GET /chat',
    'half a head': `POST /chat/demo/messages HTTP/1.1\r\n${headers}`,
    'half a body': `POST /chat/demo/messages HTTP/1.1\r\n${headers}content-type: application/json\r\n\r\n{"a`,
    'half a file': `PUT ${upload} HTTP/1.1\r\n${headers}\r\n0123`,
  };
  return Object.entries(begun).map(async ([name, text]) => {
    const { outcome, malformed } = await sendRaw(port, { pieces: [text], method: 'GET', ending: 'hold' });
    return outcome === 'silent' || malformed !== undefined
      ? [`${name} is kept open: ${malformed ?? outcome}`]
      : [];
  });
}

/** Describes a failure and how to repeat it. */
function describeFailure({
  seed,
  counterexamplePath,
  counterexample,
  errorInstance,
}: fc.RunDetails<[RequestPlan[]]>): string[] {
  const requests = (counterexample?.[0] ?? []).map((one) => `  ${samples[one.sample]?.name} ${shorten(one)}`);
  return [
    `${errorInstance instanceof Error ? errorInstance.message : errorInstance}`,
    `repeat with --seed ${seed} --path ${counterexamplePath}:\n${requests.join('\n')}`,
  ];
}

const shorten = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'string' && inner.length > 90 ? `${inner.slice(0, 80)}… (${inner.length})` : inner,
  );

/** Sends the request with fetch; undefined if fetch cannot express it. */
async function sendByFetch(
  { method, target, headers, body, isHttp }: PreparedRequest,
  port: number,
): Promise<Exchange | undefined> {
  if (!isHttp) return undefined;
  let sent: globalThis.Request;
  try {
    sent = new Request(`http://127.0.0.1:${port}${target}`, {
      method,
      headers,
      redirect: 'manual',
      ...(method === 'GET' || method === 'HEAD' || body === '' ? {} : { body: Buffer.from(body, 'latin1') }),
    });
  } catch {
    return undefined;
  }
  try {
    const response = await fetch(sent, { signal: AbortSignal.timeout(30_000) });
    const isStream = response.headers.get('content-type') === 'text/event-stream';
    if (isStream) await response.body?.cancel();
    const text = isStream ? '' : Buffer.from(await response.arrayBuffer()).toString('latin1');
    const answer: RawResponse = { status: response.status, headers: response.headers as never, body: text };
    return { outcome: 'answered', answers: [answer] };
  } catch (error) {
    return { outcome: (error as Error).name === 'TimeoutError' ? 'silent' : 'closed', answers: [] };
  }
}

/** Creates placeholder files where the server expects the results of `npm run build`. */
async function placeFiles(dist: string): Promise<void> {
  const files = {
    'webchat/webchat.js': `console.log('%WEBCHAT_BOOT%')`,
    'webchat/fonts/a.woff2': '0123456789',
    'playground/index.html': '<!doctype html><title>Playground</title>',
    'demo/index.html': '<!doctype html><title>Demo</title>',
  };
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(dist, name)), { recursive: true });
    await writeFile(join(dist, name), text);
  }
}

async function residentMegabytes(pid: number): Promise<number> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)]);
  return Math.round(Number(stdout) / 1_024);
}
