// A visitor's browser for tests, without a browser: tabs over one storage, a network that fails as it is told, and the
// real server in this process under a clock that the test turns. It judges nothing; faults.test.ts has the laws.
import { vi } from 'vitest';
import { ChatClient } from '../../../client/index.ts';
import type { BotHandler } from '../../../protocol/bot.ts';
import { resolveConfiguration } from '../../../protocol/config.ts';
import { type Message, preview } from '../../../protocol/message.ts';
import { base, startTestServer, type TestServer } from '../../../server/testing.ts';
import type { StoredSession, Widget } from '../../launcher-chat-interface.ts';
import { createStore, type Store } from '../store/store.ts';
import { createSession, type Session } from './session.ts';

const origin = 'http://localhost';
export const chatUrl = `${origin}${base}`;

/** Every way in which the network can fail a request. */
export const weathers = [
  'dropRequest',
  'dropResponse',
  'duplicate',
  'slowRequest',
  'slowResponse',
  'silence',
  'tooMany',
  'internalError',
  'badGateway',
  'unavailable',
  'truncated',
  'garbage',
  'empty',
] as const;
export type Weather = (typeof weathers)[number];

/** Requests by what they are for. */
export const targets = {
  send: /^POST \/messages$/,
  listen: /^GET .*\/listen$/,
  list: /^GET .*\/messages$/,
  connect: /^POST \/(users|conversations)$/,
  loadFeatures: /^GET \/webchat$/,
} as const;
export type Target = keyof typeof targets;

/** What the visitor typed, and what became of it. */
export interface Typed {
  text: string;
  tab: Tab;
  /** The key of the named user who typed it; undefined for the anonymous visitor. */
  person: string | undefined;
  /** The server has answered, or would have if the answer had come: it is stored. */
  isStored: boolean;
  /** The visitor, or the page, has given it up: it need not be anywhere. Never twice, though. */
  isExcused: boolean;
}

/** One page view. */
export interface Tab {
  widget: Widget;
  store: Store;
  session: Session;
  /** `message` events: ids, in the order they were told. */
  told: string[];
  /** No open window has read in this browser since the page was there. */
  isLonely: boolean;
  /** What was there when all was quiet last, by conversation: what comes now has to be told. */
  rested: Map<string, Set<string>>;
  errors: string[];
  unread: number;
  isAlive: boolean;
  /** The page is gone at once, as in a reload: nothing of it runs on. */
  vanish(): void;
}

/** Greets, echoes, and streams its answer to what begins with `stream`. */
const bot: BotHandler = async (event, tools) => {
  if (event.type === 'conversation_started') await tools.reply({ type: 'text', text: 'Welcome' });
  else if (event.preview.startsWith('stream')) {
    const answer = tools.stream();
    for (const piece of ['echo ', 'of ', event.preview]) {
      answer.write(piece);
      await new Promise((resolve) => setTimeout(resolve, 40));
    }
    await answer.end();
  } else if (event.type === 'text') await tools.reply({ type: 'text', text: `echo of ${event.preview}` });
};

const turn = (
  (later) => () =>
    new Promise<void>((resolve) => later(resolve))
)(setImmediate);

/** Lets `ms` of the clock pass, in steps, so that work between two timers gets done. */
export async function pass(ms: number, step = 20): Promise<void> {
  for (let left = ms; left > 0; left -= step) {
    await vi.advanceTimersByTimeAsync(Math.min(step, left));
    await turn();
  }
}

/** Lets the clock run until `work` is done. */
export async function during<T>(work: Promise<T>): Promise<T> {
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  work.then(end, end);
  while (!isOver) await pass(2, 2);
  return work;
}

export class World {
  server!: TestServer;
  readonly stored: StoredSession = {};
  readonly tabs: Tab[] = [];
  readonly typed: Typed[] = [];
  /** Every conversation that anything was sent to, and a key that opens it. */
  readonly conversations = new Map<string, string>();
  readonly log: string[] = [];
  readonly steps: string[] = [];
  readonly injected: Partial<Record<Weather, number>> = {};
  /** The key of the named user whom the page has given, if it has. */
  person: string | undefined;
  /** The keys of all named users; and what one person typed that was sent as another. */
  readonly named = new Set<string>();
  readonly trespasses: string[] = [];
  isPlain = false;
  /** So many streams that are opened go on from now, wherever the client was. */
  forgets = 0;
  #forecast: { on: Target; weather: Weather }[] = [];
  #isDown = false;
  #slept = 0;
  #cuts = 0;
  #underWay = new Set<() => void>();
  #works = 0;
  #streams = new Set<{ cut(): void; silence(): void }>();

