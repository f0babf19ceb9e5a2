// @vitest-environment jsdom
// The session under chance: a visitor, their tabs, the network, the server and the clock do what they like; when all is
// quiet again, every word is there once and in order. Repeat a run with `SEED=… FAULT_PATH=… npx vitest run faults`.
import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { preview } from '../../../protocol/message.ts';
import {
  during,
  pass,
  setOnline,
  type Tab,
  type Target,
  targets,
  type Weather,
  World,
  weathers,
} from './testing.ts';

const runs = Number(process.env.FAULT_RUNS ?? 30);
// Loaded before the clock stands still.
await import('./session.ts');
const seed = Number(process.env.SEED ?? 1);
const path = process.env.FAULT_PATH === undefined ? {} : { path: process.env.FAULT_PATH };

/** The model has nothing of its own: what was typed, and what became of it, the world knows. */
type Model = Record<string, never>;
type Step = fc.AsyncCommand<Model, World>;

/** A step, as it is printed when a run fails. */
function step(name: string, run: (world: World) => unknown, check = (_: World) => true): Step {
  return {
    check: () => true,
    async run(_, world) {
      if (!check(world)) return;
      world.steps.push(name);
      await run(world);
    },
    toString: () => name,
  };
}

const alive = ({ tabs }: World) => tabs.filter(({ isAlive }) => isAlive);
const tabAt = (world: World, at: number): Tab => {
  const tabs = alive(world);
  return tabs[at % tabs.length] ?? world.open();
};
const at = fc.nat({ max: 2 });

const type = fc.tuple(at, fc.integer({ min: 1, max: 4 })).map(([at, count]) =>
  step(`type ${count} in ${at}`, (world) => {
    for (let i = 0; i < count; i++) world.type(tabAt(world, at));
  }),
);
const askStream = at.map((at) =>
  step(`ask for a stream in ${at}`, (world) => world.type(tabAt(world, at), 'stream ')),
);
const elsewhere = fc.constant(
  step('write from elsewhere', async (world) => {
    const { userKey, conversationId } = world.stored;
    if (!userKey || !conversationId) return;
    const payload = { type: 'text' as const, text: `elsewhere ${world.steps.length}` };
    await during(
      world
        .direct(userKey)
        .createMessage({ conversationId, payload })
        .catch(() => {}),
    );
  }),
);
const forecast = fc
  .tuple(
    fc.constantFrom(...(Object.keys(targets) as Target[])),
    fc.constantFrom(...weathers),
    fc.integer({ min: 1, max: 4 }),
  )
  .map(([on, weather, count]) =>
    step(`${weather} for ${count} of ${on}`, (world) => {
      for (let i = 0; i < count; i++) world.forecast(on, weather as Weather);
    }),
  );
/** Weather that is met at once: a message is typed in it, or a stream cut and opened in it. */
const typeIn = fc
  .tuple(at, fc.constantFrom(...weathers), fc.integer({ min: 1, max: 4 }))
  .map(([at, weather, count]) =>
    step(`type in ${at} under ${count} of ${weather}`, (world) => {
      for (let i = 0; i < count; i++) world.forecast('send', weather);
      world.type(tabAt(world, at));
    }),
  );
const reopenIn = fc
  .tuple(
    fc.constantFrom<Target>('listen', 'list'),
    fc.constantFrom(...weathers),
    fc.integer({ min: 1, max: 3 }),
  )
  .map(([on, weather, count]) =>
    step(`cut, and ${weather} for ${count} of ${on}`, async (world) => {
      for (let i = 0; i < count; i++) world.forecast(on, weather);
      world.cut();
      await pass(2_000, 50);
    }),
  );
const cut = fc.constant(step('cut', (world) => world.cut()));
const silence = fc.constant(step('streams fall silent', (world) => world.silence()));
const restartServer = fc.constant(step('the server starts again', (world) => world.restart()));
const offline = fc.constant(
  step('offline', (world) => {
    world.cut();
    setOnline(false);
  }),
);
const online = fc.constant(step('online', () => setOnline(true)));
const reload = fc
  .tuple(at, fc.boolean())
  .map(([at, isOpen]) =>
    step(`reload ${at}, ${isOpen ? 'open' : 'closed'}`, (world) =>
      loadAgain(world, tabAt(world, at), isOpen),
    ),
  );
