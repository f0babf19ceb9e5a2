// Performs the steps of a schedule.
import type { Tab } from '../browser/tab.ts';
import { base } from '../server/engine.ts';
import { nameOf, userIdOf } from './names.ts';
import type { Step, StepName, TabEnd } from './schedule.ts';
import { leaks, setOffline, settle } from './settle.ts';
import type { World } from './world.ts';

type Performers = { [Name in StepName]: (world: World, step: Extract<Step, { do: Name }>) => unknown };

const maxTabs = 4;
const times = (count: number, run: () => void) => {
  for (let n = 0; n < count; n++) run();
};

/** Ends a page; its chat is checked for what it leaves behind. */
async function end(world: World, tab: Tab, how: TabEnd): Promise<void> {
  const { page } = tab;
  const { name } = page.browser;
  // What this page has in its memory only is gone.
  if (page.browser.hasLostRecords) world.allowMissing((typed) => typed.browser === name);
  if (how === 'destroyed') {
    tab.thaw();
    tab.destroy();
    await world.clock.advance(3_000);
    world.broken.push(...leaks(tab));
  }
  if (how === 'left') page.dispatch('window', 'pagehide', { persisted: false });
  page.end();
}

const performers: Performers = {
  open(world, { browser, isOpen }) {
    if (world.alive.length < (world.network.isPlain ? 1 : maxTabs))
      world.open(world.browser(browser), { isOpen });
  },
  end: (world, { tab, how }) => (world.alive.length > 0 ? end(world, world.anyTab(tab), how) : undefined),
  async reload(world, { tab: at, how, isOpen }) {
    const tab = world.anyTab(at);
    await end(world, tab, how);
    const { browser, sessionItems } = tab.page;
    world.open(browser, { isOpen, sessionItems });
  },
  duplicate(world, { tab }) {
    if (world.alive.length >= (world.network.isPlain ? 1 : maxTabs)) return;
    const { browser, sessionItems } = world.tab(tab).page;
    world.open(browser, { sessionItems: new Map(sessionItems) });
  },
  freeze(world, { tab: at, isTold }) {
    const { page } = world.tab(at);
    page.isHidden = true;
    if (isTold) {
      page.dispatch('document', 'visibilitychange');
      page.dispatch('document', 'freeze');
    }
    page.realm.freeze();
  },
  thaw(world) {
    for (const tab of world.alive) tab.thaw();
  },
  hide(world, { tab, isHidden }) {
    const { page } = world.tab(tab);
    page.isHidden = isHidden;
    page.dispatch('document', 'visibilitychange');
  },
  toggle: (world, { tab }) => world.tab(tab).act((one) => one.toggle()),
  type(world, { tab, word, count, under, times: faults = 1 }) {
    if (under) times(faults, () => world.network.plan('send', under));
    const one = world.tab(tab);
    times(count, () => world.type(one, word));
  },
  draft: (world, { tab }) =>
    world.tab(tab).act(({ session }) => session.saveDraft(`draft ${world.typed.length}`)),
  older: (world, { tab }) => world.tab(tab).act(({ session }) => session.loadOlder()),
  retry(world, { tab }) {
    // A plain server stores it again.
    if (!world.network.isPlain) world.retry(world.tab(tab));
  },
  discard(world, { tab: at }) {
    const tab = world.tab(at);
    const row = world.unsent(tab)[0];
    if (!row) return;
    const { text } = row.payload as { text: string };
    for (const typed of world.typed) if (typed.text === text) typed.mayBeMissing = true;
    tab.act(({ session }) => session.discard(row.key));
  },
  restartConversation(world, { tab: at }) {
    const tab = world.tab(at);
    const { name } = tab.page.browser;
    const isShared = world.alive.some((other) => other !== tab && other.page.browser === tab.page.browser);
    const end = () =>
      world.allowMissing((typed) => {
        if (typed.browser === name && isShared) typed.mayBeRepeated = true;
        return typed.browser === name;
      });
    end();
    tab.act(({ session }) => session.ask('restartConversation').then(end, end));
  },
  async login(world, { tab: at, user }) {
    const tab = world.tab(at);
    const { name } = tab.page.browser;
    const key = await world.signedKey(userIdOf(name, user), user);
    world.named.set(name, { user, key });
    // What is typed before this has ended may belong to either user; then it is sent as neither.
    const end = leaving(world, name);
    tab.act(({ session }) => session.ask('updateUser', { userKey: key }).then(end, end));
  },
  logout(world, { tab: at }) {
    const tab = world.tab(at);
    const { name } = tab.page.browser;
    world.named.delete(name);
    const end = leaving(world, name);
    tab.act(({ session }) => session.ask('logout').then(end, end));
  },
  siteForgets(world, { browser }) {
    // A page that is asked would be of nobody at once.
    if (!world.schedule.isAsked) world.named.delete(world.browser(browser).name);
  },
  async name(world, { tab: at, under, isRefused }) {
    const tab = world.tab(at);
    const { name } = tab.page.browser;
    const key = tab.session.context.client.userKey ?? '';
    const user = world.namedKeys.get(key);
    // While the user changes, nobody can say whose name it is.
    if (user === undefined || world.switching.has(name) || !world.schedule.isAsked) return;
    if (isRefused)
      await world.direct(`${base}/users/me/key`, { method: 'DELETE', headers: { 'x-user-key': key } });
    if (under) world.network.plan('login', under);
    tab.act(({ session }) => session.ask('updateUser', { name: nameOf(userIdOf(name, user)) }));
  },
  async deleteUser(world, { tab }) {
    const { userKey, isNamed } = world.anyTab(tab).record;
    // A named user is not replaced.
    if (!userKey || isNamed) return;
    world.giveUp(world.anyTab(tab).page.browser.name);
    await world.direct(`${base}/users/me`, { method: 'DELETE', headers: { 'x-user-key': userKey } });
  },
  async deleteConversation(world, { tab }) {
    const { userKey, conversationId } = world.anyTab(tab).record;
    if (!userKey || !conversationId) return;
    world.giveUp(world.anyTab(tab).page.browser.name);
    const path = `${base}/conversations/${conversationId}`;
    await world.direct(path, { method: 'DELETE', headers: { 'x-user-key': userKey } });
  },
  edit(world, { tab: at }) {
    const tab = world.tab(at);
    const row = tab.store.state.rows.findLast(({ id, side }) => id && side === 'visitor');
    if (row?.id && !world.network.isPlain) {
      world.mayBeUnhandled = true;
      world.type(tab, 'echo', row.id);
    }
  },
  stop(world, { tab }) {
    world.tab(tab).act(({ session }) => session.stop());
  },
  typing: (world, { tab }) => world.tab(tab).act(({ session }) => session.setTyping(true)),
  event: (world, { tab }) =>
    world.tab(tab).act(({ session }) => session.ask('sendEvent', { kind: 'simulated' })),
  async elsewhere(world, { tab, word = 'echo' }) {
    const { userKey, conversationId } = world.anyTab(tab).record;
    if (!userKey || !conversationId) return;
    const text = `${word} elsewhere ${world.anyTab(tab).page.browser.name.replace(' ', '')} e${world.clock.ran}`;
    await world.post(
      `${base}/messages`,
      { 'x-user-key': userKey },
      { conversationId, payload: { type: 'text', text } },
    );
  },
  async deleteMessage(world, { tab }) {
    const { userKey, conversationId } = world.anyTab(tab).record;
    const rows = world.anyTab(tab).store.state.rows;
    const own = rows.findLast(
      ({ id, payload }) => id && 'text' in payload && payload.text.includes(' elsewhere '),
    );
    if (!userKey || !conversationId || !own?.id) return;
    await world.direct(`${base}/messages/${own.id}`, {
      method: 'DELETE',
      headers: { 'x-user-key': userKey },
    });
  },
  async member(world, { how, tab, member }) {
    const { conversationId } = world.anyTab(tab).record;
    if (conversationId) await world.member(member, how, conversationId);
  },
  async rate(world, { tab }) {
    const { userKey, conversationId } = world.anyTab(tab).record;
    const handoffId = world.anyTab(tab).store.state.handling?.rating?.handoffId;
    if (!userKey || !conversationId || !handoffId) return;
    const path = `${base}/conversations/${conversationId}/rating`;
    await world.post(path, { 'x-user-key': userKey }, { handoffId, rating: 5 }, 'PUT');
  },
  fault: (world, { on, fault, times: count }) => times(count, () => world.network.plan(on, fault)),
  cut: (world) => cut(world),
  async reopen(world, { on, fault, times: count }) {
    times(count, () => world.network.plan(on, fault));
    await cut(world);
    await world.clock.advance(2_000);
  },
  async forget(world, { times: count }) {
    world.network.forgetful = count;
    await cut(world);
    await world.clock.advance(2_000);
  },
  stall: (world) => world.network.stall(),
  frames(world, { faults }) {
    // A plain server does not number its signals: nobody can notice that one is lost.
    if (!world.network.isPlain) world.network.frames.push(...faults);
  },
  offline: (world, { browser }) => setOffline(world, world.browser(browser).name, true),
  online(world) {
    for (const { name } of world.browsers) setOffline(world, name, false);
  },
  async sleep(world, { browser: at, ms }) {
    // The device is closed: its pages do nothing, and its connections break.
    const pages = [...world.browser(at).pages].filter(({ realm }) => realm.state === 'running');
    for (const page of pages) page.realm.freeze();
    await cut(world, new Set(pages.map(({ realm }) => realm.name)));
    world.clock.jump(ms);
    await world.clock.advance(100);
    for (const page of pages) page.realm.thaw();
  },
  skew(world, { browser: at, ms }) {
    const browser = world.browser(at);
    browser.skew += ms;
    for (const page of browser.pages) page.realm.skew += ms;
  },
  storage(world, { browser: at, state }) {
    const browser = world.browser(at);
    if (state !== 'usable') browser.hasLostRecords = true;
    if (state === 'cleared') browser.items.clear();
    else browser.storageState = state;
  },
  async stopServer(world, { process }) {
    await untilAnswered(world);
    await world.clock.until(world.process(process).stop());
  },
  kill(world, { process, at, count }) {
    // A plain server cannot recognise the second attempt of a message that it has stored.
    if (!world.network.isPlain) world.process(process).kill(at, count);
  },
  freezeServer(world, { process }) {
    if (!world.network.isPlain) world.process(process).freeze();
  },
  startServers: (world) => world.startServers(),
  relay: (world, { fate, times: count }) => times(count, () => world.relayFaults.push(fate)),
  wait: (world, { ms }) => world.clock.advance(ms),
  async rest(world) {
    world.broken.push(...(await settle(world)));
  },
};

/** The page changes its user. What was typed may be of either one until the returned function is called, and is sent as neither then. */
function leaving(world: World, browser: string): () => void {
  const allow = () => world.allowMissing((typed) => typed.browser === browser);
  allow();
  world.switching.add(browser);
  return () => {
    world.switching.delete(browser);
    allow();
  };
}

/** A plain server ends what it has begun: it cannot recognise the second attempt of a message that it is still storing. */
async function untilAnswered({ network, clock }: World): Promise<void> {
  if (network.isPlain) await clock.advance(20_000, () => network.atServer === 0);
}

async function cut(world: World, clients?: ReadonlySet<string>): Promise<void> {
  await untilAnswered(world);
  world.network.cut(({ client }) => clients?.has(client) ?? true);
}

export async function perform(world: World, step: Step): Promise<void> {
  await (performers[step.do] as (world: World, step: Step) => unknown)(world, step);
}