  static async start({ isPlain = false } = {}): Promise<World> {
    const world = new World();
    world.isPlain = isPlain;
    vi.useFakeTimers({
      toFake: [
        'setTimeout',
        'clearTimeout',
        'setInterval',
        'clearInterval',
        'requestAnimationFrame',
        'cancelAnimationFrame',
        'Date',
      ],
      now: Date.UTC(2026, 0, 1),
    });
    vi.stubGlobal('fetch', (url: string, init: RequestInit) => world.#fetch(url, init));
    // The server's clock is its own: that of the visitor may be wrong, and may jump.
    const connect = performance.now();
    const now = () => Math.floor(Date.UTC(2026, 0, 1) + performance.now() - connect + world.#slept);
    world.server = await during(startTestServer({ handler: bot, now }));
    return world;
  }

  async end(): Promise<void> {
    for (const tab of this.tabs) tab.vanish();
    await during(this.server.close());
    vi.unstubAllGlobals();
    vi.useRealTimers();
    setOnline(true);
  }

  // The visitor and their page

  open({ isOpen = true } = {}): Tab {
    const life = new AbortController();
    const { stored } = this;
    const tab: Tab = {
      told: [],
      isLonely: !this.tabs.some((other) => other.isAlive && other.widget.isOpen),
      rested: new Map(),
      errors: [],
      unread: 0,
      isAlive: true,
      vanish() {
        tab.isAlive = false;
        life.abort();
      },
    } as unknown as Tab;
    tab.widget = {
      signal: life.signal,
      chatUrl,
      storage: {
        // As in localStorage: text, so nothing is shared but what can be written down.
        read: () => JSON.parse(JSON.stringify(stored)),
        write: (fields: object) => {
          if (tab.isAlive) this.#write(fields);
        },
      },
      configuration: resolveConfiguration(),
      webchat: undefined,
      user: this.person ? { userKey: this.person } : {},
      isOpen,
      emit(type: string, payload: never) {
        if (type === 'message') tab.told.push((payload as Message).id);
        if (type === 'error') tab.errors.push((payload as { code: string }).code);
      },
      onStarted: () => {},
      onUnread(count: number) {
        tab.unread = Math.max(0, tab.unread + count);
      },
      onServerConfiguration: () => {},
      config: () => {},
      open: () => {},
      close: () => {},
    } as unknown as Widget;
    tab.store = createStore(resolveConfiguration());
    tab.session = createSession(tab.widget, tab.store, () => {});
    this.tabs.push(tab);
    if (isOpen) this.#disturb();
    // What is somebody else's is not shown, so it is not sent.
    this.excuse((typed) => !typed.isStored && typed.person !== this.person);
    tab.session.start().catch(() => {});
    return tab;
  }

  /** Merges fields into what the browser keeps; tabs hear of it (the writing one too: they share a window here). */
  #write(fields: object): void {
    const before = JSON.stringify(this.stored);
    const merged = JSON.parse(JSON.stringify({ ...this.stored, ...fields }));
    for (const name of Object.keys(this.stored)) delete this.stored[name as keyof StoredSession];
    Object.assign(this.stored, merged);
    const after = JSON.stringify(this.stored);
    if (before === after || this.tabs.filter(({ isAlive }) => isAlive).length < 2) return;
    const key = `platform-webchat:${chatUrl}`;
    setTimeout(() => dispatchEvent(new StorageEvent('storage', { key, oldValue: before, newValue: after })));
  }

  #disturb(): void {
    for (const tab of this.tabs) tab.isLonely = false;
  }

  /** Opens or closes the window. */
  toggle(tab: Tab): void {
    tab.widget.isOpen = !tab.widget.isOpen;
    tab.store.setOpen(tab.widget.isOpen);
    if (!tab.widget.isOpen) return;
    tab.unread = 0;
    this.#disturb();
    tab.session.markRead();
  }