function loadAgain(world: World, tab: Tab, isOpen: boolean): void {
  tab.vanish();
  world.open({ isOpen });
}
/** The server cannot tell any more what a stream has missed: the session has to list it. */
const forget = fc.integer({ min: 1, max: 3 }).map((count) =>
  step(`cut, and ${count} streams go on anywhere`, async (world) => {
    world.forgets = count;
    world.cut();
    await pass(2_000, 50);
  }),
);
const openTab = fc.boolean().map((isOpen) =>
  step(`another tab, ${isOpen ? 'open' : 'closed'}`, (world) => {
    // Two tabs that begin at the same time on a plain server make two of everything: nothing tells it that they are one.
    const max = world.isPlain ? 1 : Number(process.env.TABS ?? 1);
    if (alive(world).length < max) world.open({ isOpen });
  }),
);
const toggle = at.map((at) => step(`toggle the window of ${at}`, (world) => world.toggle(tabAt(world, at))));
const restart = at.map((at) =>
  step(`a new conversation in ${at}`, (world) => {
    const tab = tabAt(world, at);
    world.excuse();
    tab.session.ask('restartConversation').catch(() => {});
  }),
);
const switchUser = at.map((at) =>
  step(`another user in ${at}`, async (world) => {
    const tab = tabAt(world, at);
    const { key } = await during(world.server.user({ name: 'Named' }));
    world.named.add(key);
    world.excuse();
    world.person = key;
    // What is typed before it is done is not known to be theirs: it goes out as nobody else, so it may go.
    const end = () => world.excuse(({ isStored }) => !isStored);
    tab.session.ask('updateUser', { userKey: key }).then(end, end);
  }),
);
const deleteUser = fc.constant(
  step('the user is deleted', async (world) => {
    const { userKey } = world.stored;
    // Whom the page has named is not replaced.
    if (!userKey || world.named.has(userKey)) return;
    await during(
      world
        .direct(userKey)
        .deleteUser({})
        .catch(() => {}),
    );
    world.excuse(({ isStored }) => isStored);
  }),
);
const deleteConversation = fc.constant(
  step('the conversation is deleted', async (world) => {
    const { userKey, conversationId: id } = world.stored;
    if (!userKey || !id) return;
    await during(
      world
        .direct(userKey)
        .deleteConversation({ id })
        .catch(() => {}),
    );
    world.excuse(({ isStored }) => isStored);
  }),
);
const retry = at.map((at) =>
  step(`try again in ${at}`, (world) => {
    const tab = tabAt(world, at);
    for (const row of world.unsent(tab)) if (isSafe(world, preview(row.payload))) tab.session.retry(row.key);
  }),
);
const discard = at.map((at) =>
  step(`discard in ${at}`, (world) => {
    const tab = tabAt(world, at);
    const row = world.unsent(tab).find(({ status }) => status === 'failed');
    if (!row) return;
    world.excuse(({ text }) => text === preview(row.payload));
    tab.session.discard(row.key);
  }),
);
const wake = fc.constant(
  step('the page wakes', () => {
    document.dispatchEvent(new Event('visibilitychange'));
    dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }));
  }),
);
const sleep = fc.constantFrom(60_000, 3_600_000, 25 * 3_600_000).map((ms) =>
  step(`the laptop is closed for ${ms / 1_000} s`, (world) => {
    world.sleep(ms);
  }),
);
const skew = fc
  .constantFrom(-3_600_000, 3_600_000)
  .map((ms) =>
    step(`the visitor's clock is set by ${ms / 1_000} s`, () => void vi.setSystemTime(Date.now() + ms)),
  );
const wait = fc
  .constantFrom(5, 50, 500, 5_000, 50_000)
  .map((ms) => step(`wait ${ms} ms`, () => pass(ms, ms > 1_000 ? 250 : 5)));
const rest = fc.constant(step('rest', settle));

/** A plain server stores twice what is sent twice: a visitor who presses the button may do so, a test does not. */
const isSafe = (world: World, text: string) =>
  !world.isPlain || !world.typed.some((typed) => typed.text === text && typed.isStored);

/** What a tab shows of the server, and what the server has. */
async function compare(world: World, tab: Tab) {
  const { store, session } = tab;
  const id = await during(session.context.getConversationId().catch(() => ''));
  const messages = (id && (await world.messages(session.context.client.userKey, id))) || [];
  const shown = store.state.rows.filter((row) => row.id);
  // Pages that nobody has asked for are not missing.
  const expected = store.state.history === 'more' ? messages.slice(-Math.max(50, shown.length)) : messages;
  return { id, messages, shown, expected };
}

async function isQuiet(world: World): Promise<boolean> {
  for (const tab of alive(world)) {
    if (tab.store.state.connection !== 'online') return false;
    const { shown, expected } = await compare(world, tab);
    if (shown.length !== expected.length) return false;
    if (tab.store.state.rows.some(({ status }) => status === 'sending' || status === 'streaming'))
      return false;
    if (!world.isPlain && world.unsent(tab).length > 0) return false;
  }
  return true;
}

