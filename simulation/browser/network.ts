// The network between pages and server: it delays, loses, repeats, cuts and stalls requests, responses and streams, and puts answers
// of proxies in their place. Each fault is of the next requests with a purpose, so that a schedule says exactly what happens.

import type { Random } from '../engine/random.ts';
import type { Realm } from '../engine/realm.ts';

/** The faults of a request. */
export const networkFaults = [
  /** It does not reach the server, and the page learns it. */
  'lostRequest',
  /** The server handles it, but the connection breaks before the answer. */
  'lostResponse',
  /** The server handles it, and nobody ever answers. */
  'noAnswer',
  /** It reaches the server twice. */
  'repeated',
  'slowRequest',
  'slowResponse',
  /** The body breaks after some bytes; a stream at any byte of a frame. */
  'cutBody',
  /** The body stops after some bytes, and the connection stays open. */
  'stalledBody',
  /** A body that ends too early, as if it were whole. */
  'shortBody',
  'garbage',
  'emptyBody',
  'captivePortal',
  'tooMany',
  'tooManyWithoutBody',
  'serverError',
  'badGateway',
  'unavailable',
] as const;
export type NetworkFault = (typeof networkFaults)[number];

/** The fates of a frame of a stream. `late`: it comes after the next one. */
export const frameFaults = ['passes', 'lost', 'repeated', 'late'] as const;
export type FrameFault = (typeof frameFaults)[number];

/** Requests by their purpose. */
export const purposes = {
  send: /^POST \/messages$/,
  listen: /^GET .*\/listen$/,
  list: /^GET .*\/messages$/,
  connect: /^POST \/(?:users|conversations)$/,
  login: /\/users\/(?:get-or-create|me.*)$/,
  activities: /^GET .*\/activities$/,
  features: /^GET \/webchat$/,
  other: /./,
} as const;
export type Purpose = keyof typeof purposes;

/** The part of the server that the network uses. */
export interface Server {
  /** Returns a process that takes a connection, or undefined. */
  route(): { name: string; fetch(path: string, init: RequestInit): Promise<Response> } | undefined;
  /** Called with each request that the server has answered. */
  onAnswer?(line: string, init: RequestInit, response: Response): void;
}

/** A connection of a page. */
interface Connection {
  client: string;
  process: string | undefined;
  isStream: boolean;
  /** Breaks it: what is under way is lost. */
  cut(): void;
  /** Nothing arrives any more, and it stays open. */
  stall(): void;
}

export class Network {
  readonly connections = new Set<Connection>();
  /** The faults that have happened, and how often. */
  readonly happened: Record<string, number> = {};
  readonly log: string[] = [];
  /** The browsers without a network. */
  readonly offline = new Set<string>();
  /** Whether the server is one without the additions of this one: no idempotency keys, no numbered signals, no features. */
  isPlain = false;
  /** How many of the next streams go on anywhere, as if their position was unknown. */
  forgetful = 0;
  /** The fates of the next frames of streams. */
  frames: FrameFault[] = [];
  /** The requests that a plain server has not answered: to cut them would make it store a message twice. */
  atServer = 0;
  #planned: { on: Purpose; fault: NetworkFault }[] = [];

  readonly server: Server;
  readonly random: Random;
  readonly base: string;

  constructor(server: Server, random: Random, base: string) {
    this.server = server;
    this.random = random;
    this.base = base;
  }

  plan(on: Purpose, fault: NetworkFault): void {
    this.#planned.push({ on, fault });
  }

  clear(): void {
    this.#planned = [];
    this.forgetful = 0;
    this.frames = [];
  }

  cut(fits: (connection: Connection) => boolean = () => true): void {
    for (const connection of [...this.connections]) if (fits(connection)) connection.cut();
  }

  stall(): void {
    for (const connection of this.connections) if (connection.isStream) connection.stall();
  }

  /** The `fetch` of a page. */
  async fetch(realm: Realm, browser: string, url: string, init: RequestInit): Promise<Response> {
    const path = url.replace(/^https?:\/\/[^/]+/, '');
    const line = `${init.method} ${path.replace(this.base, '').replace(/\?.*/, '')}`;
    const fault = this.#faultOf(line);
    const text = line === 'POST /messages' ? ` “${JSON.parse(String(init.body)).payload.text}”` : '';
    this.log.push(`${realm.name}: ${line}${text}${fault ? ` (${fault})` : ''}`);
    return new Promise<Response>((resolve, reject) => {
      const exchange = new Exchange(this, realm, browser, { path, line, init, fault }, resolve, reject);
      exchange.begin();
    });
  }