  /** Writes something and sends it. */
  type(tab: Tab, prefix = ''): void {
    const text = `${prefix}m${this.typed.length}`;
    const userKey =
      tab.session.context.client.userKey ?? tab.widget.user.userKey ?? this.stored.userKey ?? '';
    const person = this.named.has(userKey) ? userKey : undefined;
    this.typed.push({ text, tab, person, isStored: false, isExcused: false });
    tab.session.send({ type: 'text', text }).catch(() => {});
  }

  /** What is not stored by now may go: the visitor or the page has left it. */
  excuse(fits: (typed: Typed) => boolean = (typed) => !typed.isStored): void {
    for (const typed of this.typed) if (fits(typed)) typed.isExcused = true;
  }

  /** The rows of a tab that are the visitor's and not on the server. */
  unsent = (tab: Tab) => tab.store.state.rows.filter((row) => !row.id && row.side === 'visitor');

  // The network

  forecast(on: Target, weather: Weather): void {
    this.#forecast.push({ on, weather });
  }

  /** What is open is cut, what is under way gets no answer. */
  cut(): void {
    this.#cuts++;
    for (const stream of [...this.#streams]) stream.cut();
    for (const drop of [...this.#underWay]) drop();
  }

  /** Streams stay open, and nothing comes any more. */
  silence(): void {
    for (const stream of [...this.#streams]) stream.silence();
  }

  clear(): void {
    this.#forecast = [];
  }

  async restart(): Promise<void> {
    this.#isDown = true;
    this.cut();
    while (this.#works > 0) await pass(2, 2);
    this.server = await during(this.server.restart());
    this.#isDown = false;
  }

  /** The laptop is closed for so long: no timer runs, and all clocks are later. */
  sleep(ms: number): void {
    this.#slept += ms;
    vi.setSystemTime(Date.now() + ms);
    this.cut();
  }

  // The truth

  /** Speaks to the server past the network. */
  direct = (userKey: string | undefined) =>
    new ChatClient({
      chatUrl,
      userKey,
      fetch: ((url: string, init: RequestInit) => this.server.fetch(url.replace(origin, ''), init)) as never,
    });

  /** What the server has in a conversation, oldest first; undefined when it is gone. */
  async messages(userKey: string | undefined, conversationId: string): Promise<Message[] | undefined> {
    const list = this.direct(userKey).list.messages({ conversationId }).collect();
    return during(list.then((messages) => messages.reverse()).catch(() => undefined));
  }

  /** Texts the visitor typed, as often as they are stored. */
  async storedTexts(): Promise<string[]> {
    const lists = [];
    for (const [id, key] of this.conversations) lists.push((await this.messages(key, id)) ?? []);
    return lists.flat().map(({ payload }) => preview(payload));
  }

  async #fetch(url: string, init: RequestInit): Promise<Response> {
    const path = url.replace(origin, '');
    const line = `${init.method} ${path.replace(base, '').replace(/\?.*/, '')}`;
    const index = this.#forecast.findIndex(({ on }) => targets[on].test(line));
    const weather = index < 0 ? undefined : this.#forecast.splice(index, 1)[0]?.weather;
    if (weather) this.injected[weather] = (this.injected[weather] ?? 0) + 1;
    this.log.push(`${line}${weather ? ` (${weather})` : ''}`);
    const signal = init.signal as AbortSignal;
    return new Promise<Response>((resolve, reject) => {
      const fail = () => reject(new TypeError('failed to fetch'));
      this.#underWay.add(fail);
      const abort = () => reject(signal.reason);
      signal.addEventListener('abort', abort);
      this.#answer(path, line, init, weather)
        .then((response) => (response ? resolve(response) : undefined), fail)
        .finally(() => this.#underWay.delete(fail));
    });
  }

  /** The answer that comes; undefined when none ever does. */
  async #answer(path: string, line: string, init: RequestInit, weather: Weather | undefined) {
    const cut = () => Promise.reject(new TypeError('reset'));
    await turn();
    if (this.#isDown || !navigator.onLine || weather === 'dropRequest') return cut();
    if (weather && weather in answers) return answers[weather as keyof typeof answers]();
    const cuts = this.#cuts;
    if (weather === 'slowRequest') await new Promise((resolve) => setTimeout(resolve, 3_000));
    // What arrives after its connection was cut a plain server cannot tell from its second attempt.
    if (this.isPlain && cuts !== this.#cuts) return cut();
    // The browser has given it up before it was sent.
    if (init.signal?.aborted) return cut();
    if (this.#isDown) return cut();
    // A plain server would store it twice, and nobody could help it.
    if (weather === 'duplicate' && (!this.isPlain || init.method === 'GET'))
      await this.#reach(path, line, init);
    const response = await this.#reach(path, line, init);
    if (weather === 'silence') return undefined;
    if (weather === 'slowResponse') await new Promise((resolve) => setTimeout(resolve, 3_000));
    if (weather === 'dropResponse') return cut();
    if (line.endsWith('/listen') && response.ok) return this.#stream(response, init.signal as AbortSignal);
    const text = await response.text();
    const head = { status: response.status, headers: response.headers };
    if (weather === 'truncated') return new Response(text.slice(0, text.length / 2), head);
    if (weather === 'garbage') return new Response('{"message":', head);
    if (weather === 'empty') return new Response('', head);
    return new Response(text, head);
  }

  /** The request is at the server. */
  async #reach(path: string, line: string, init: RequestInit): Promise<Response> {
    const headers = new Headers(init.headers);
    const key = headers.get('x-user-key') ?? '';
    if (this.isPlain && line === 'GET /webchat') return Response.json({}, { status: 404 });
    if (this.isPlain) headers.delete('idempotency-key');
    const isForgotten = line.endsWith('/listen') && this.forgets-- > 0;
    if (this.isPlain || isForgotten) headers.delete('last-event-id');
    this.#works++;
    try {
      const response = await this.server.fetch(path, { ...init, headers, signal: null });
      if (line === 'POST /messages' && response.ok) {
        const { conversationId, payload } = JSON.parse(String(init.body));
        this.conversations.set(conversationId, key);
        const typed = this.typed.find(({ text }) => text === preview(payload));
        if (typed) typed.isStored = true;
        const isStranger = typed?.person ? typed.person !== key : this.named.has(key);
        if (typed && isStranger) this.trespasses.push(typed.text);
      }
      return response;
    } finally {
      this.#works--;
    }
  }

  #stream(response: Response, signal: AbortSignal): Response {
    const reader = response.body?.getReader();
    const headers = new Headers(response.headers);
    if (this.isPlain) headers.delete('last-event-id');
    let isSilent = false;
    const stream = {
      cut: () => {},
      silence: () => {
        isSilent = true;
      },
    };
    const body = new ReadableStream<Uint8Array>({
      start: (out) => {
        stream.cut = () => {
          this.#streams.delete(stream);
          void reader?.cancel();
          try {
            out.error(new TypeError('cut'));
          } catch {
            // It was closed already.
          }
        };
        signal.addEventListener('abort', stream.cut);
        this.#streams.add(stream);
        void (async () => {
          for (;;) {
            const chunk = await reader?.read();
            if (!chunk || chunk.done) break;
            if (isSilent) continue;
            const text = new TextDecoder().decode(chunk.value);
            out.enqueue(
              this.isPlain ? new TextEncoder().encode(text.replace(/^id: .*\n/gm, '')) : chunk.value,
            );
          }
          if (!isSilent) out.close();
        })().catch(() => {});
      },
      cancel: () => stream.cut(),
    });
    return new Response(body, { status: response.status, headers });
  }
}

const answers = {
  tooMany: () => Response.json({}, { status: 429, headers: { 'retry-after': '2' } }),
  internalError: () => Response.json({}, { status: 500 }),
  badGateway: () => new Response('<h1>502</h1>', { status: 502, headers: { 'content-type': 'text/html' } }),
  unavailable: () => new Response('', { status: 503 }),
};

let isOnline = true;
Object.defineProperty(navigator, 'onLine', { configurable: true, get: () => isOnline });

/** What the browser says of the network, and the event of it. */
export function setOnline(online: boolean): void {
  isOnline = online;
  dispatchEvent(new Event(online ? 'online' : 'offline'));
}

// The tabs of this world share a window, so each keeps its own stream.
Object.defineProperty(window, 'BroadcastChannel', { configurable: true, value: undefined });