/** The weather clears, time passes, the visitor tries what failed again; then the laws hold. */
async function settle(world: World): Promise<void> {
  world.clear();
  setOnline(true);
  for (const tries of [0, 1]) {
    for (let waited = 0; waited < 400_000 && !(await isQuiet(world)); waited += 4_000) await pass(4_000, 250);
    if (tries || world.isPlain) break;
    for (const tab of alive(world)) for (const row of world.unsent(tab)) tab.session.retry(row.key);
  }
  // What comes late comes now: time-outs, attempts, the watch over a silent stream.
  await pass(100_000, 2_000);
  for (const tab of alive(world)) await judge(world, tab);
  await judgeTyped(world);
}

async function judge(world: World, tab: Tab): Promise<void> {
  const { state } = tab.store;
  const { id, messages, shown, expected } = await compare(world, tab);
  expect(state.connection, 'the connection').toBe('online');
  expect(
    shown.map(({ payload }) => preview(payload)),
    'what is seen is what is stored, in its order',
  ).toEqual(expected.map(({ payload }) => preview(payload)));
  expect(shown.map((row) => row.id)).toEqual(expected.map((message) => message.id));
  const local = state.rows.filter((row) => !row.id).map(({ side, status }) => `${side} ${status}`);
  const allowed = world.isPlain ? /^visitor (failed|queued)$|^bot aborted$/ : /^bot aborted$/;
  expect(
    local.filter((line) => !allowed.test(line)),
    'what is not stored',
  ).toEqual([]);
  expect(new Set(tab.told).size, 'nothing is told twice').toBe(tab.told.length);
  const before = tab.rested.get(id);
  if (before) {
    const fresh = messages.filter((message) => !before.has(message.id)).map((message) => message.id);
    const told = tab.told.filter((id) => fresh.includes(id));
    expect(told.toSorted(), 'what came since the last rest was told').toEqual(fresh.toSorted());
    // An own message may be told before what was said before it: its answer comes by another way than the stream.
    const bots = (ids: string[]) =>
      ids.filter((id) => shown.some((row) => row.id === id && row.side === 'bot'));
    expect(bots(told), "the bot's are told in their order").toEqual(bots(fresh));
  }
  tab.rested = new Map([[id, new Set(messages.map((message) => message.id))]]);
  if (tab.widget.isOpen) expect(tab.unread, 'unread in an open window').toBe(0);
  else if (tab.isLonely && id === world.stored.conversationId) {
    const { readAt = '' } = world.stored;
    const bots = shown.filter((row) => row.side === 'bot' && row.createdAt > readAt);
    expect(tab.unread, 'unread').toBe(bots.length);
  }
}

async function judgeTyped(world: World): Promise<void> {
  const stored = await world.storedTexts();
  const visible = alive(world).flatMap((tab) => world.unsent(tab).map(({ payload }) => preview(payload)));
  const count = (list: string[], text: string) => list.filter((other) => other === text).length;
  const lost = world.typed.filter(
    ({ text, isExcused }) => !isExcused && count(stored, text) === 0 && count(visible, text) === 0,
  );
  expect(
    lost.map(({ text }) => text),
    'lost',
  ).toEqual([]);
  expect(
    world.typed.filter(({ text }) => count(stored, text) > 1).map(({ text }) => text),
    'doubled',
  ).toEqual([]);
  // With several tabs one may take over the user whom another has logged in, and its unsent text with it.
  if (world.tabs.length === 1) {
    expect(world.trespasses, 'sent as somebody else').toEqual([]);
  }
}

afterEach(() => {
  vi.useRealTimers();
});

const injected: Record<string, number> = {};
const tally = (what: string, count = 1) => {
  injected[what] = (injected[what] ?? 0) + count;
};

test.each([
  ['our server', false],
  ['a plain Chat API server', true],
] as const)(
  '%s: nothing is lost, doubled or out of order',
  async (_, isPlain) => {
    const often = [type, type, typeIn, typeIn, typeIn, reopenIn, reopenIn, elsewhere, wait, wait];
    const seldom = [
      askStream,
      forecast,
      cut,
      silence,
      restartServer,
      offline,
      online,
      reload,
      forget,
      openTab,
      toggle,
      wake,
    ];
    const rarely = [restart, switchUser, deleteUser, deleteConversation, retry, discard, sleep, skew, rest];
    const steps = [...often, ...often, ...seldom, ...seldom, ...rarely];
    await fc.assert(
      fc.asyncProperty(fc.commands(steps, { maxCommands: 25, size: 'max' }), async (commands) => {
        const world = await World.start({ isPlain });
        try {
          world.open();
          await fc.asyncModelRun(() => ({ model: {}, real: world }), commands);
          await settle(world);
        } finally {
          for (const [kind, count] of Object.entries(world.injected)) tally(kind, count);
          tally('typed', world.typed.length);
          await world.end();
        }
      }),
      { numRuns: runs, seed, ...path, endOnFailure: !process.env.SHRINK },
    );
    if (process.env.FAULT_RUNS) console.log(_, injected);
  },
  3_600_000,
);
