// Lets a run come to rest, and checks what must hold then: the faults are over, time passes, and everything that was written has
// arrived where it belongs.

import type { Tab } from '../browser/tab.ts';
import {
  answerFaults,
  handlingFaults,
  leakFaults,
  orderFaults,
  privacyFaults,
  type Shown,
  type Stored,
  screenFaults,
  sequenceFaults,
  silenceFaults,
  stateFaults,
  storageFaults,
  supersededFaults,
  unansweredFaults,
  unfinishedFaults,
  unhandledFaults,
  visitorFaults,
} from '../invariants.ts';
import { base } from '../server/engine.ts';
import type { Fixture } from './fixture.ts';
import { nameOf, wordOf } from './names.ts';

/** Milliseconds in which everything must have come to rest. */
const limitMs = 400_000;
/** Milliseconds in which late effects show: timeouts, retries, the watchdog of a silent stream. */
const lateMs = 50_000;

export const textOf = (payload: unknown): string => {
  const { text, markdown, type } = payload as { text?: string; markdown?: string; type: string };
  return text ?? markdown ?? type;
};

/** Ends all faults, and lets time pass until nothing changes any more. Returns the broken invariants. */
export async function settle(fixture: Fixture): Promise<string[]> {
  fixture.network.clear();
  fixture.relayFaults = [];
  fixture.releaseRelay();
  for (const browser of fixture.browsers) {
    browser.storageState = 'usable';
    setOffline(fixture, browser.name, false);
  }
  for (const tab of fixture.alive) tab.thaw();
  for (const process of fixture.processes) process.spare();
  await fixture.startServers();
  const quietWithin = async (ms: number) => {
    for (let waited = 0, step = 2_000; waited < ms; waited += step) {
      if (await isQuiet(fixture)) return;
      await fixture.clock.advance(step);
      step = Math.min(30_000, step * 1.5);
    }
  };
  await quietWithin(limitMs);
  if (!fixture.network.isPlain) {
    for (const tab of fixture.alive) fixture.retry(tab);
    await quietWithin(limitMs);
  }
  await fixture.clock.advance(lateMs);
  return check(fixture);
}

export function setOffline(fixture: Fixture, name: string, isOffline: boolean): void {
  const { offline } = fixture.network;
  if (offline.has(name) === isOffline) return;
  if (isOffline) offline.add(name);
  else offline.delete(name);
  for (const tab of fixture.alive)
    if (tab.page.browser.name === name) tab.page.dispatch('window', isOffline ? 'offline' : 'online');
}

/** The tabs whose chat was asked for and not left. */
const active = (fixture: Fixture): Tab[] =>
  fixture.alive.filter(({ session }) => session.context.isRequested() && !isRefused(session));

/** A named user whom the server does not know any more is not replaced: only the page can identify another one. */
const isRefused = ({ context }: Tab['session']): boolean => context.store.state.connection === 'refused';

const rows = <Row>(fixture: Fixture, sql: string): Promise<Row[]> =>
  fixture.db.read((tx) => tx.all<Row>(sql));

async function isQuiet(fixture: Fixture): Promise<boolean> {
  for (const tab of active(fixture)) {
    const { connection, rows: shown } = tab.store.state;
    if (connection !== 'online') return false;
    if (shown.some(({ status }) => ['sending', 'queued', 'streaming'].includes(status))) return false;
    const mayBeRefused = (text: string) =>
      fixture.typed.some((typed) => typed.mayBeRefused && typed.text === text);
    if (!fixture.network.isPlain && fixture.unsent(tab).some(({ payload }) => !mayBeRefused(textOf(payload))))
      return false;
  }
  const waiting = await rows(fixture, "SELECT 1 FROM deliveries WHERE state <> 'dead' LIMIT 1");
  if (waiting.length > 0) return false;
  const histories: Histories = new Map();
  for (const tab of active(fixture)) if ((await screenOf(fixture, tab, histories)).length > 0) return false;
  // A request for it may have to time out.
  return (await handlerFaults(fixture)).length === 0;
}

/** The histories that were read, by key and conversation: several tabs show the same one. */
type Histories = Map<string, Promise<Shown[] | undefined>>;

/** The messages of a conversation as its participant can list them, oldest first. */
async function historyOf(fixture: Fixture, key: string, id: string): Promise<Shown[] | undefined> {
  const messages: Shown[] = [];
  let token: string | undefined;
  do {
    const query = token === undefined ? '' : `?nextToken=${encodeURIComponent(token)}`;
    const path = `${base}/conversations/${encodeURIComponent(id)}/messages${query}`;
    const response = await fixture.direct(path, { method: 'GET', headers: { 'x-user-key': key } });
    if (!response.ok) return undefined;
    const page = (await response.json()) as {
      messages: { id: string; payload: unknown; supersededBy?: string }[];
      meta: { nextToken?: string };
    };
    for (const { id, payload, supersededBy } of page.messages)
      if (supersededBy === undefined) messages.push({ id, text: textOf(payload) });
    token = page.meta.nextToken;
  } while (token !== undefined);
  return messages.reverse();
}

