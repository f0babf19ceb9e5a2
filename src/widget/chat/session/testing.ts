// The test fixture of the fault tests: simulated tabs over one storage, a network that fails on request, and the real
// server in this process under a fake clock. The invariants are in faults.integration.test.ts.
import { vi } from 'vitest';
import { ChatClient } from '../../../client/index.ts';
import type { BotHandler } from '../../../protocol/bot.ts';
import { type Message, preview } from '../../../protocol/message.ts';
import { resolveConfiguration } from '../../../protocol/page-api/config-layers.ts';
import { base, startTestServer, type TestServer } from '../../../server/testing.ts';
import type { StoredSession, Widget } from '../../launcher-chat-interface.ts';
import { createStore, type Store } from '../store/store.ts';
import { createSession } from './session.ts';
import type { Session } from './session-interface.ts';

const origin = 'http://localhost';
export const chatUrl = `${origin}${base}`;

/** The ways in which the network can fail a request. */
export const networkConditions = [
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
export type NetworkCondition = (typeof networkConditions)[number];

/** Requests, grouped by purpose. */
export const targets = {
  send: /^POST \/messages$/,
  listen: /^GET .*\/listen$/,
  list: /^GET .*\/messages$/,
  connect: /^POST \/(users|conversations)$/,
  loadFeatures: /^GET \/webchat$/,
  activities: /^GET .*\/activities$/,
} as const;
export type Target = keyof typeof targets;

/** A message that the visitor typed, and its expected outcome. */
export interface Typed {
  text: string;
  tab: Tab;
  /** The key of the named user who typed it; undefined for the anonymous visitor. */
  namedUserKey: string | undefined;
  /** The server has stored it, whether or not the response arrived. */
  isStored: boolean;
  /** The visitor or the page has abandoned it: it may be missing, but must not be stored twice. */
  mayBeMissing: boolean;
}

/** One page view. */
export interface Tab {
  widget: Widget;
  store: Store;
  session: Session;
  /** The ids of the `message` events, in order. */
  reported: string[];
  /** No other window was open in this browser since the page was opened. */
  isOnlyReader: boolean;
  /** The message ids at the last settled state, by conversation: each later message must be reported. */
  lastSettled: Map<string, Set<string>>;
  errors: string[];
  unread: number;
  isAlive: boolean;
  /** Ends the page at once, as a reload does. */
  close(): void;
}

/** Sends a greeting and echoes, streams its answer to messages that begin with `stream`, and hands over after `person`. */
const bot: BotHandler = async (event, tools) => {
  if (event.type === 'conversation_started') await tools.reply({ type: 'text', text: 'Welcome' });
  else if (event.preview.startsWith('stream')) {
    const answer = tools.stream();
    for (const piece of ['echo ', 'of ', event.preview]) {
      answer.write(piece);
      await new Promise((resolve) => setTimeout(resolve, 40));
    }
    await answer.end();
  } else if (event.preview === 'person') await tools.handoff({ reason: 'test' });
  else if (event.type === 'text') await tools.reply({ type: 'text', text: `echo of ${event.preview}` });
};

const nextMacrotask = (
  (later) => () =>
    new Promise<void>((resolve) => later(resolve))
)(setImmediate);

/** Advances the clock by `ms` in steps, so that work between two timers is done. */
export async function advanceClock(ms: number, step = 20): Promise<void> {
  for (let left = ms; left > 0; left -= step) {
    await vi.advanceTimersByTimeAsync(Math.min(step, left));
    await nextMacrotask();
  }
}

/**
 * Imports the session with the bundles that it loads later. Before the fake clock is installed: on a busy machine an import takes
 * longer than minutes of the fake clock, in which the session does nothing.
 */
export async function importSession(): Promise<void> {
  await import('./session.ts');
  const { background, pageUser, people } = await import('../bundles.ts');
  await Promise.all([background, pageUser, people].map((bundle) => bundle.get()));
}

/** Advances the clock until `work` settles. */
export async function advanceUntilSettled<T>(work: Promise<T>): Promise<T> {
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  work.then(end, end);
  while (!isOver) await advanceClock(2, 2);
  return work;
}

export class FaultFixture {
  server!: TestServer;
  readonly stored: StoredSession = {};
  readonly tabs: Tab[] = [];
  readonly typed: Typed[] = [];
  /** Every conversation that received a message, with a user key that can read it. */
  readonly conversations = new Map<string, string>();
  readonly log: string[] = [];
  readonly steps: string[] = [];
  readonly injected: Partial<Record<NetworkCondition, number>> = {};
  /** The user key that the page has set, if any. */
  namedUserKey: string | undefined;
  /** The keys of all named users. */
  readonly named = new Set<string>();
  /** Texts that one user typed and that were sent as another user. */
  readonly sentAsAnotherUser: string[] = [];
  isPlain = false;
  /** What a page receives of a frame that the server has sent; undefined: everything. */
  relay: ((frame: Uint8Array) => Uint8Array[]) | undefined;
  /** The number of following streams that ignore `last-event-id`, so that they cannot resume. */
  unresumableStreams = 0;
  #pendingConditions: { on: Target; condition: NetworkCondition }[] = [];
  #isDown = false;
  #slept = 0;
  #cuts = 0;
  #underWay = new Set<() => void>();
  #requestsAtServer = 0;
  #streams = new Set<{ cut(): void; silence(): void }>();

  static async start({ isPlain = false } = {}): Promise<FaultFixture> {
    const fixture = new FaultFixture();
    fixture.isPlain = isPlain;
    vi.useFakeTimers({
      // The server pings by `performance`.
      toFake: [
        'setTimeout',
        'clearTimeout',
        'setInterval',
        'clearInterval',
        'requestAnimationFrame',
        'cancelAnimationFrame',
        'Date',
        'performance',
      ],
      now: Date.UTC(2026, 0, 1),
    });
    vi.stubGlobal('fetch', (url: string, init: RequestInit) => fixture.#fetch(url, init));
    // The simulated tabs share a window, so each keeps its own stream.
    vi.stubGlobal('BroadcastChannel', undefined);
    // The server has its own clock, because the visitor's clock may be wrong and may jump.
    const connect = performance.now();
    const now = () => Math.floor(Date.UTC(2026, 0, 1) + performance.now() - connect + fixture.#slept);
    fixture.server = await advanceUntilSettled(startTestServer({ handler: bot, now }));
    return fixture;
  }

  async end(): Promise<void> {
    for (const tab of this.tabs) tab.close();
    await advanceUntilSettled(this.server.close());
    vi.unstubAllGlobals();
    vi.useRealTimers();
    setOnline(true);
  }

  // The visitor and their page

  open({ isOpen = true } = {}): Tab {
    const controller = new AbortController();
    const { stored } = this;
    const tab: Tab = {
      reported: [],
      isOnlyReader: !this.tabs.some((other) => other.isAlive && other.widget.isOpen),
      lastSettled: new Map(),
      errors: [],
      unread: 0,
      isAlive: true,
      close() {
        tab.isAlive = false;
        controller.abort();
      },
    } as unknown as Tab;
    tab.widget = {
      signal: controller.signal,
      chatUrl,
      storageKey: `platform-webchat:${chatUrl}`,
      storage: {
        // Serialized, as in localStorage, so that no objects are shared.
        read: () => JSON.parse(JSON.stringify(stored)),
        write: (fields: object) => {
          if (tab.isAlive) this.#write(fields);
        },
      },
      configuration: resolveConfiguration(),
      language: { locale: 'en' },
      resolve: () => resolveConfiguration(),
      webchat: undefined,
      user: this.namedUserKey ? { userKey: this.namedUserKey } : {},
      hooks: new Set(),
      isOpen,
      emit(type: string, payload: never) {
        if (type === 'message') tab.reported.push((payload as Message).id);
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
    if (isOpen) this.#markTabsShared();
    // Messages of another user are not restored, so they are not sent.
    this.allowMissing((typed) => !typed.isStored && typed.namedUserKey !== this.namedUserKey);
    tab.session.start().catch(() => {});
    return tab;
  }

  /** Merges fields into the stored record and fires `storage` in all tabs (also the writing one: they share a window). */
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

  #markTabsShared(): void {
    for (const tab of this.tabs) tab.isOnlyReader = false;
  }

  /** Opens or closes the window. */
  toggle(tab: Tab): void {
    tab.widget.isOpen = !tab.widget.isOpen;
    tab.store.setOpen(tab.widget.isOpen);
    if (!tab.widget.isOpen) return;
    tab.unread = 0;
    this.#markTabsShared();
    tab.session.markRead();
  }

  /** Sends a new message. */
  type(tab: Tab, prefix = ''): void {
    const text = `${prefix}m${this.typed.length}`;
    const userKey =
      tab.session.context.client.userKey ?? tab.widget.user.userKey ?? this.stored.userKey ?? '';
    const namedUserKey = this.named.has(userKey) ? userKey : undefined;
    this.typed.push({ text, tab, namedUserKey, isStored: false, mayBeMissing: false });
    tab.session.send({ type: 'text', text }).catch(() => {});
  }

  /** Allows the messages that match (by default: all that are not stored yet) to be missing. */
  allowMissing(fits: (typed: Typed) => boolean = (typed) => !typed.isStored): void {
    for (const typed of this.typed) if (fits(typed)) typed.mayBeMissing = true;
  }

  /** The visitor's rows of a tab that are not on the server. */
  unsent = (tab: Tab) => tab.store.state.rows.filter((row) => !row.id && row.side === 'visitor');

  // The network

  inject(on: Target, condition: NetworkCondition): void {
    this.#pendingConditions.push({ on, condition });
  }

  /**
   * Cuts the open streams and fails the requests under way. A plain server ends those that have reached it first: it cannot recognise
   * the second attempt of a message that it is still storing.
   */
  async cut(): Promise<void> {
    while (this.isPlain && this.#requestsAtServer > 0) await advanceClock(2, 2);
    this.#cuts++;
    for (const stream of [...this.#streams]) stream.cut();
    for (const drop of [...this.#underWay]) drop();
  }

  /** Keeps the streams open but delivers nothing more. */
  silence(): void {
    for (const stream of [...this.#streams]) stream.silence();
  }

  clearConditions(): void {
    this.#pendingConditions = [];
  }

  async restart(): Promise<void> {
    this.#isDown = true;
    await this.cut();
    while (this.#requestsAtServer > 0) await advanceClock(2, 2);
    this.server = await advanceUntilSettled(this.server.restart());
    this.#isDown = false;
  }

  /** Simulates a suspended device: no timer runs, and all clocks are later. */
  async sleep(ms: number): Promise<void> {
    this.#slept += ms;
    vi.setSystemTime(Date.now() + ms);
    await this.cut();
  }

  // The state of the server

  /** A client that bypasses the simulated network. */
  direct = (userKey: string | undefined) =>
    new ChatClient({
      chatUrl,
      userKey,
      fetch: ((url: string, init: RequestInit) => this.server.fetch(url.replace(origin, ''), init)) as never,
    });

  /** The messages of a conversation on the server, oldest first; undefined when it was deleted. */
  async messages(userKey: string | undefined, conversationId: string): Promise<Message[] | undefined> {
    const list = this.direct(userKey).list.messages({ conversationId }).collect();
    return advanceUntilSettled(list.then((messages) => messages.reverse()).catch(() => undefined));
  }

  /** The texts of all stored messages. */
  async storedTexts(): Promise<string[]> {
    const lists = [];
    for (const [id, key] of this.conversations) lists.push((await this.messages(key, id)) ?? []);
    return lists.flat().map(({ payload }) => preview(payload));
  }

  async #fetch(url: string, init: RequestInit): Promise<Response> {
    const path = url.replace(origin, '');
    const line = `${init.method} ${path.replace(base, '').replace(/\?.*/, '')}`;
    const index = this.#pendingConditions.findIndex(({ on }) => targets[on].test(line));
    const condition = index < 0 ? undefined : this.#pendingConditions.splice(index, 1)[0]?.condition;
    if (condition) this.injected[condition] = (this.injected[condition] ?? 0) + 1;
    this.log.push(`${line}${condition ? ` (${condition})` : ''}`);
    const signal = init.signal as AbortSignal;
    return new Promise<Response>((resolve, reject) => {
      const fail = () => reject(new TypeError('failed to fetch'));
      this.#underWay.add(fail);
      const abort = () => reject(signal.reason);
      signal.addEventListener('abort', abort);
      this.#answer(path, line, init, condition)
        .then((response) => (response ? resolve(response) : undefined), fail)
        .finally(() => this.#underWay.delete(fail));
    });
  }

  /** Returns the response that arrives; undefined if none arrives. */
  async #answer(path: string, line: string, init: RequestInit, condition: NetworkCondition | undefined) {
    const cut = () => Promise.reject(new TypeError('reset'));
    const cuts = this.#cuts;
    await nextMacrotask();
    if (this.#isDown || !navigator.onLine || condition === 'dropRequest') return cut();
    if (condition && condition in answers) return answers[condition as keyof typeof answers]();
    const slept = this.#slept;
    if (condition === 'slowRequest') await new Promise((resolve) => setTimeout(resolve, 3_000));
    // No network keeps a request for as long as a device is closed.
    if (slept !== this.#slept) return cut();
    // A plain server cannot distinguish a request that arrives after its connection was cut from the second attempt.
    if (this.isPlain && cuts !== this.#cuts) return cut();
    // Aborted by the browser before it was sent.
    if (init.signal?.aborted) return cut();
    if (this.#isDown) return cut();
    // A plain server would store it twice, and the client cannot prevent that.
    if (condition === 'duplicate' && (!this.isPlain || init.method === 'GET'))
      await this.#forward(path, line, init);
    const response = await this.#forward(path, line, init);
    if (condition === 'silence') return undefined;
    if (condition === 'slowResponse') await new Promise((resolve) => setTimeout(resolve, 3_000));
    if (condition === 'dropResponse') return cut();
    if (line.endsWith('/listen') && response.ok) return this.#stream(response, init.signal as AbortSignal);
    const text = await response.text();
    const head = { status: response.status, headers: response.headers };
    if (condition === 'truncated') return new Response(text.slice(0, text.length / 2), head);
    if (condition === 'garbage') return new Response('{"message":', head);
    if (condition === 'empty') return new Response('', head);
    return new Response(text, head);
  }

  /** Passes the request to the server. */
  async #forward(path: string, line: string, init: RequestInit): Promise<Response> {
    const headers = new Headers(init.headers);
    const key = headers.get('x-user-key') ?? '';
    if (this.isPlain && line === 'GET /webchat') return Response.json({}, { status: 404 });
    if (this.isPlain) headers.delete('idempotency-key');
    const isForgotten = line.endsWith('/listen') && this.unresumableStreams-- > 0;
    if (this.isPlain || isForgotten) headers.delete('last-event-id');
    this.#requestsAtServer++;
    try {
      const response = await this.server.fetch(path, { ...init, headers, signal: null });
      if (line === 'POST /messages' && response.ok) {
        const { conversationId, payload } = JSON.parse(String(init.body));
        this.conversations.set(conversationId, key);
        const typed = this.typed.find(({ text }) => text === preview(payload));
        if (typed) typed.isStored = true;
        const isOtherUser = typed?.namedUserKey ? typed.namedUserKey !== key : this.named.has(key);
        if (typed && isOtherUser) this.sentAsAnotherUser.push(typed.text);
      }
      return response;
    } finally {
      this.#requestsAtServer--;
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
            // Already closed.
          }
        };
        signal.addEventListener('abort', stream.cut);
        this.#streams.add(stream);
        void (async () => {
          for (;;) {
            const chunk = await reader?.read();
            if (!chunk || chunk.done) break;
            if (isSilent) continue;
            for (const frame of this.relay?.(chunk.value) ?? [chunk.value]) {
              const text = new TextDecoder().decode(frame);
              out.enqueue(this.isPlain ? new TextEncoder().encode(text.replace(/^id: .*\n/gm, '')) : frame);
            }
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

/** Sets `navigator.onLine` and fires the event. */
export function setOnline(online: boolean): void {
  isOnline = online;
  dispatchEvent(new Event(online ? 'online' : 'offline'));
}