  #faultOf(line: string): NetworkFault | undefined {
    const index = this.#planned.findIndex(({ on }) => purposes[on].test(line));
    const [planned] = index < 0 ? [] : this.#planned.splice(index, 1);
    // A plain server would do it twice, and no client can prevent that.
    if (!planned || (planned.fault === 'repeated' && this.isPlain && !line.startsWith('GET')))
      return undefined;
    this.happened[planned.fault] = (this.happened[planned.fault] ?? 0) + 1;
    return planned.fault;
  }
}

interface Call {
  path: string;
  line: string;
  init: RequestInit;
  fault: NetworkFault | undefined;
}

/** One request, its response and the body of it. */
class Exchange {
  readonly #connection: Connection;
  #isOver = false;
  #isStalled = false;
  #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  #out: ReadableStreamDefaultController<Uint8Array> | undefined;

  readonly network: Network;
  readonly realm: Realm;
  readonly browser: string;
  readonly call: Call;
  readonly resolve: (response: Response) => void;
  readonly reject: (error: unknown) => void;

  constructor(
    network: Network,
    realm: Realm,
    browser: string,
    call: Call,
    resolve: (response: Response) => void,
    reject: (error: unknown) => void,
  ) {
    this.network = network;
    this.realm = realm;
    this.browser = browser;
    this.call = call;
    this.resolve = resolve;
    this.reject = reject;
    this.#connection = {
      client: realm.name,
      process: undefined,
      isStream: false,
      cut: () => this.#fail(),
      stall: () => {
        this.#isStalled = true;
      },
    };
  }

  begin(): void {
    const { signal } = this.call.init;
    if (signal?.aborted) {
      this.reject(signal.reason);
      return;
    }
    this.network.connections.add(this.#connection);
    // The page ends it.
    signal?.addEventListener('abort', () => {
      if (this.#end()) this.#tell(signal.reason);
    });
    this.#later(this.#latency('slowRequest'), () => {
      void this.#request().catch(() => this.#fail());
    });
  }

  #latency(slow: NetworkFault): number {
    const usual = 2 + this.network.random.below(20);
    return usual + (this.call.fault === slow ? 3_000 : 0);
  }

  /** Runs outside of the page: a frozen page does not stop the network. */
  #later(ms: number, run: () => void): void {
    this.realm.clock.after(ms, run);
  }

  /** @returns false if it was over before */
  #end(): boolean {
    if (this.#isOver) return false;
    this.#isOver = true;
    this.network.connections.delete(this.#connection);
    void this.#reader?.cancel().catch(() => {});
    return true;
  }

  #tell(error: unknown): void {
    this.realm.run(() => {
      this.reject(error);
      try {
        this.#out?.error(error);
      } catch {
        // It was closed.
      }
    });
  }

  #fail(): void {
    if (this.#end()) this.#later(1, () => this.#tell(new TypeError('Failed to fetch')));
  }

  async #request(): Promise<void> {
    const { fault } = this.call;
    const { network } = this;
    if (this.#isOver) return;
    const process = network.server.route();
    if (!process || fault === 'lostRequest' || network.offline.has(this.browser)) return this.#fail();
    this.#connection.process = process.name;
    const answer = fault && proxyAnswers[fault];
    if (answer) return this.#deliver(answer());
    if (fault === 'repeated') await this.#forward(process);
    const response = await this.#forward(process);
    if (this.#isOver) return void response.body?.cancel().catch(() => {});
    if (fault === 'noAnswer') {
      this.#isStalled = true;
      return;
    }
    if (fault === 'lostResponse') {
      void response.body?.cancel().catch(() => {});
      return this.#fail();
    }
    if (response.ok && this.call.line.endsWith('/listen')) return this.#deliver(response);
    const bytes = new Uint8Array(await response.arrayBuffer());
    const head = { status: response.status, headers: response.headers };
    if (fault === 'garbage') return this.#deliver(new Response('{"message":', head));
    if (fault === 'emptyBody') return this.#deliver(new Response('', head));
    if (fault === 'shortBody') return this.#deliver(new Response(bytes.slice(0, bytes.length / 2), head));
    this.#deliver(new Response(bytes.length > 0 ? bytes : null, head));
  }

  async #forward(process: { fetch(path: string, init: RequestInit): Promise<Response> }): Promise<Response> {
    const { path, line, init } = this.call;
    const { network } = this;
    const headers = new Headers(init.headers);
    if (network.isPlain && line === 'GET /webchat') return Response.json({}, { status: 404 });
    if (network.isPlain) headers.delete('idempotency-key');
    const isForgotten = line.endsWith('/listen') && network.forgetful-- > 0;
    if (network.isPlain || isForgotten) headers.delete('last-event-id');
    network.atServer++;
    try {
      const response = await process.fetch(path, { ...init, headers, signal: null });
      network.server.onAnswer?.(line, { ...init, headers }, response);
      return response;
    } finally {
      network.atServer--;
    }
  }

  /** Sends a response to the page, with its body in pieces. */
  #deliver(response: Response): void {
    const isStream = this.call.line.endsWith('/listen') && response.ok;
    const headers = new Headers(response.headers);
    if (this.network.isPlain) headers.delete('last-event-id');
    this.#connection.isStream = isStream;
    this.#later(this.#latency('slowResponse'), () => {
      if (this.#isOver) return void response.body?.cancel().catch(() => {});
      if (this.#isStalled) return;
      const { body } = response;
      const out = body
        ? new ReadableStream<Uint8Array>({
            start: (controller) => {
              this.#out = controller;
            },
            cancel: () => void this.#end(),
          })
        : null;
      this.realm.run(() => this.resolve(new Response(out, { status: response.status, headers })));
      if (body) void this.#read(body.getReader()).catch(() => this.#fail());
      else this.#end();
    });
  }

  async #read(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
    this.#reader = reader;
    const { fault } = this.call;
    /** Bytes that still arrive. */
    let remaining =
      fault === 'cutBody' || fault === 'stalledBody' ? this.network.random.below(400) : Infinity;
    /** No piece overtakes another. */
    let due = this.realm.clock.time;
    const push = (piece: Uint8Array) => {
      due = Math.max(due, this.realm.clock.time + this.network.random.below(4));
      this.#later(due - this.realm.clock.time, () => {
        if (!this.#isOver && !this.#isStalled) this.realm.run(() => this.#enqueue(piece));
      });
    };
    let late: Uint8Array[] = [];
    const pass = (frame: Uint8Array): Uint8Array[] => {
      const fate = this.#connection.isStream ? this.network.frames.shift() : undefined;
      if (fate === 'late') {
        late.push(frame);
        return [];
      }
      const before = late;
      late = [];
      if (fate === 'lost') return before;
      return fate === 'repeated' ? [frame, frame, ...before] : [frame, ...before];
    };
    for (;;) {
      const { done, value } = await reader.read();
      if (this.#isOver || this.#isStalled) return;
      if (done) break;
      const bytes = Buffer.concat(pass(this.network.isPlain ? withoutNumbers(value) : value));
      const at = this.network.random.chance(0.2) ? this.network.random.below(bytes.length) : bytes.length;
      push(bytes.slice(0, Math.min(at, remaining)));
      if (at < Math.min(bytes.length, remaining)) push(bytes.slice(at, Math.min(bytes.length, remaining)));
      remaining -= bytes.length;
      if (remaining > 0) continue;
      if (fault === 'cutBody') this.#later(due - this.realm.clock.time + 1, () => this.#fail());
      else this.#later(due - this.realm.clock.time + 1, () => this.#connection.stall());
      return;
    }
    this.#later(due - this.realm.clock.time + 1, () => {
      if (this.#isStalled || !this.#end()) return;
      this.realm.run(() => {
        try {
          this.#out?.close();
        } catch {
          // The page has cancelled it.
        }
      });
    });
  }

  #enqueue(piece: Uint8Array): void {
    try {
      if (piece.length > 0) this.#out?.enqueue(piece);
    } catch {
      // The page has cancelled it.
    }
  }
}

/** A plain server does not number its signals. */
const withoutNumbers = (frames: Uint8Array): Uint8Array =>
  new TextEncoder().encode(new TextDecoder().decode(frames).replace(/^id: .*\n/gm, ''));

const html = { headers: { 'content-type': 'text/html' } };
const proxyAnswers: Partial<Record<NetworkFault, () => Response>> = {
  captivePortal: () => new Response('<html><a href="/login">Log in</a></html>', { status: 200, ...html }),
  tooMany: () => Response.json({}, { status: 429, headers: { 'retry-after': '2' } }),
  tooManyWithoutBody: () => new Response(null, { status: 429 }),
  serverError: () => Response.json({}, { status: 500 }),
  badGateway: () => new Response('<h1>502</h1>', { status: 502, ...html }),
  unavailable: () => new Response(null, { status: 503 }),
};
