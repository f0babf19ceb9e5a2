// Sends generated requests to the real server, over real sockets, and looks for a broken law. The same seed gives the
// same requests; no duration is judged.
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import fc from 'fast-check';
import { startPlatform } from '../../support/server.ts';
import { judge } from './invariants.ts';
import { type Answer, type Exchange, exchange } from './raw-http.ts';
import { type Made, make, type Request, request } from './requests.ts';
import { samples } from './samples.ts';
import { converse, createWorld, type World } from './test-data.ts';

/** Requests that are under way at the same time, at most. */
const together = 20;
/** Rounds of requests between two proofs that the server still does its work. */
const proofEvery = 25;
/** Milliseconds for making a failure smaller. */
const shrinkMs = 60_000;

export interface FuzzOptions {
  /** The built server, and the folder where it looks for built files. */
  built: { main: string; dist: string };
  /** Rounds of up to twenty requests. */
  rounds: number;
  seed: number;
  /** Of a failure that was printed: begins with it. */
  path?: string | undefined;
  /** Also requests that are never finished: it takes four minutes at least. */
  hold?: boolean;
}

export interface FuzzResult {
  faults: string[];
  figures: Record<string, number | string>;
}

export async function fuzz({ built, rounds, seed, path, hold = false }: FuzzOptions): Promise<FuzzResult> {
  await placeFiles(built.dist);
  let log = '';
  const bot = fileURLToPath(new URL('bot.mjs', import.meta.url));
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

  /** Sends one request and gives the broken laws. */
  async function tryOne(one: Request, world: World): Promise<string[]> {
    const sample = samples[one.sample] ?? samples[0];
    if (!sample) return [];
    const made = make(one, world);
    const began = performance.now();
    const seen = (one.by === 'fetch' ? await fetched(made, port) : undefined) ?? (await exchange(port, made));
    sent += 1;
    const ms = performance.now() - began;
    if (ms > (slow.at(-1)?.ms ?? 0) || slow.length < 5) {
      slow.push({ ms, what: `${sample.name} ${shortened(one.edits)}` });
      slow.sort((a, b) => b.ms - a.ms).splice(5);
    }
    const status = seen.answers[0]?.status;
    const kind = status === undefined ? seen.outcome : String(status);
    count.set(kind, (count.get(kind) ?? 0) + 1);
    return judge(sample, made, seen).map((fault) => `${sample.name}: ${fault}`);
  }

  async function proof(): Promise<string[]> {
    const faults = await converse(chatUrl, prototype).catch((error: unknown) => [String(error)]);
    return log === '' ? faults : [...faults, `logged: ${log.slice(0, 2_000)}`];
  }

  try {
    const faults: string[] = [];
    let world = await createWorld(chatUrl, admin);
    /** What was deleted is made anew. */
    const renew = async (names: readonly number[]): Promise<void> => {
      if (names.some((n) => samples[n]?.method === 'DELETE')) world = await createWorld(chatUrl, admin);
    };
    // Every address, as it is meant: what is fuzzed is reached.
    for (const [sample, { name, refused }] of samples.entries()) {
      const plain: Request = { sample, edits: [], framing: 'length', by: 'socket', apart: 0 };
      const { answers } = await exchange(port, make(plain, world));
      const [{ status, body } = { status: 0, body: '' }] = answers;
      const isMeant = refused === undefined ? status >= 200 && status <= 399 : status === refused;
      if (!isMeant) faults.push(`${name}, as it is meant: ${status} ${body}`);
      faults.push(...(await tryOne({ ...plain, by: 'fetch' }, world)));
      await renew([sample]);
    }
    faults.push(...(await proof()));
    if (faults.length > 0) return { faults, figures: {} };

    const held = hold ? holdOpen(port, await createWorld(chatUrl, admin)) : [];
    const before = await residentMegabytes(platform.pid);
    const beganAt = Date.now();
    world = await createWorld(chatUrl, admin);
    let round = 0;
    let failedAt = 0;
    let middle = before;
    const property = fc.asyncProperty(
      fc.array(request, { minLength: 1, maxLength: together, size: 'max' }),
      async (requests) => {
        // Small enough: what is left of the search counts as right, so it ends.
        if (failedAt > 0 && Date.now() - failedAt > shrinkMs) return;
        round += 1;
        if (round === Math.ceil(rounds / 2)) middle = await residentMegabytes(platform.pid);
        const found = (await Promise.all(requests.map((one) => tryOne(one, world)))).flat();
        await renew(requests.map(({ sample }) => sample));
        if (log !== '' || round % proofEvery === 0) {
          found.push(...(await proof()));
          world = await createWorld(chatUrl, admin);
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
    if (details.failed) faults.push(...told(details));
    faults.push(...(await Promise.all(held)).flat());
    faults.push(...(await proof()));
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

/** Requests that are begun and never finished: the server has to end each. Gives what is wrong. */
function holdOpen(port: number, { key = '', upload = '' }: World): Promise<string[]>[] {
  const headers = `host: x\r\nx-user-key: ${key}\r\ncontent-length: 9\r\n`;
  const begun = {
    'nothing at all': '',
    'half a line': 'GET /chat',
    'half a head': `POST /chat/demo/messages HTTP/1.1\r\n${headers}`,
    'half a body': `POST /chat/demo/messages HTTP/1.1\r\n${headers}content-type: application/json\r\n\r\n{"a`,
    'half a file': `PUT ${upload} HTTP/1.1\r\n${headers}\r\n0123`,
  };
  return Object.entries(begun).map(async ([name, text]) => {
    const { outcome, malformed } = await exchange(port, { pieces: [text], method: 'GET', ending: 'hold' });
    return outcome === 'silent' || malformed !== undefined
      ? [`${name} is held open: ${malformed ?? outcome}`]
      : [];
  });
}

/** What failed, and how to have it again. */
function told({
  seed,
  counterexamplePath,
  counterexample,
  errorInstance,
}: fc.RunDetails<[Request[]]>): string[] {
  const requests = (counterexample?.[0] ?? []).map(
    (one) => `  ${samples[one.sample]?.name} ${shortened(one)}`,
  );
  return [
    `${errorInstance instanceof Error ? errorInstance.message : errorInstance}`,
    `again with --seed ${seed} --path ${counterexamplePath}:\n${requests.join('\n')}`,
  ];
}

const shortened = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'string' && inner.length > 90 ? `${inner.slice(0, 80)}… (${inner.length})` : inner,
  );

/** The same request by fetch, where fetch takes it; else undefined. */
async function fetched(
  { method, target, headers, body, isHttp }: Made,
  port: number,
): Promise<Exchange | undefined> {
  if (!isHttp) return undefined;
  let asked: globalThis.Request;
  try {
    asked = new Request(`http://127.0.0.1:${port}${target}`, {
      method,
      headers,
      redirect: 'manual',
      ...(method === 'GET' || method === 'HEAD' || body === '' ? {} : { body: Buffer.from(body, 'latin1') }),
    });
  } catch {
    return undefined;
  }
  try {
    const response = await fetch(asked, { signal: AbortSignal.timeout(30_000) });
    const isStream = response.headers.get('content-type') === 'text/event-stream';
    if (isStream) await response.body?.cancel();
    const text = isStream ? '' : Buffer.from(await response.arrayBuffer()).toString('latin1');
    const answer: Answer = { status: response.status, headers: response.headers as never, body: text };
    return { outcome: 'answered', answers: [answer] };
  } catch (error) {
    return { outcome: (error as Error).name === 'TimeoutError' ? 'silent' : 'closed', answers: [] };
  }
}

/** Files where the server looks for what `npm run build` makes. */
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
