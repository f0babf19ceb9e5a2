// Performs the steps of a schedule.
import type { Tab } from '../browser/tab.ts';
import { base } from '../server/engine.ts';
import type { Fixture } from './fixture.ts';
import { nameOf, userIdOf, wordOf } from './names.ts';
import type { Step, StepName, TabEnd } from './schedule.ts';
import { leaks, setOffline, settle } from './settle.ts';

type Performers = { [Name in StepName]: (fixture: Fixture, step: Extract<Step, { do: Name }>) => unknown };

const maxTabs = 4;
const times = (count: number, run: () => void) => {
  for (let n = 0; n < count; n++) run();
};

/** Ends a page; its chat is checked for what it leaves behind. */
async function end(fixture: Fixture, tab: Tab, how: TabEnd): Promise<void> {
  const { page } = tab;
  const { name } = page.browser;
  // Records that only this page had in its memory are gone.
  if (page.browser.hasLostRecords) fixture.allowMissing((typed) => typed.browser === name);
  if (how === 'destroyed') {
    tab.thaw();
    tab.destroy();
    await fixture.clock.advance(3_000);
    fixture.broken.push(...leaks(tab));
  }
  if (how === 'left') page.dispatch('window', 'pagehide', { persisted: false });
  page.end();
}

const performers: Performers = {
  open(fixture, { browser, isOpen }) {
    if (fixture.alive.length < (fixture.network.isPlain ? 1 : maxTabs))
      fixture.open(fixture.browser(browser), { isOpen });
  },
  end: (fixture, { tab, how }) =>
    fixture.alive.length > 0 ? end(fixture, fixture.anyTab(tab), how) : undefined,
  async reload(fixture, { tab: at, how, isOpen }) {
    const tab = fixture.anyTab(at);
    await end(fixture, tab, how);
    const { browser, sessionItems } = tab.page;
    fixture.open(browser, { isOpen, sessionItems });
  },
  duplicate(fixture, { tab }) {
    if (fixture.alive.length >= (fixture.network.isPlain ? 1 : maxTabs)) return;
    const { browser, sessionItems } = fixture.tab(tab).page;
    fixture.open(browser, { sessionItems: new Map(sessionItems) });
  },
  freeze(fixture, { tab: at, isTold }) {
    const { page } = fixture.tab(at);
    page.isHidden = true;
    if (isTold) {
      page.dispatch('document', 'visibilitychange');
      page.dispatch('document', 'freeze');
    }
    page.realm.freeze();
  },
  thaw(fixture) {
    for (const tab of fixture.alive) tab.thaw();
  },
  hide(fixture, { tab, isHidden }) {
    const { page } = fixture.tab(tab);
    page.isHidden = isHidden;
    page.dispatch('document', 'visibilitychange');
  },
  toggle: (fixture, { tab }) => fixture.tab(tab).act((one) => one.toggle()),
  type(fixture, { tab, word, count, under, times: faults = 1 }) {
    if (under) times(faults, () => fixture.network.plan('send', under));
    const one = fixture.tab(tab);
    times(count, () => fixture.type(one, word));
  },
  draft: (fixture, { tab }) =>
    fixture.tab(tab).act(({ session }) => session.saveDraft(`draft ${fixture.typed.length}`)),
  older: (fixture, { tab }) => fixture.tab(tab).act(({ session }) => session.loadOlder()),
  retry(fixture, { tab }) {
    // A plain server stores it again.
    if (!fixture.network.isPlain) fixture.retry(fixture.tab(tab));
  },
  discard(fixture, { tab: at }) {
    const tab = fixture.tab(at);
    const row = fixture.unsent(tab)[0];
    if (!row) return;
    const { text } = row.payload as { text: string };
    const isShared = fixture.othersOf(tab).length > 0;
    for (const typed of fixture.typed) {
      if (typed.text !== text) continue;
      typed.mayBeMissing = true;
      // Another tab that has restored it is not told, and sends it after what it sends before.
      if (isShared) typed.isRetried = true;
    }
    tab.act(({ session }) => session.discard(row.key));
  },
  restartConversation(fixture, { tab: at }) {
    const tab = fixture.tab(at);
    const { name } = tab.page.browser;
    const begun = fixture.typed.length;
    const end = () => {
      fixture.allowMissing((typed) => typed.browser === name);
      if (fixture.othersOf(tab).length === 0) return;
      fixture.allowRepeated(name);
      // Another tab that has sent one before is in the next conversation, and the one in which it was written knows nothing of it.
      for (const typed of fixture.typed.slice(begun))
        if (typed.browser === name) typed.mayBeRepeated = typed.isRetried = true;
    };
    end();
    tab.act(({ session }) => session.methods.restartConversation().then(end, end));
  },
  login(fixture, { tab: at, user }) {
    const tab = fixture.tab(at);
    const { name } = tab.page.browser;
    const key = fixture.signedKey(userIdOf(name, user), user);
    fixture.named.set(name, { user, key, tab });
    // An earlier answer of the site is not that of this page now.
    fixture.answers.delete(tab.page.realm.name);
    // A message typed before this has ended may belong to either user; then it is sent as neither.
    const end = leaving(fixture, name);
    tab.act(({ session }) => session.methods.updateUser({ userKey: key }).then(end, end));
  },
  logout(fixture, { tab: at }) {
    const tab = fixture.tab(at);
    const { name } = tab.page.browser;
    fixture.named.delete(name);
    // They are asked again.
    for (const { realm } of tab.page.browser.pages) fixture.answers.delete(realm.name);
    const end = leaving(fixture, name);
    tab.act(({ session }) => session.methods.logout().then(end, end));
  },
  siteForgets(fixture, { browser }) {
    // A page that is asked would be of nobody at once.
    if (!fixture.schedule.isAsked) fixture.named.delete(fixture.browser(browser).name);
  },
  async name(fixture, { tab: at, under, isRefused }) {
    const tab = fixture.tab(at);
    const { name } = tab.page.browser;
    const key = tab.session.context.client.userKey ?? '';
    // A page that changes its user speaks of the next one. In another tab nobody can say whose name it is meanwhile.
    const isSwitching = fixture.switching.has(name);
    const next = fixture.named.get(name);
    const user = isSwitching ? (next?.tab === tab ? next.user : undefined) : fixture.namedKeys.get(key);
    // Without the record, a refused user is replaced by an anonymous one.
    if (user === undefined || tab.page.browser.hasLostRecords || !fixture.schedule.isAsked) return;
    if (isRefused && fixture.namedKeys.has(key))
      await fixture.direct(`${base}/users/me/key`, { method: 'DELETE', headers: { 'x-user-key': key } });
    if (under) fixture.network.plan('login', under);
    tab.act(({ session }) => session.methods.updateUser({ name: nameOf(userIdOf(name, user)) }));
  },
  async deleteUser(fixture, { tab }) {
    const { userKey, isNamed } = fixture.anyTab(tab).record;
    // A named user is not replaced.
    if (!userKey || isNamed) return;
    fixture.giveUp(fixture.anyTab(tab).page.browser.name);
    await fixture.direct(`${base}/users/me`, { method: 'DELETE', headers: { 'x-user-key': userKey } });
  },
  async deleteConversation(fixture, { tab }) {
    const { userKey, conversationId } = fixture.anyTab(tab).record;
    if (!userKey || !conversationId) return;
    fixture.giveUp(fixture.anyTab(tab).page.browser.name);
    const path = `${base}/conversations/${conversationId}`;
    await fixture.direct(path, { method: 'DELETE', headers: { 'x-user-key': userKey } });
  },
  edit(fixture, { tab: at }) {
    const tab = fixture.tab(at);
    const row = tab.store.state.rows.findLast(({ id, side }) => id && side === 'visitor');
    if (row?.id && !fixture.network.isPlain) {
      fixture.mayBeUnhandled = true;
      fixture.type(tab, 'echo', row.id);
    }
  },
  stop(fixture, { tab }) {
    fixture.tab(tab).act(({ session }) => session.stop());
  },
  typing: (fixture, { tab }) => fixture.tab(tab).act(({ session }) => session.setTyping(true)),
  event: (fixture, { tab }) =>
    fixture.tab(tab).act(({ session }) => session.methods.sendEvent({ kind: 'simulated' })),
  async elsewhere(fixture, { tab, word = 'echo' }) {
    const { userKey, conversationId } = fixture.anyTab(tab).record;
    if (!userKey || !conversationId) return;
    const text = `${word} elsewhere ${wordOf(fixture.anyTab(tab).page.browser.name)} e${fixture.clock.ran}`;
    await fixture.post(
      `${base}/messages`,
      { 'x-user-key': userKey },
      { conversationId, payload: { type: 'text', text } },
    );
  },
  async deleteMessage(fixture, { tab }) {
    const { userKey, conversationId } = fixture.anyTab(tab).record;
    const rows = fixture.anyTab(tab).store.state.rows;
    const own = rows.findLast(
      ({ id, side, payload }) =>
        id && side === 'visitor' && 'text' in payload && payload.text.includes(' elsewhere '),
    );
    if (!userKey || !conversationId || !own?.id) return;
    await fixture.direct(`${base}/messages/${own.id}`, {
      method: 'DELETE',
      headers: { 'x-user-key': userKey },
    });
  },
  async member(fixture, { how, tab, member }) {
    const { conversationId } = fixture.anyTab(tab).record;
    if (conversationId) await fixture.member(member, how, conversationId);
  },
  async rate(fixture, { tab }) {
    const { userKey, conversationId } = fixture.anyTab(tab).record;
    const handoffId = fixture.anyTab(tab).store.state.handling?.rating?.handoffId;
    if (!userKey || !conversationId || !handoffId) return;
    const path = `${base}/conversations/${conversationId}/rating`;
    await fixture.post(path, { 'x-user-key': userKey }, { handoffId, rating: 5 }, 'PUT');
  },
  fault: (fixture, { on, fault, times: count }) => times(count, () => fixture.network.plan(on, fault)),
  cut: (fixture) => cut(fixture),
  async reopen(fixture, { on, fault, times: count }) {
    times(count, () => fixture.network.plan(on, fault));
    await cut(fixture);
    await fixture.clock.advance(2_000);
  },
  async forget(fixture, { times: count }) {
    fixture.network.forgetful = count;
    await cut(fixture);
    await fixture.clock.advance(2_000);
  },
  stall: (fixture) => fixture.network.stall(),
  frames(fixture, { faults }) {
    // A plain server does not number its signals: nobody can notice that one is lost.
    if (!fixture.network.isPlain) fixture.network.frames.push(...faults);
  },
  offline: (fixture, { browser }) => setOffline(fixture, fixture.browser(browser).name, true),
  online(fixture) {
    for (const { name } of fixture.browsers) setOffline(fixture, name, false);
  },
  async sleep(fixture, { browser: at, ms }) {
    // No process of a server stays stopped for so long. After a day, what it goes on to store was stored by another one, whose
    // idempotency key is forgotten.
    for (const process of fixture.processes) process.thaw();
    await fixture.clock.advance(100);
    // The device is closed: its pages do nothing, and its connections break.
    const pages = [...fixture.browser(at).pages].filter(({ realm }) => realm.state === 'running');
    for (const page of pages) page.realm.freeze();
    await cut(fixture, new Set(pages.map(({ realm }) => realm.name)));
    fixture.clock.jump(ms);
    await fixture.clock.advance(100);
    for (const page of pages) page.realm.thaw();
  },
  skew(fixture, { browser: at, ms }) {
    const browser = fixture.browser(at);
    browser.skew += ms;
    for (const page of browser.pages) page.realm.skew += ms;
  },
  storage(fixture, { browser: at, state }) {
    const browser = fixture.browser(at);
    if (state !== 'usable') browser.hasLostRecords = true;
    if (state !== 'usable' && browser.pages.size > 1) fixture.allowRepeated(browser.name);
    // A page that joins its conversation, or is told by another one, takes the record without its user for a logout. Without a page,
    // nothing else has them.
    const isRead = fixture.alive.some(
      ({ page, store }) => page.browser === browser && store.state.connection !== 'online',
    );
    if (state === 'cleared' && (isRead || browser.pages.size !== 1))
      fixture.allowMissing((typed) => typed.browser === browser.name);
    if (state === 'cleared') browser.items.clear();
    else browser.storageState = state;
  },
  async stopServer(fixture, { process }) {
    await untilAnswered(fixture);
    await fixture.clock.until(fixture.process(process).stop());
  },
  kill(fixture, { process, at, count }) {
    // A plain server cannot recognise the second attempt of a message that it has stored.
    if (!fixture.network.isPlain) fixture.process(process).kill(at, count);
  },
  freezeServer(fixture, { process }) {
    if (!fixture.network.isPlain) fixture.process(process).freeze();
  },
  startServers: (fixture) => fixture.startServers(),
  relay: (fixture, { fate, times: count }) => times(count, () => fixture.relayFaults.push(fate)),
  wait: (fixture, { ms }) => fixture.clock.advance(ms),
  async rest(fixture) {
    fixture.broken.push(...(await settle(fixture)));
  },
};

/** The page changes its user. What was typed may be of either one until the returned function is called, and is sent as neither then. */
function leaving(fixture: Fixture, browser: string): () => void {
  const { switching } = fixture;
  const allow = () => fixture.allowMissing((typed) => typed.browser === browser);
  allow();
  switching.set(browser, (switching.get(browser) ?? 0) + 1);
  return () => {
    // An earlier change ends when a later one takes its place, which goes on.
    const remaining = (switching.get(browser) ?? 0) - 1;
    if (remaining > 0) switching.set(browser, remaining);
    else switching.delete(browser);
    allow();
  };
}

/** A plain server ends what it has begun: it cannot recognise the second attempt of a message that it is still storing. */
async function untilAnswered({ network, clock }: Fixture): Promise<void> {
  if (network.isPlain) await clock.advance(20_000, () => network.atServer === 0);
}

async function cut(fixture: Fixture, clients?: ReadonlySet<string>): Promise<void> {
  await untilAnswered(fixture);
  fixture.network.cut(({ client }) => clients?.has(client) ?? true);
}

export async function perform(fixture: Fixture, step: Step): Promise<void> {
  await (performers[step.do] as (fixture: Fixture, step: Step) => unknown)(fixture, step);
}