async function screenOf(fixture: Fixture, tab: Tab, histories: Histories): Promise<string[]> {
  const { store, session, page } = tab;
  const { name } = page.realm;
  const id = session.context.getConversation()?.id;
  if (store.state.connection !== 'online' || id === undefined)
    return [`screen: ${name} is ${store.state.connection}`];
  const key = session.context.client.userKey ?? '';
  const reading = histories.get(`${key} ${id}`) ?? historyOf(fixture, key, id);
  histories.set(`${key} ${id}`, reading);
  const history = await reading;
  if (!history) return [`screen: ${name} shows a conversation that its user cannot read`];
  const shown = store.state.rows
    .filter((row) => row.id && row.side !== 'activity')
    .map((row) => ({ id: row.id ?? '', text: textOf(row.payload) }));
  return screenFaults(name, shown, history, store.state.history === 'more');
}

/** Returns the broken invariants. */
async function check(fixture: Fixture): Promise<string[]> {
  const stored = await storedMessages(fixture);
  const faults = [...fixture.broken, ...fixture.uncaught.map((line) => `uncaught: ${line}`)];
  const histories: Histories = new Map();
  for (const tab of active(fixture)) {
    faults.push(...(await screenOf(fixture, tab, histories)));
    faults.push(...localFaults(fixture, tab));
    faults.push(...ofVisitor(tab));
  }
  for (const tab of fixture.alive) {
    const { name } = tab.page.realm;
    const browser = wordOf(tab.page.browser.name);
    const texts = tab.store.state.rows.map(({ payload }) => textOf(payload));
    const isForeign = (text: string) => / browser\d /.test(text) && !text.includes(` ${browser} `);
    faults.push(...privacyFaults(name, texts, isForeign));
  }
  faults.push(...hiddenFaults(fixture, stored), ...(await handlerFaults(fixture)));
  const sent = fixture.typed.map((typed) => ({ ...typed, author: typed.tab }));
  faults.push(...storageFaults(sent, stored, storedTexts(fixture)));
  faults.push(
    ...orderFaults(
      sent.filter(({ isRetried }) => !isRetried),
      stored,
    ),
  );
  faults.push(...(await serverFaults(fixture, stored)));
  return faults;
}

/** Each window shows who answers its conversation. */
async function handlerFaults(fixture: Fixture): Promise<string[]> {
  if (fixture.network.isPlain) return [];
  const handlings = await rows<{ id: string; state: string }>(
    fixture,
    'SELECT conversation_id AS id, state FROM handlings',
  );
  // Without the features of the server, for which a tab asks once, it shows nobody.
  const tabs = active(fixture).filter(({ store }) => store.state.webchat !== undefined);
  return tabs.flatMap(({ session, store, page }) => {
    const id = session.context.getConversation()?.id;
    const state = handlings.find((one) => one.id === id)?.state ?? 'bot';
    const shown = store.state.handling?.state;
    return shown === state ? [] : [`person: ${page.realm.name} shows ${shown} instead of ${state}`];
  });
}

/** An open window shows what was written in it, until the server has it. */
function hiddenFaults(fixture: Fixture, stored: readonly Stored[]): string[] {
  return active(fixture).flatMap((tab) => {
    const { name } = tab.page.realm;
    const shown = tab.store.state.rows.map(({ payload }) => textOf(payload));
    return fixture.typed
      .filter((typed) => typed.tab === name && !typed.mayBeMissing && !shown.includes(typed.text))
      .filter(({ text }) => !stored.some((message) => message.text === text))
      .map(({ text }) => `nothing is lost: ${name} does not show “${text}” any more, which is not stored`);
  });
}

/** A tab shows the visitor of the record of its browser. A record that could not be stored is known to one page only. */
function ofVisitor({ page, session, widget }: Tab): string[] {
  const { items, hasLostRecords } = page.browser;
  if (hasLostRecords) return [];
  const { context } = session;
  const shown = { userId: context.identity.userId, conversationId: context.getConversation()?.id };
  return visitorFaults(page.realm.name, shown, JSON.parse(items.get(widget.storageKey) ?? '{}'));
}

/** Rows that are on no server. */
function localFaults(fixture: Fixture, tab: Tab): string[] {
  const allowed = fixture.network.isPlain ? /^visitor (?:failed|queued)$|^bot aborted$/ : /^bot aborted$/;
  const { name } = tab.page.realm;
  const local = tab.store.state.rows
    .filter((row) => !row.id)
    .map(({ side, status, payload }) => [`${side} ${status}`, textOf(payload)] as const);
  const mayBeRefused = fixture.typed.filter((typed) => typed.mayBeRefused).map(({ text }) => text);
  const faults = local
    .filter(
      ([kind, text]) => !allowed.test(kind) && !(kind === 'visitor failed' && mayBeRefused.includes(text)),
    )
    .map(([kind, text]) => `screen: ${name} has a row of ${kind} that is not stored: “${text}”`);
  // Without a record, a page creates its conversation again, is given the one that it has, and takes its messages for new ones.
  if (!tab.page.browser.hasLostRecords && new Set(tab.reported).size !== tab.reported.length)
    faults.push(`events: ${name} has reported a message twice`);
  if (tab.widget.isOpen && tab.unread > 0)
    faults.push(`unread: ${name} counts ${tab.unread} in an open window`);
  return faults;
}

