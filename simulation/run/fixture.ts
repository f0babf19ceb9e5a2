// One run: a clock, a server on a database, browsers with tabs, the bot and the members of the inbox, and what is known of each
// message that somebody has typed.
import type { Database } from '../../src/server/storage/database.ts';
import { Browser } from '../browser/browser.ts';
import { Network } from '../browser/network.ts';
import { Page } from '../browser/page.ts';
import { Tab } from '../browser/tab.ts';
import { Clock } from '../engine/clock.ts';
import { createRandom, type Random } from '../engine/random.ts';
import { epoch, type Realm } from '../engine/realm.ts';
import { evaluateTab } from '../product/evaluate.ts';
import { type BotRun, createBot } from '../server/bot.ts';
import { base, type Engine, origin, secret } from '../server/engine.ts';
import { ServerProcess } from '../server/process.ts';
import { userIdOf, wordOf } from './names.ts';
import type { Schedule } from './schedule.ts';

/** A message that a visitor has typed. */
export interface Typed {
  text: string;
  browser: string;
  tab: string;
  /** The number of the named user; undefined for an anonymous visitor. */
  user: number | undefined;
  /** While the page changes its user, the next one: a message that is typed after that belongs to either. */
  nextUser: number | undefined;
  /** The server has said that it is stored. */
  isAcknowledged: boolean;
  /** Somebody has given it up: it may be missing, but it is stored once at most. */
  mayBeMissing: boolean;
  /** Another tab may send it again, in the next conversation or as another visitor. */
  mayBeRepeated: boolean;
  /** It has failed and was sent again by hand, or was discarded in one of several tabs: it may follow later ones. */
  isRetried: boolean;
  /** The page had not said whose it is: after the page, or once another one has a user, it is of nobody. */
  isOfUnknown: boolean;
  /** The server may refuse it, because the message whose place it takes is gone. */
  mayBeRefused: boolean;
}

const browserCount = 2;

export class Fixture {
  readonly random: Random;
  readonly browsers: Browser[];
  readonly processes: ServerProcess[] = [];
  readonly network: Network;
  readonly tabs: Tab[] = [];
  readonly typed: Typed[] = [];
  readonly runs: BotRun[] = [];
  /** The user whom a page of a browser has identified last: its number, its key and the tab. */
  readonly named = new Map<string, { user: number; key: string; tab: Tab }>();
  /** The keys of all named users, by their number. */
  readonly namedKeys = new Map<string, number>();
  /** The user whom the site has named to a page that has asked. */
  readonly answers = new Map<string, number | undefined>();
  /** The browsers whose page has identified another user, or has logged out, and waits for the chat: how often. */
  readonly switching = new Map<string, number>();
  /** Errors that were thrown where nobody waits for them. */
  readonly uncaught: string[] = [];
  /** Broken invariants that were noticed on the way. */
  readonly broken: string[] = [];
  /** A later message has replaced one that the bot had not handled. */
  mayBeUnhandled = false;
  relayFaults: ('lost' | 'doubled' | 'held')[] = [];
  db!: Database;
  #routed = 0;
  #pages = 0;
  #starts = 0;

  readonly engine: Engine;
  readonly schedule: Schedule;
  readonly clock: Clock;

  private constructor(engine: Engine, schedule: Schedule, clock: Clock) {
    this.engine = engine;
    this.schedule = schedule;
    this.clock = clock;
    this.random = createRandom(schedule.seed);
    this.browsers = Array.from({ length: browserCount }, (_, n) => new Browser(`browser ${n}`));
    const server = {
      route: () => this.route(),
      onAnswer: (line: string, init: RequestInit, response: Response) => this.#answered(line, init, response),
    };
    this.network = new Network(server, this.random.fork('network'), base);
    this.network.isPlain = schedule.isPlain;
  }

  static async start(engine: Engine, schedule: Schedule): Promise<Fixture> {
    const clock = new Clock();
    engine.clock = clock;
    clock.time = engine.startTime;
    const fixture = new Fixture(engine, schedule, clock);
    const slot = engine.slot(0);
    slot.realm = engine.realm('database', schedule.seed, fixture.onError);
    for (const { exports } of engine.slots) exports.forgetLastId();
    fixture.db = await clock.until(engine.open());
    const hub = slot.exports.createMemoryRelayHub();
    hub.fate = () => fixture.relayFaults.shift() ?? 'arrives';
    for (let n = 0; n < schedule.processes; n++) {
      const own = engine.slot(n + 1);
      const process: ServerProcess = new ServerProcess(`process ${n}`, {
        exports: own.exports,
        db: fixture.db,
        connect: schedule.processes > 1 ? () => hub.connect() : undefined,
        createRealm: () =>
          engine.realm(`process ${n}, start ${fixture.#starts++}`, schedule.seed, fixture.onError),
        setRealm: (realm) => {
          own.realm = realm;
        },
        settings: engine.settings(),
        wiring: {
          ...engine.wiring(),
          // Polls are a third of the work of two idle processes. Each wake-up that is lost shows itself all the same.
          ...(schedule.processes > 1 ? { sharedEvents: { poll: 5_000 } } : {}),
          bot: own.exports.inProcess(createBot(fixture.runs, () => own.realm)),
        },
        onGone: () => fixture.network.cut((connection) => connection.process === process.name),
      });
      fixture.processes.push(process);
    }
    fixture.releaseRelay = () => hub.release();
    await fixture.startServers();
    return fixture;
  }

