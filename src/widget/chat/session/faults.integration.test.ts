// @vitest-environment jsdom
// Model-based test of the session: random actions of the visitor, tabs, network, server and clock. In each settled state
// every message is stored and shown once, in order. Repeat a run with `SEED=… FAULT_PATH=… npx vitest run faults`.
import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { preview } from '../../../protocol/message.ts';
import {
  advanceClock,
  advanceUntilSettled,
  FaultFixture,
  importSession,
  type NetworkCondition,
  networkConditions,
  setOnline,
  type Tab,
  type Target,
  targets,
} from './testing.ts';

const runs = Number(process.env.FAULT_RUNS ?? 30);
await importSession();
const seed = Number(process.env.SEED ?? 1);
const path = process.env.FAULT_PATH === undefined ? {} : { path: process.env.FAULT_PATH };

/** The model is empty: the fixture records the typed messages and their outcome. */
type Model = Record<string, never>;
type Step = fc.AsyncCommand<Model, FaultFixture>;

/** A step; its name is printed when a run fails. */
function step(
  name: string,
  run: (fixture: FaultFixture) => unknown,
  check = (_: FaultFixture) => true,
): Step {
  return {
    check: () => true,
    async run(_, fixture) {
      if (!check(fixture)) return;
      fixture.steps.push(name);
      await run(fixture);
    },
    toString: () => name,
  };
}

const alive = ({ tabs }: FaultFixture) => tabs.filter(({ isAlive }) => isAlive);
const tabAt = (fixture: FaultFixture, at: number): Tab => {
  const tabs = alive(fixture);
  return tabs[at % tabs.length] ?? fixture.open();
};
const at = fc.nat({ max: 2 });

const type = fc.tuple(at, fc.integer({ min: 1, max: 4 })).map(([at, count]) =>
  step(`type ${count} in ${at}`, (fixture) => {
    for (let i = 0; i < count; i++) fixture.type(tabAt(fixture, at));
  }),
);
const askStream = at.map((at) =>
  step(`ask for a stream in ${at}`, (fixture) => fixture.type(tabAt(fixture, at), 'stream ')),
);
const elsewhere = fc.constant(
  step('write from elsewhere', async (fixture) => {
    const { userKey, conversationId } = fixture.stored;
    if (!userKey || !conversationId) return;
    const payload = { type: 'text' as const, text: `elsewhere ${fixture.steps.length}` };
    await advanceUntilSettled(
      fixture
        .direct(userKey)
        .createMessage({ conversationId, payload })
        .catch(() => {}),
    );
  }),
);
const injectConditions = fc
  .tuple(
    fc.constantFrom(...(Object.keys(targets) as Target[])),
    fc.constantFrom(...networkConditions),
    fc.integer({ min: 1, max: 4 }),
  )
  .map(([on, condition, count]) =>
    step(`${condition} for ${count} of ${on}`, (fixture) => {
      for (let i = 0; i < count; i++) fixture.inject(on, condition as NetworkCondition);
    }),
  );
/** A condition that takes effect at once: a message is typed under it, or a stream is cut and opened again under it. */
const typeIn = fc
  .tuple(at, fc.constantFrom(...networkConditions), fc.integer({ min: 1, max: 4 }))
  .map(([at, condition, count]) =>
    step(`type in ${at} under ${count} of ${condition}`, (fixture) => {
      for (let i = 0; i < count; i++) fixture.inject('send', condition);
      fixture.type(tabAt(fixture, at));
    }),
  );
const reopenIn = fc
  .tuple(
    fc.constantFrom<Target>('listen', 'list'),
    fc.constantFrom(...networkConditions),
    fc.integer({ min: 1, max: 3 }),
  )
  .map(([on, condition, count]) =>
    step(`cut, and ${condition} for ${count} of ${on}`, async (fixture) => {
      for (let i = 0; i < count; i++) fixture.inject(on, condition);
      await fixture.cut();
      await advanceClock(2_000, 50);
    }),
  );
const cut = fc.constant(step('cut', (fixture) => fixture.cut()));
const silence = fc.constant(step('streams fall silent', (fixture) => fixture.silence()));
const restartServer = fc.constant(step('the server starts again', (fixture) => fixture.restart()));
const offline = fc.constant(
  step('offline', async (fixture) => {
    await fixture.cut();
    setOnline(false);
  }),
);
const online = fc.constant(step('online', () => setOnline(true)));
const reload = fc
  .tuple(at, fc.boolean())
  .map(([at, isOpen]) =>
    step(`reload ${at}, ${isOpen ? 'open' : 'closed'}`, (fixture) =>
      loadAgain(fixture, tabAt(fixture, at), isOpen),
    ),
  );