/** A stored message, and whether the visitor has stopped it. */
type StoredMessage = Stored & { isStopped: boolean };

async function storedMessages(fixture: Fixture): Promise<StoredMessage[]> {
  const found = await rows<{
    id: string;
    conversationId: string;
    userId: string;
    isBot: number;
    payload: string;
    metadata: string | null;
    origin: string | null;
    supersededBy: string | null;
    seq: number;
  }>(
    fixture,
    `SELECT id, conversation_id, user_id, is_bot, payload, metadata, origin,
       superseded_by, seq
     FROM messages ORDER BY conversation_id, seq`,
  );
  return found.map(({ isBot, payload, metadata, origin, supersededBy, ...row }) => ({
    ...row,
    isBot: isBot === 1,
    text: textOf(JSON.parse(payload)),
    eventId: isBot === 1 ? origin?.split(':')[0] : undefined,
    isStopped: JSON.parse(metadata ?? '{}').stopped === true,
    supersededBy: supersededBy ?? undefined,
  }));
}

/** The texts of visitors that windows show or browsers keep. */
function storedTexts(fixture: Fixture): string[] {
  const shown = fixture.alive.flatMap((tab) => fixture.unsent(tab).map(({ payload }) => textOf(payload)));
  const storedItems = fixture.browsers.flatMap(({ items }) => [...items.values()]);
  return fixture.typed
    .map(({ text }) => text)
    .filter((text) => shown.includes(text) || storedItems.some((item) => item.includes(`"${text}"`)));
}

async function serverFaults(fixture: Fixture, stored: StoredMessage[]): Promise<string[]> {
  const signals = await rows<{ conversationId: string; seq: number; type: string; data: string | null }>(
    fixture,
    'SELECT conversation_id, seq, type, data FROM signals ORDER BY conversation_id, seq',
  );
  const changes = signals
    .filter(({ type }) => type === 'handling_changed')
    .map((row) => ({ ...row, state: String(JSON.parse(row.data ?? '{}').state) }));
  const removed = new Map<string, number>();
  for (const { type, conversationId } of signals)
    if (type === 'message_deleted') removed.set(conversationId, (removed.get(conversationId) ?? 0) + 1);
  const entries = await rows<{ conversationId: string; seq: number }>(
    fixture,
    `SELECT conversation_id, seq FROM messages UNION SELECT conversation_id, seq FROM events
     UNION SELECT conversation_id, seq FROM signals`,
  );
  const users = await rows<{ id: string | null; name: string }>(
    fixture,
    'SELECT foreign_id AS id, name FROM users WHERE name IS NOT NULL',
  );
  const states = await rows<{ conversationId: string; payload: string }>(
    fixture,
    `SELECT owner_id AS conversation_id, payload FROM states WHERE name = 'latest'`,
  );
  /** The last answer of the bot in each conversation, and the message to which it is one. */
  const last = new Map(
    stored.flatMap(({ conversationId, text }) =>
      text.startsWith('answer to ') && !/^answer to stream/.test(text)
        ? [[conversationId, text.slice('answer to '.length)] as const]
        : [],
    ),
  );
  const isAnsweredByBot = ({ isBot, text, conversationId }: Stored) =>
    !isBot && / browser\d /.test(text) && !changes.some((change) => change.conversationId === conversationId);
  return [
    ...handlingFaults(stored, fixture.runs),
    ...unhandledFaults(fixture.mayBeUnhandled ? [] : stored.filter(isAnsweredByBot), fixture.runs),
    ...answerFaults(stored),
    ...supersededFaults(stored, fixture.runs),
    ...unansweredFaults(
      stored.filter((one) => isAnsweredByBot(one) && isAnswerable(one)),
      stored,
    ),
    ...stateFaults(
      states.map(({ conversationId, payload }) => ({ conversationId, text: JSON.parse(payload).text })),
      last,
    ),
    ...silenceFaults(stored, changes, ({ isStopped }) => isStopped),
    ...sequenceFaults(entries, removed),
    ...users.flatMap(({ id, name }) =>
      privacyFaults(
        `the user ${id}`,
        [name],
        (text) => text.startsWith(nameOf('')) && text !== nameOf(String(id)),
      ),
    ),
    ...unfinishedFaults(
      await rows(fixture, 'SELECT state, count(*) AS count FROM deliveries GROUP BY state'),
    ),
  ];
}

/** The bot answers these words at each attempt, in one message that nobody can stop. */
const isAnswerable = ({ text, supersededBy }: StoredMessage): boolean =>
  supersededBy === undefined && /^(?:echo|slow|twice|elsewhere) /.test(text);

/** Everything that a page still has after its chat was removed. */
export const leaks = (tab: Tab): string[] => leakFaults(tab.page.realm.name, tab.page.left());
