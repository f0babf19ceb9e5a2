// A proxy on loopback that fails requests as it is told: the network between a real browser and the real server.
// It decides nothing (schedule.ts does) and knows of the Chat API only what the requests are for.
import { once } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
  request as send,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { type Fault, type FaultKind, faultKinds, type Rule, targets } from './fault-schedule.ts';

export interface FaultProxy {
  /** `http://127.0.0.1:PORT`, without a slash. */
  url: string;
  /** How often each fault was injected since the start. */
  readonly injected: Readonly<Record<FaultKind, number>>;
  /** Requests that came, but for preflights. */
  readonly requests: number;
  /** Takes rules in, behind those not used up yet. */
  load(rules: readonly Rule[]): void;
  /** Cuts every open stream, as a proxy that restarts does. Gives how many there were. */
  cutStreams(): number;
  /** Every open stream falls silent: it stays open, and nothing comes any more. Gives how many there were. */
  silenceStreams(): number;
  /** No rule is left, and what waits goes on. What hangs still hangs: it is the client's to notice. */
  calm(): void;
  close(): Promise<void>;
}

/** One request on its way. */
interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  body: Buffer;
}

/** A stream that the browser reads. */
interface Stream {
  cut(): void;
  silence(): void;
}

/** @param target the server's address, without a slash. @param prefix the path of its chat. */
export async function startProxy(target: string, prefix = '/chat/demo'): Promise<FaultProxy> {
  const injected = Object.fromEntries(faultKinds.map((kind) => [kind, 0])) as Record<FaultKind, number>;
  let rules: Rule[] = [];
  let requests = 0;
  const streams = new Set<Stream>();
  /** What waits until it goes on; `overtaken`: those that go on behind the next request. */
  const waiting = new Set<() => void>();
  const overtaken = new Set<() => void>();

  /** Resolves after `ms`, or when what is put into `early` is called, or when calm returns. */
  const pause = (ms: number, early = waiting) =>
    new Promise<void>((resolve) => {
      const go = () => {
        clearTimeout(timer);
        waiting.delete(go);
        early.delete(go);
        resolve();
      };
      const timer = setTimeout(go, ms);
      waiting.add(go);
      early.add(go);
    });

  /** Sends the request on; rejects when the server cannot be reached. */
  const forward = async ({ request, response, body }: Exchange): Promise<IncomingMessage> => {
    const { method, headers } = request;
    const upstream = send(target + request.url, { method, headers, agent: false });
    response.once('close', () => upstream.destroy());
    upstream.on('error', () => {});
    upstream.end(body);
    const [answer] = (await Promise.race([
      once(upstream, 'response'),
      once(upstream, 'close').then(() => Promise.reject(new Error('The server cannot be reached.'))),
    ])) as [IncomingMessage];
    answer.on('error', () => {});
    return answer;
  };

  const head = ({ response }: Exchange, answer: IncomingMessage, change: OutgoingHttpHeaders = {}) => {
    const { connection: _, 'transfer-encoding': __, 'keep-alive': ___, ...headers } = answer.headers;
    const all = Object.entries({ ...headers, ...change }).filter(([, value]) => value !== undefined);
    response.writeHead(answer.statusCode ?? 502, Object.fromEntries(all));
  };

  /** Hands the answer over as it comes; after `limit` bytes it is cut, or falls silent. */
  const pipe = async (
    exchange: Exchange,
    answer: IncomingMessage,
    limit = Number.POSITIVE_INFINITY,
    atLimit: 'cut' | 'silence' = 'cut',
  ) => {
    const { response } = exchange;
    head(exchange, answer);
    response.flushHeaders();
    let left = limit;
    let isSilent = false;
    const stream: Stream = {
      cut: () => reset(response),
      silence() {
        isSilent = true;
        streams.delete(stream);
      },
    };
    if (isStream(answer)) streams.add(stream);
    response.once('close', () => streams.delete(stream));
    try {
      for await (const chunk of answer as AsyncIterable<Buffer>) {
        // The server goes on speaking into the void.
        if (isSilent) continue;
        response.write(chunk.subarray(0, left));
        left -= chunk.length;
        if (left > 0) continue;
        if (atLimit === 'cut') return reset(response);
        stream.silence();
      }
      if (!isSilent) response.end();
    } catch {
      // The server was killed, or the browser has gone.
      if (!isSilent) reset(response);
    }
  };

  const readAnswer = async (answer: IncomingMessage): Promise<Buffer> => {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of answer as AsyncIterable<Buffer>) {
        chunks.push(chunk);
        // A stream has no end to wait for.
        if (isStream(answer)) break;
      }
    } catch {
      // What the browser gets of it is not read.
    }
    return Buffer.concat(chunks);
  };

  /** An answer that the server knows nothing of. */
  const answerSelf = (
    { request, response }: Exchange,
    { cors }: Pick<Fault, 'cors'>,
    status: number,
    type: string,
    body: string,
    headers: OutgoingHttpHeaders = {},
  ) => {
    const origin = request.headers.origin ?? '*';
    response.writeHead(status, {
      'content-type': type,
      ...(cors && {
        'access-control-allow-origin': origin,
        'access-control-expose-headers': 'retry-after, last-event-id',
      }),
      ...headers,
    });
    response.end(body);
  };

  type Injection = (exchange: Exchange, fault: Fault) => Promise<void> | void;
  const pass: Injection = async (exchange) => pipe(exchange, await forward(exchange));
  const errorJson = (code: number, type: string) =>
    JSON.stringify({ id: 'err_proxy', code, type, message: 'Injected.', metadata: {} });

  const injections: Record<FaultKind, Injection> = {
    dropRequest: ({ response }) => reset(response),
    async dropResponse(exchange) {
      await readAnswer(await forward(exchange));
      reset(exchange.response);
    },
    async delayRequest(exchange, fault) {
      await pause(fault.ms);
      await pass(exchange, fault);
    },
    async delayResponse(exchange, { ms }) {
      const answer = await forward(exchange);
      await pause(ms);
      await pipe(exchange, answer);
    },
    async duplicate(exchange) {
      const [first, second] = await Promise.all([forward(exchange), forward(exchange)]);
      second.resume();
      await pipe(exchange, first);
    },
    async reorder(exchange, fault) {
      await pause(overtakingMs, overtaken);
      await pass(exchange, fault);
    },
    async cut(exchange, { bytes }) {
      const answer = await forward(exchange);
      await pipe(exchange, answer, within(answer, bytes));
    },
    async silence(exchange, { bytes }) {
      // Half of the connections that hang do so before the server has heard anything.
      if (bytes % 2) return;
      const answer = await forward(exchange);
      await pipe(exchange, answer, within(answer, bytes), 'silence');
    },
    tooMany(exchange, fault) {
      const body = errorJson(429, 'LimitExceeded');
      answerSelf(exchange, fault, 429, 'application/json', body, { 'retry-after': `${1 + (fault.ms % 3)}` });
    },
    internalError: (exchange, fault) =>
      answerSelf(exchange, fault, 500, 'application/json', errorJson(500, 'Internal')),
    badGateway: (exchange, fault) =>
      answerSelf(exchange, fault, 502, 'text/html', '<!doctype html><h1>502 Bad Gateway</h1>'),
    unavailable: (exchange, fault) => answerSelf(exchange, fault, 503, 'text/plain', 'Deploying'),
    async shortLength(exchange) {
      const answer = await forward(exchange);
      const body = await readAnswer(answer);
      head(exchange, answer, { 'content-length': `${body.length + 20}` });
      exchange.response.write(body, () => reset(exchange.response));
    },
    async shortChunks(exchange) {
      const answer = await forward(exchange);
      const body = await readAnswer(answer);
      head(exchange, answer, { 'content-length': undefined });
      // Ends as an answer does, but in the middle of its JSON.
      exchange.response.end(body.subarray(0, body.length / 2));
    },
    async garbage(exchange, fault) {
      await readAnswer(await forward(exchange));
      answerSelf(exchange, fault, 200, 'application/json', '{"message":{"id":"\u0000');
    },
    portal: (exchange, fault) =>
      answerSelf(exchange, fault, 200, 'text/html', '<!doctype html><h1>Free Wi-Fi</h1><form>Log in</form>'),
    async empty(exchange, fault) {
      await readAnswer(await forward(exchange));
      answerSelf(exchange, fault, 200, 'application/json', '');
    },
    async drip(exchange) {
      const answer = await forward(exchange);
      head(exchange, answer);
      let left = 2_000;
      try {
        for await (const chunk of answer as AsyncIterable<Buffer>) {
          for (const byte of chunk) {
            if (exchange.response.destroyed) return;
            exchange.response.write(Buffer.of(byte));
            // Long ones are not dripped to their end.
            if (left-- > 0) await turn();
          }
        }
        exchange.response.end();
      } catch {
        reset(exchange.response);
      }
    },
  };

  /** The rule whose turn it is. Each that fits counts the request, and only the first that is due takes it. */
  const takeRule = (line: string): Rule | undefined => {
    const index = rules.findIndex((rule) => targets[rule.on].test(line) && rule.skip-- <= 0);
    return index < 0 ? undefined : rules.splice(index, 1)[0];
  };

  const server = createServer(async (request, response) => {
    // A browser sends a request again by itself when a connection it has used before is reset: each gets its own.
    response.shouldKeepAlive = false;
    response.on('error', () => {});
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
      const exchange = { request, response, body: Buffer.concat(chunks) };
      const { pathname } = new URL(request.url ?? '/', target);
      const isChat = pathname.startsWith(`${prefix}/`) && !pathname.endsWith('/webchat.js');
      if (isChat && request.method !== 'OPTIONS') requests++;
      const rule = isChat && takeRule(`${request.method} ${pathname.slice(prefix.length)}`);
      if (!rule) {
        await pass(exchange, noFault);
        if (isChat) for (const go of overtaken) go();
        return;
      }
      injected[rule.fault.kind]++;
      await injections[rule.fault.kind](exchange, rule.fault);
    } catch {
      // The server is down, or the browser has gone.
      reset(response);
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    injected,
    get requests() {
      return requests;
    },
    load(more) {
      rules.push(...more.map((rule) => ({ ...rule })));
    },
    cutStreams() {
      const count = streams.size;
      for (const { cut } of streams) cut();
      return count;
    },
    silenceStreams() {
      const count = streams.size;
      for (const { silence } of streams) silence();
      return count;
    },
    calm() {
      rules = [];
      for (const go of waiting) go();
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const noFault: Fault = { kind: 'delayRequest', ms: 0, bytes: 0, cors: true };

/** Milliseconds that a request waits for another one to overtake it. */
const overtakingMs = 1_000;

const isStream = (answer: IncomingMessage) =>
  answer.headers['content-type']?.startsWith('text/event-stream') ?? false;

/** Where to stop in an answer: somewhere before its end, when it says where that is. */
const within = (answer: IncomingMessage, bytes: number): number =>
  bytes % (Number(answer.headers['content-length']) || Number.POSITIVE_INFINITY);

/** Ends a connection with RST, as a peer that died does. */
function reset(response: ServerResponse): void {
  response.socket?.resetAndDestroy();
}
