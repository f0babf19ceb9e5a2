// The effect of each kind of fault on a request in the fault proxy.
import type { IncomingMessage } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Fault, FaultKind } from './fault-schedule.ts';
import { type ProxyExchange, readBody } from './proxy-exchange.ts';

/** The waits of an injection. */
export interface FaultTimers {
  /** Resolves after `ms`, or when the proxy's rules are cleared. */
  delay(ms: number): Promise<void>;
  /** Resolves when another request has been answered, when the rules are cleared, or after a second. */
  untilOvertaken(): Promise<void>;
}

type Injection = (exchange: ProxyExchange, fault: Fault, timers: FaultTimers) => Promise<void> | void;

export const passThrough = async (exchange: ProxyExchange): Promise<void> =>
  exchange.pipe(await exchange.forward());

export const injections: Record<FaultKind, Injection> = {
  dropRequest: (exchange) => exchange.reset(),
  async dropResponse(exchange) {
    await readBody(await exchange.forward());
    exchange.reset();
  },
  async delayRequest(exchange, { ms }, { delay }) {
    await delay(ms);
    await passThrough(exchange);
  },
  async delayResponse(exchange, { ms }, { delay }) {
    const answer = await exchange.forward();
    await delay(ms);
    await exchange.pipe(answer);
  },
  async duplicate(exchange) {
    const [first, second] = await Promise.all([exchange.forward(), exchange.forward()]);
    second.resume();
    await exchange.pipe(first);
  },
  async reorder(exchange, _, { untilOvertaken }) {
    await untilOvertaken();
    await passThrough(exchange);
  },
  async cut(exchange, { bytes }) {
    const answer = await exchange.forward();
    await exchange.pipe(answer, within(answer, bytes));
  },
  async silence(exchange, { bytes }) {
    // Half of the silent connections stop before the request has reached the server.
    if (bytes % 2) return;
    const answer = await exchange.forward();
    await exchange.pipe(answer, within(answer, bytes), 'silence');
  },
  tooMany: (exchange, { ms, cors }) =>
    exchange.respond({
      status: 429,
      type: 'application/json',
      body: errorJson(429, 'LimitExceeded'),
      headers: { 'retry-after': `${1 + (ms % 3)}` },
      cors,
    }),
  internalError: (exchange, { cors }) =>
    exchange.respond({ status: 500, type: 'application/json', body: errorJson(500, 'Internal'), cors }),
  badGateway: (exchange, { cors }) =>
    exchange.respond({
      status: 502,
      type: 'text/html',
      body: '<!doctype html><h1>502 Bad Gateway</h1>',
      cors,
    }),
  unavailable: (exchange, { cors }) =>
    exchange.respond({ status: 503, type: 'text/plain', body: 'Deploying', cors }),
  async shortLength(exchange) {
    const answer = await exchange.forward();
    const body = await readBody(answer);
    exchange.writeHead(answer, { 'content-length': `${body.length + 20}` });
    exchange.response.write(body, () => exchange.reset());
  },
  async shortChunks(exchange) {
    const answer = await exchange.forward();
    const body = await readBody(answer);
    exchange.writeHead(answer, { 'content-length': undefined });
    // Ends the response regularly in the middle of its JSON.
    exchange.response.end(body.subarray(0, body.length / 2));
  },
  async garbage(exchange, { cors }) {
    await readBody(await exchange.forward());
    exchange.respond({ status: 200, type: 'application/json', body: '{"message":{"id":"\u0000', cors });
  },
  portal: (exchange, { cors }) =>
    exchange.respond({
      status: 200,
      type: 'text/html',
      body: '<!doctype html><h1>Free Wi-Fi</h1><form>Log in</form>',
      cors,
    }),
  async empty(exchange, { cors }) {
    await readBody(await exchange.forward());
    exchange.respond({ status: 200, type: 'application/json', body: '', cors });
  },
  async drip(exchange) {
    const answer = await exchange.forward();
    exchange.writeHead(answer);
    // The first bytes are sent one by one; the rest of a long response follows without pauses.
    let remaining = 2_000;
    try {
      for await (const chunk of answer as AsyncIterable<Buffer>) {
        for (const byte of chunk) {
          if (exchange.response.destroyed) return;
          exchange.response.write(Buffer.of(byte));
          if (remaining-- > 0) await nextTurn();
        }
      }
      exchange.response.end();
    } catch {
      exchange.reset();
    }
  },
};

const errorJson = (code: number, type: string) =>
  JSON.stringify({ id: 'err_proxy', code, type, message: 'Injected.', metadata: {} });

/** Returns the position at which a response stops: before its end if its length is known. */
const within = (answer: IncomingMessage, bytes: number): number =>
  bytes % (Number(answer.headers['content-length']) || Number.POSITIVE_INFINITY);