function loadAgain(fixture: FaultFixture, tab: Tab, isOpen: boolean): void {
  tab.close();
  fixture.open({ isOpen });
}
/** The server cannot replay what a stream has missed, so the session must list it. */
const forget = fc.integer({ min: 1, max: 3 }).map((count) =>
  step(`cut, and ${count} streams go on anywhere`, async (fixture) => {
    fixture.unresumableStreams = count;
    await fixture.cut();
    await advanceClock(2_000, 50);
  }),
);
const openTab = fc.boolean().map((isOpen) =>
  step(`another tab, ${isOpen ? 'open' : 'closed'}`, (fixture) => {
    // Two tabs that start at the same time on a plain server create two users: it has no idempotency keys.
    const max = fixture.isPlain ? 1 : Number(process.env.TABS ?? 1);
    if (alive(fixture).length < max) fixture.open({ isOpen });
  }),
);
const toggle = at.map((at) =>
  step(`toggle the window of ${at}`, (fixture) => fixture.toggle(tabAt(fixture, at))),
);
const restart = at.map((at) =>
  step(`a new conversation in ${at}`, (fixture) => {
    const tab = tabAt(fixture, at);
    fixture.allowMissing();
    tab.session.ask('restartConversation').catch(() => {});
  }),
);
const switchUser = at.map((at) =>
  step(`another user in ${at}`, async (fixture) => {
    const tab = tabAt(fixture, at);
    const { key } = await advanceUntilSettled(fixture.server.user({ name: 'Named' }));
    fixture.named.add(key);
    fixture.allowMissing();
    fixture.namedUserKey = key;
    // A message typed before the switch completes may belong to either user. It is sent as neither, so it may be missing.
    const end = () => fixture.allowMissing(({ isStored }) => !isStored);
    tab.session.ask('updateUser', { userKey: key }).then(end, end);
  }),
);
const deleteUser = fc.constant(
  step('the user is deleted', async (fixture) => {
    const { userKey } = fixture.stored;
    // A named user is not replaced.
    if (!userKey || fixture.named.has(userKey)) return;
    await advanceUntilSettled(
      fixture
        .direct(userKey)
        .deleteUser({})
        .catch(() => {}),
    );
    fixture.allowMissing(({ isStored }) => isStored);
  }),
);
const deleteConversation = fc.constant(
  step('the conversation is deleted', async (fixture) => {
    const { userKey, conversationId: id } = fixture.stored;
    if (!userKey || !id) return;
    await advanceUntilSettled(
      fixture
        .direct(userKey)
        .deleteConversation({ id })
        .catch(() => {}),
    );
    fixture.allowMissing(({ isStored }) => isStored);
  }),
);
const retry = at.map((at) =>
  step(`try again in ${at}`, (fixture) => {
    const tab = tabAt(fixture, at);
    for (const row of fixture.unsent(tab))
      if (isSafe(fixture, preview(row.payload))) tab.session.retry(row.key);
  }),
);
const discard = at.map((at) =>
  step(`discard in ${at}`, (fixture) => {
    const tab = tabAt(fixture, at);
    const row = fixture.unsent(tab).find(({ status }) => status === 'failed');
    if (!row) return;
    fixture.allowMissing(({ text }) => text === preview(row.payload));
    tab.session.discard(row.key);
  }),
);
const wake = fc.constant(
  step('the page wakes', () => {
    document.dispatchEvent(new Event('visibilitychange'));
    dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }));
  }),
);
const sleep = fc
  .constantFrom(60_000, 3_600_000, 25 * 3_600_000)
  .map((ms) => step(`the laptop is closed for ${ms / 1_000} s`, (fixture) => fixture.sleep(ms)));
const skew = fc
  .constantFrom(-3_600_000, 3_600_000)
  .map((ms) =>
    step(`the visitor's clock is set by ${ms / 1_000} s`, () => void vi.setSystemTime(Date.now() + ms)),
  );
const wait = fc
  .constantFrom(5, 50, 500, 5_000, 50_000)
  .map((ms) => step(`wait ${ms} ms`, () => advanceClock(ms, ms > 1_000 ? 250 : 5)));
const rest = fc.constant(step('rest', settle));

/** A plain server stores a repeated message twice, so a test does not retry a stored one. */
const isSafe = (fixture: FaultFixture, text: string) =>
  !fixture.isPlain || !fixture.typed.some((typed) => typed.text === text && typed.isStored);

/** The rows that a tab shows as stored, and the messages on the server. */
async function compare(fixture: FaultFixture, tab: Tab) {
  const { store, session } = tab;
  const id = await advanceUntilSettled(session.context.getConversationId().catch(() => ''));
  const messages = (id && (await fixture.messages(session.context.client.userKey, id))) || [];
  const shown = store.state.rows.filter((row) => row.id);
  // Pages that were not requested are not missing.
  const expected = store.state.history === 'more' ? messages.slice(-Math.max(50, shown.length)) : messages;
  return { id, messages, shown, expected };
}

async function isQuiet(fixture: FaultFixture): Promise<boolean> {
  for (const tab of alive(fixture)) {
    if (tab.store.state.connection !== 'online') return false;
    const { shown, expected } = await compare(fixture, tab);
    if (shown.length !== expected.length) return false;
    if (tab.store.state.rows.some(({ status }) => status === 'sending' || status === 'streaming'))
      return false;
    if (!fixture.isPlain && fixture.unsent(tab).length > 0) return false;
  }
  return true;
}