  /** Delivers what the relay has held. */
  releaseRelay = (): void => {};

  onError = (realm: string, error: unknown): void => {
    this.uncaught.push(
      `${realm}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    );
  };

  async startServers(): Promise<void> {
    for (const process of this.processes) {
      process.thaw();
      await this.clock.until(process.start());
    }
  }

  /** A process that takes connections, each in turn. */
  route(): ServerProcess | undefined {
    const ready = this.processes.filter(({ isRunning, state }) => isRunning || state === 'frozen');
    return ready[this.#routed++ % ready.length];
  }

  get alive(): Tab[] {
    return this.tabs.filter(({ isAlive }) => isAlive);
  }

  /** The tab with this number, or a new one if there is none. */
  anyTab(at: number): Tab {
    const { alive } = this;
    return alive[at % alive.length] ?? this.open(this.browser(at));
  }

  /** The same, for an action of the visitor: a tab that was frozen is shown and goes on. */
  tab(at: number): Tab {
    const tab = this.anyTab(at);
    tab.thaw();
    return tab;
  }

  /** The other open tabs of its browser. */
  othersOf(tab: Tab): Tab[] {
    return this.alive.filter((other) => other !== tab && other.page.browser === tab.page.browser);
  }

  browser(at: number): Browser {
    return this.browsers[at % this.browsers.length] as Browser;
  }

  open(browser: Browser, { isOpen = true, sessionItems = new Map<string, string>() } = {}): Tab {
    const name = `tab ${this.#pages++} of ${browser.name}`;
    const realm = this.engine.realm(name, this.schedule.seed, this.onError);
    realm.skew = browser.skew;
    const page = new Page(realm, browser, this.network, sessionItems);
    const named = this.named.get(browser.name);
    // Messages of another user are not restored, so they are not sent. Without storage, another tab is another visitor.
    this.allowMissing(
      (typed) =>
        typed.browser === browser.name &&
        (browser.hasLostRecords || typed.isOfUnknown || typed.user !== named?.user),
    );
    const tab = new Tab({
      exports: evaluateTab(this.engine.scripts, page.globals()),
      page,
      chatUrl: `${origin}${base}`,
      isOpen,
      userKey: this.schedule.isAsked ? undefined : named?.key,
      getUserKey: this.schedule.isAsked ? () => this.#askSite(browser, realm) : undefined,
    });
    const others = this.othersOf(tab);
    if (browser.hasLostRecords && others.length > 0) this.allowRepeated(browser.name);
    tab.isAlone = others.length === 0;
    for (const other of others) other.isAlone = false;
    this.tabs.push(tab);
    tab.act(({ session }) => session.start());
    return tab;
  }

  type(tab: Tab, word: string, supersedes?: string): void {
    const { browser, realm } = tab.page;
    const text = `${word} ${wordOf(browser.name)} m${this.typed.length}`;
    const named = this.named.get(browser.name)?.user;
    const isSwitching = this.switching.has(browser.name);
    const { userKey } = tab.session.context.client;
    const key = userKey ?? tab.widget.user.userKey ?? tab.record.userKey ?? '';
    const isOfUnknown = this.schedule.isAsked === true && userKey === undefined;
    // The visitor is the one whom the site has named to the page, or would name now; while that changes, either one.
    const site = this.answers.has(realm.name) ? this.answers.get(realm.name) : named;
    const ofPage = isOfUnknown ? (isSwitching ? undefined : site) : this.namedKeys.get(key);
    // A tab that finds its record cleared takes that for a logout, also of a message that it has just received.
    const user = browser.hasLostRecords ? undefined : ofPage;
    // Nothing but this page knows it, and the next record that another tab writes takes the place of its own.
    const isOfOnePage = browser.storageState !== 'usable' && browser.pages.size > 1;
    // Of another user than that of the site, or of either one: it is sent as neither then.
    const isOfAnother = isSwitching || ofPage !== named;
    this.typed.push({
      text,
      browser: browser.name,
      tab: realm.name,
      user,
      nextUser: isSwitching ? named : user,
      isAcknowledged: false,
      mayBeMissing: isOfAnother || isOfOnePage || (isOfUnknown && browser.pages.size > 1),
      mayBeRepeated: false,
      isRetried: false,
      isOfUnknown,
      mayBeRefused: supersedes !== undefined,
    });
    tab.act(({ session }) => session.send({ type: 'text', text }, undefined, supersedes));
  }

  /** Allows the messages that fit, and that the server has not acknowledged, to be missing. */
  allowMissing(fits: (typed: Typed) => boolean): void {
    for (const typed of this.typed) if (!typed.isAcknowledged && fits(typed)) typed.mayBeMissing = true;
  }

  /** Another tab, of the next conversation or of another visitor, sends what it has found as unsent, when it likes. */
  allowRepeated(browser: string): void {
    for (const typed of this.typed)
      if (typed.browser === browser && !typed.isAcknowledged) typed.mayBeRepeated = typed.isRetried = true;
  }

  /** The messages of a browser are deleted, or were never sent. */
  giveUp(browser: string): void {
    for (const typed of this.typed) if (typed.browser === browser) typed.mayBeMissing = true;
  }

  process(at: number): ServerProcess {
    return this.processes[at % this.processes.length] as ServerProcess;
  }

  /** The site answers a page with a key that it has just signed for its user. */
  #askSite({ name }: Browser, realm: Realm): Promise<string | null> {
    return new Promise((resolve) => {
      realm.after(50, () => {
        const named = this.named.get(name);
        this.answers.set(realm.name, named?.user);
        resolve(named ? this.signedKey(userIdOf(name, named.user), named.user) : null);
      });
    });
  }

  /** A key that the application of the site has signed for one of its users. */
  signedKey(id: string, user: number): string {
    const { exports } = this.engine.slot(0);
    const key = exports.createUserKeys(secret).sign(id, { iat: this.now() / 1_000 });
    this.namedKeys.set(key, user);
    return key;
  }

  async post(
    path: string,
    headers: Record<string, string>,
    body: unknown,
    method = 'POST',
  ): Promise<{ status: number; body: unknown }> {
    const all = { ...headers, 'content-type': 'application/json' };
    const response = await this.direct(path, { method, headers: all, body: JSON.stringify(body) });
    return { status: response.status, body: await response.json().catch(() => ({})) };
  }

  /** A member of the inbox acts in a conversation. What is refused has no effect. */
  async member(at: number, how: 'take' | 'reply' | 'return' | 'close', id: string): Promise<void> {
    const { memberTokens, workspaceId } = this.engine;
    const headers = {
      authorization: `Bearer ${memberTokens[at % memberTokens.length]}`,
      'x-workspace-id': workspaceId,
    };
    const path = `/v1/inbox/conversations/${id}`;
    if (how !== 'reply') return void (await this.post(`${path}/${how}`, headers, {}));
    const payload = { type: 'text', text: `reply ${this.clock.ran}` };
    await this.post(`${path}/replies`, headers, { payload, seenSeq: 1_000_000 });
  }

  /** The visitor's rows of a tab that are not on the server. */
  unsent = (tab: Tab) => tab.store.state.rows.filter((row) => !row.id && row.side === 'visitor');

  /** The visitor tries again what a tab could not send. */
  retry(tab: Tab): void {
    for (const { key, status, payload } of this.unsent(tab)) {
      const typed = this.typed.find(({ text }) => 'text' in payload && payload.text === text);
      if (typed && status === 'failed') typed.isRetried = true;
      tab.act(({ session }) => session.retry(key));
    }
  }

  /** A request that no fault concerns, repeated until a process has answered. */
  async direct(path: string, init: RequestInit & { headers: Record<string, string> }): Promise<Response> {
    for (let tries = 0; tries < 40; tries++) {
      const process = this.processes.find(({ isRunning }) => isRunning);
      const answer = process?.fetch(path, init).catch(() => undefined);
      if (!answer) await this.startServers();
      else {
        let response: Response | undefined;
        void answer.then((value) => {
          response = value;
        });
        await this.clock.advance(5_000, () => response !== undefined || !process?.isRunning);
        if (response) return response;
      }
    }
    throw new Error(`No process answers ${path}.`);
  }

  #answered(line: string, init: RequestInit, response: Response): void {
    if (line !== 'POST /messages' || !response.ok) return;
    const { payload } = JSON.parse(String(init.body)) as { payload: { text: string } };
    const typed = this.typed.find(({ text }) => text === payload.text);
    if (!typed) return;
    typed.isAcknowledged = true;
    const user = this.namedKeys.get(new Headers(init.headers).get('x-user-key') ?? '');
    if (typed.user !== undefined && user !== typed.user && user !== typed.nextUser)
      this.broken.push(`sent as another user: ${typed.text}`);
  }

  /** The time by the clock of the server. */
  now = (): number => Math.floor(epoch + this.clock.time);

  async end(): Promise<void> {
    for (const tab of this.tabs) tab.page.end();
    for (const process of this.processes) process.kill();
    await this.clock.until(this.db.close());
    this.engine.slot(0).realm.end();
  }
}