/** Clears all conditions, advances the clock, retries failed messages; then checks the invariants. */
async function settle(fixture: FaultFixture): Promise<void> {
  fixture.clearConditions();
  setOnline(true);
  for (const tries of [0, 1]) {
    for (let waited = 0; waited < 400_000 && !(await isQuiet(fixture)); waited += 4_000)
      await advanceClock(4_000, 250);
    if (tries || fixture.isPlain) break;
    for (const tab of alive(fixture)) for (const row of fixture.unsent(tab)) tab.session.retry(row.key);
  }
  // Completes late effects: time-outs, retries, the watchdog of a silent stream.
  await advanceClock(100_000, 2_000);
  for (const tab of alive(fixture)) await checkInvariants(fixture, tab);
  await checkTypedMessages(fixture);
}

async function checkInvariants(fixture: FaultFixture, tab: Tab): Promise<void> {
  const { state } = tab.store;
  const { id, messages, shown, expected } = await compare(fixture, tab);
  expect(state.connection, 'the connection').toBe('online');
  expect(
    shown.map(({ payload }) => preview(payload)),
    'the rows are the stored messages, in order',
  ).toEqual(expected.map(({ payload }) => preview(payload)));
  expect(shown.map((row) => row.id)).toEqual(expected.map((message) => message.id));
  const local = state.rows.filter((row) => !row.id).map(({ side, status }) => `${side} ${status}`);
  const allowed = fixture.isPlain ? /^visitor (failed|queued)$|^bot aborted$/ : /^bot aborted$/;
  expect(
    local.filter((line) => !allowed.test(line)),
    'rows that are not stored',
  ).toEqual([]);
  expect(new Set(tab.reported).size, 'no message is reported twice').toBe(tab.reported.length);
  const before = tab.lastSettled.get(id);
  if (before) {
    const fresh = messages.filter((message) => !before.has(message.id)).map((message) => message.id);
    const reported = tab.reported.filter((id) => fresh.includes(id));
    expect(reported.toSorted(), 'each message since the last settled state was reported').toEqual(
      fresh.toSorted(),
    );
    // An own message may be reported before an earlier one, because its response does not arrive by the stream.
    const bots = (ids: string[]) =>
      ids.filter((id) => shown.some((row) => row.id === id && row.side === 'bot'));
    expect(bots(reported), "the bot's messages are reported in order").toEqual(bots(fresh));
  }
  tab.lastSettled = new Map([[id, new Set(messages.map((message) => message.id))]]);
  if (tab.widget.isOpen) expect(tab.unread, 'unread in an open window').toBe(0);
  else if (tab.isOnlyReader && id === fixture.stored.conversationId) {
    const { readAt = '' } = fixture.stored;
    const bots = shown.filter((row) => row.side === 'bot' && row.createdAt > readAt);
    expect(tab.unread, 'unread').toBe(bots.length);
  }
}

async function checkTypedMessages(fixture: FaultFixture): Promise<void> {
  const stored = await fixture.storedTexts();
  const visible = alive(fixture).flatMap((tab) => fixture.unsent(tab).map(({ payload }) => preview(payload)));
  const count = (list: string[], text: string) => list.filter((other) => other === text).length;
  const lost = fixture.typed.filter(
    ({ text, mayBeMissing }) => !mayBeMissing && count(stored, text) === 0 && count(visible, text) === 0,
  );
  expect(
    lost.map(({ text }) => text),
    'lost',
  ).toEqual([]);
  expect(
    fixture.typed.filter(({ text }) => count(stored, text) > 1).map(({ text }) => text),
    'stored twice',
  ).toEqual([]);
  // With several tabs, one may take over the user whom another has logged in, together with its unsent text.
  if (fixture.tabs.length === 1) {
    expect(fixture.sentAsAnotherUser, 'sent as another user').toEqual([]);
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
  ['the full server', false],
  ['a plain Chat API server', true],
] as const)(
  '%s: no message is lost, stored twice or out of order',
  async (_, isPlain) => {
    const often = [type, type, typeIn, typeIn, typeIn, reopenIn, reopenIn, elsewhere, wait, wait];
    const seldom = [
      askStream,
      injectConditions,
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
        const fixture = await FaultFixture.start({ isPlain });
        try {
          fixture.open();
          await fc.asyncModelRun(() => ({ model: {}, real: fixture }), commands);
          await settle(fixture);
        } finally {
          for (const [kind, count] of Object.entries(fixture.injected)) tally(kind, count);
          tally('typed', fixture.typed.length);
          await fixture.end();
        }
      }),
      { numRuns: runs, seed, ...path, endOnFailure: !process.env.SHRINK },
    );
    if (process.env.FAULT_RUNS) console.log(_, injected);
  },
  3_600_000,
);
