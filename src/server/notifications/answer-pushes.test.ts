// Tests of Web Push about answers of persons: what browsers get, when, and what push services and other users do to it.
import { afterEach, describe, expect, test } from 'vitest';
import webPush from 'web-push';
import { startInbox } from '../inbox/testing.ts';
import { ensureVapidKeys } from '../storage/notifications/push-subscriptions.ts';
import { testOnSqlite } from '../testing/sqlite-only.testing.ts';
import { pollOptions, startTestServer } from '../testing.ts';
import { endpointKind } from './push-message.ts';
import { openPushPeer, type TestBrowser } from './push-service.testing.ts';

const second = 1_000;
const minute = 60 * second;
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A visitor with a browser that takes pushes, who has asked for a person and is gone, and a member who answers. */
async function start({ hasText = false, name = 'Ada' } = {}) {
  let publicKey = '';
  const peer = await openPushPeer(() => publicKey);
  closing.push(() => peer.close());
  let time = Date.UTC(2026, 0, 5, 12);
  const inbox = await startInbox(() => {}, {
    PUSH_CONTACT: 'mailto:help@example.com',
    PUSH_HOSTS: [peer.host],
    PUSH_TEXT: hasText ? 'on' : 'off',
    PUBLIC_URL: 'https://chat.example.com',
    now: () => time,
  });
  closing.push(() => inbox.close());
  const getPush = (key = inbox.key) => inbox.server.call('GET', '/push', { key });
  const setPush = (body: unknown, key = inbox.key) => inbox.server.call('PUT', '/push', { key, body });
  publicKey = String((await getPush()).body.publicKey);
  const browser = peer.browser();
  const page = { locale: 'de-AT', pageUrl: 'https://example.com/help?order=1' };
  const subscribe = async (one: TestBrowser, key = inbox.key) =>
    expect((await setPush({ ...one, ...page }, key)).status).toBe(200);
  await subscribe(browser);
  await inbox.send('My secret question');
  await inbox.runtime('POST', '/handoff', {});
  const member = await inbox.member(name);
  await member.act('POST', '/take', {});
  const { rows } = inbox;
  const waiting = async () => (await rows('notifications')).filter(({ state }) => state === 'waiting');
  return {
    ...{ inbox, peer, browser, setPush, getPush, subscribe, rows, waiting, publicKey },
    now: () => time,
    pass(ms: number) {
      // Times of a conversation rise by a millisecond at least.
      time += ms + 100;
      inbox.server.composition.sendAnswers();
    },
    answer: member.reply,
    /** Resolves when this number of pushes was accepted, and nothing waits. */
    sent: (count: number) =>
      expect
        .poll(async () => [peer.received.length, (await waiting()).length], pollOptions)
        .toEqual([count, 0]),
    attempts: (count: number) =>
      expect.poll(async () => Number((await waiting())[0]?.attempts), pollOptions).toBe(count),
  };
}

describe('an answer that is not read', () => {
  test('reaches each browser after 30 seconds, encrypted and signed, without a word of the conversation', async () => {
    const { inbox, peer, browser, answer, pass, sent, subscribe, setPush } = await start();
    const other = peer.browser();
    await subscribe(other);
    const without = peer.browser();
    expect((await setPush(without)).status).toBe(200);
    await answer('A secret answer');
    await answer('Another one');
    pass(29 * second);
    expect(peer.asked()).toBe(0);
    pass(second);
    await sent(3);
    const endpoints = peer.received.map(({ endpoint }) => endpoint).sort();
    expect(endpoints).toEqual([browser.endpoint, other.endpoint, without.endpoint].sort());
    const push = peer.received.find(({ endpoint }) => endpoint === browser.endpoint);
    expect(push?.content).toEqual({
      source: 'platform-webchat',
      title: 'Ada hat Ihnen geantwortet',
      tag: expect.stringMatching(/^[\w-]{32}$/),
      url: 'https://example.com/help?order=1',
      language: 'de',
      direction: 'ltr',
    });
    expect(push?.text).toHaveLength(512);
    expect(push?.size).toBeLessThan(1_000);
    expect(push?.headers).toMatchObject({ ttl: '86400', urgency: 'high', 'content-encoding': 'aes128gcm' });
    expect(push?.headers.topic).toBe(push?.content.tag);
    expect(push?.claims).toMatchObject({ aud: `http://${peer.host}`, sub: 'mailto:help@example.com' });
    const all = JSON.stringify(peer.received);
    for (const hidden of ['secret', inbox.conversationId, 'Visitor']) expect(all).not.toContain(hidden);
    // A client that has named no page gets the link that opens the conversation on any device.
    const link = peer.received.find(({ endpoint }) => endpoint === without.endpoint)?.content.url ?? '';
    const [, token] = /^https:\/\/chat\.example\.com\/c\/#([\w-]{43})\.demo$/.exec(link) ?? [];
    const used = await inbox.server.call('POST', '/links/use', { body: { token } });
    expect(used.body.conversationId).toBe(inbox.conversationId);
    const limited = String(used.body.userKey);
    expect((await inbox.server.call('GET', '/push', { key: limited })).body.isOffered ?? false).toBe(false);
    expect((await setPush(peer.browser(), limited)).status).toBe(403);
  });

  test('is not pushed once the visitor has read it, has switched pushes off, has logged out, or is gone for good', async () => {
    const { inbox, peer, browser, answer, pass, waiting, rows, setPush, subscribe } = await start();
    const gone = () => expect.poll(waiting, pollOptions).toEqual([]);
    await answer('One');
    const [newest] = (await inbox.chat('GET', '/messages')).body.messages;
    await inbox.chat('PUT', '/read', { messageId: newest.id });
    pass(30 * second);
    await gone();
    await answer('Two');
    // A browser that has switched off has no keys any more.
    expect((await setPush({ endpoint: browser.endpoint, keys: null })).status).toBe(200);
    pass(30 * second);
    await gone();
    await subscribe(browser);
    await answer('Three');
    await inbox.server.call('DELETE', '/users/me', { key: inbox.key });
    expect(await rows('push_subscriptions')).toEqual([]);
    pass(30 * second);
    await gone();
    expect(peer.asked()).toBe(0);
    const user = await inbox.server.user({});
    await subscribe(browser, user.key);
    expect((await inbox.server.call('DELETE', '/users/me/keys', { key: user.key })).status).toBe(200);
    expect(await rows('push_subscriptions')).toEqual([]);
  });

  testOnSqlite(
    'shows its text where the server is set so, also with a name and a text that are huge',
    async () => {
      const { peer, answer, pass, sent } = await start({ hasText: true, name: `😀\u202e${'😀'.repeat(90)}` });
      await answer(`Line\n\u202eone ${'😀'.repeat(4_000)}`);
      pass(30 * second);
      await sent(1);
      const [push] = peer.received;
      expect(push?.content.body).toMatch(/^Line one 😀+…$/u);
      expect(push?.content.title).toMatch(/^😀 😀+… hat Ihnen geantwortet$/u);
      // A push service takes 4,096 bytes.
      expect(push?.size).toBeLessThan(4_096);
    },
  );
});

describe('a push service', () => {
  test('that does not know the browser any more, by 404 or 410, ends the subscription; others get the push once', async () => {
    const { peer, browser, answer, pass, sent, subscribe, rows } = await start();
    const [gone, unknown] = [peer.browser(), peer.browser()];
    await subscribe(gone);
    await subscribe(unknown);
    peer.answer(410, {}, gone.endpoint);
    peer.answer(404, {}, unknown.endpoint);
    await answer('One');
    pass(30 * second);
    await sent(1);
    expect((await rows('push_subscriptions')).map(({ endpoint }) => endpoint)).toEqual([browser.endpoint]);
  });

  test('that is busy is asked again when it says, and the browsers that have got the push are left out', async () => {
    const { peer, browser, answer, pass, sent, attempts, subscribe, waiting, now } = await start();
    const busy = peer.browser();
    await subscribe(busy);
    peer.answer(429, { 'retry-after': '3600' }, busy.endpoint);
    await answer('One');
    pass(30 * second);
    await attempts(1);
    await expect.poll(() => peer.asked(), pollOptions).toBe(2);
    await expect
      .poll(async () => Number((await waiting())[0]?.due_at), pollOptions)
      .toBeGreaterThan(Date.UTC(2026, 0, 5, 13));
    peer.answer(503, { 'retry-after': 'soon' }, busy.endpoint);
    pass(60 * minute);
    await attempts(2);
    // Stored before time passes: it is due two minutes later.
    await expect
      .poll(async () => Number((await waiting())[0]?.due_at), pollOptions)
      .toBeGreaterThan(now() + 90 * second);
    expect(peer.asked()).toBe(3);
    peer.answer(undefined, {}, busy.endpoint);
    pass(10 * minute);
    await sent(2);
    expect(peer.received.map(({ endpoint }) => endpoint)).toEqual([browser.endpoint, busy.endpoint]);
  });

  test('that has got a push gets the next one at once while another is tried again', async () => {
    const { peer, browser, answer, pass, sent, attempts, subscribe, waiting, now } = await start();
    const failing = peer.browser();
    await subscribe(failing);
    peer.answer(500, {}, failing.endpoint);
    for (const [count, pause] of [
      [1, 30],
      [2, 120],
    ] as const) {
      await answer(`Answer ${count}`);
      pass(30 * second);
      await attempts(count);
      // Stored before time passes.
      await expect
        .poll(async () => Number((await waiting())[0]?.due_at) - now(), pollOptions)
        .toBe(pause * second);
      expect(peer.asked()).toBe(2 * count);
    }
    expect(peer.received.map(({ endpoint }) => endpoint)).toEqual([browser.endpoint, browser.endpoint]);
    peer.answer(undefined, {}, failing.endpoint);
    pass(10 * minute);
    await sent(3);
    expect(peer.received[2]?.endpoint).toBe(failing.endpoint);
  });

  test('gets an answer that came while an earlier one was being pushed', async () => {
    const { peer, answer, pass, sent, waiting } = await start();
    const release = peer.hold();
    await answer('One');
    pass(30 * second);
    await expect.poll(() => peer.received.length, pollOptions).toBe(1);
    await answer('Two');
    release();
    await expect.poll(waiting, pollOptions).toMatchObject([{ attempts: 0 }]);
    pass(30 * second);
    await sent(2);
  });

  test('that refuses a push is not asked again, and one that never answers is given up after six attempts', async () => {
    const { peer, answer, pass, sent, waiting, rows } = await start();
    for (const status of [400, 403, 413, 302]) {
      peer.answer(status, { location: 'http://127.0.0.1:1/' });
      const asked = peer.asked();
      await answer(`Refused with ${status}`);
      pass(30 * second);
      await sent(0);
      expect(peer.asked()).toBe(asked + 1);
    }
    expect(await rows('push_subscriptions')).toHaveLength(1);
    peer.answer(500);
    const asked = peer.asked();
    await answer('Given up');
    pass(30 * second);
    const dueAt = async () => (await waiting())[0]?.due_at;
    for (let due = await dueAt(); due !== undefined; due = await dueAt()) {
      pass(240 * minute);
      await expect.poll(dueAt, pollOptions).not.toBe(due);
    }
    expect(peer.asked() - asked).toBeGreaterThan(1);
    expect(peer.asked() - asked).toBeLessThanOrEqual(6);
    await peer.close();
    closing.shift();
    await answer('Nobody is there');
    pass(30 * second);
    await expect.poll(async () => Number((await waiting())[0]?.attempts), pollOptions).toBe(1);
  });

  test('a server that ends between a push and its record sends it once more, for the same notification', async () => {
    const { inbox, peer, answer, pass, sent } = await start();
    const release = peer.hold();
    await answer('One');
    pass(30 * second);
    await expect.poll(() => peer.received.length, pollOptions).toBe(1);
    await inbox.restart();
    release();
    pass(10 * minute);
    await sent(2);
    const [first, again] = peer.received;
    expect(again?.content.tag).toBe(first?.content.tag);
  });
});

describe('a subscription', () => {
  testOnSqlite(
    'of garbage, of another host, of a private address or of another user is refused',
    async () => {
      const { inbox, peer, browser, setPush, rows } = await start();
      const { keys } = browser;
      const refused = async (body: unknown, key?: string) => (await setPush(body, key)).status;
      for (const endpoint of [
        'https://169.254.169.254/latest',
        'http://127.0.0.1:1/push',
        'https://fcm.googleapis.com.example.com/x',
        'https://fcm.googleapis.com:8443/x',
        'https://user:password@fcm.googleapis.com/x',
        'http://fcm.googleapis.com/x',
        'https://push.apple.com/x',
      ])
        expect([endpoint, await refused({ endpoint, keys })]).toEqual([endpoint, 403]);
      for (const body of [
        { endpoint: browser.endpoint, keys: { p256dh: `B${'A'.repeat(86)}`, auth: keys.auth } },
        { ...browser, pageUrl: 'javascript:alert(1)' },
      ])
        expect([body, await refused(body)]).toEqual([body, 400]);
      const other = await inbox.server.user({});
      // Whoever has learned the address only can neither take nor remove the subscription.
      expect(await refused({ ...peer.browser(), endpoint: browser.endpoint }, other.key)).toBe(403);
      expect(await refused({ endpoint: browser.endpoint, keys: null }, other.key)).toBe(200);
      expect((await rows('push_subscriptions')).map(({ user_id }) => user_id)).toEqual([inbox.visitor.id]);
      // The same browser, in which another user has signed in.
      expect(await refused(browser, other.key)).toBe(200);
      expect((await rows('push_subscriptions')).map(({ user_id }) => user_id)).toEqual([other.id]);
      expect(endpointKind('https://web.push.apple.com/x', [])).toBe('service');
    },
  );

  test('is one of five of a user: of 100 that come at once, five stay; one that has expired gets nothing', async () => {
    const { peer, answer, pass, sent, setPush, rows } = await start();
    const all = Array.from({ length: 100 }, () => peer.browser());
    const statuses = await Promise.all(all.map(async (one) => (await setPush(one)).status));
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(await rows('push_subscriptions')).toHaveLength(5);
    const expiring = peer.browser();
    await setPush({ ...expiring, expirationTime: Date.UTC(2026, 0, 5, 12, 0, 10) });
    expect(await rows('push_subscriptions')).toHaveLength(5);
    await answer('One');
    pass(30 * second);
    await sent(4);
    expect(await rows('push_subscriptions')).toHaveLength(4);
  });

  test('is in the export of the visitor, without keys, and its key pair is the same after another start', async () => {
    const { inbox, browser, publicKey, getPush } = await start();
    const manager = await inbox.member('Max', 'manager');
    const path = `/v1/admin/bots/${inbox.botId}/users/${inbox.visitor.id}/export`;
    const { items } = await (await inbox.server.fetch(path, { headers: manager.headers })).json();
    expect(items).toContainEqual({
      type: 'push',
      push: { endpoint: browser.endpoint, locale: 'de-AT', pageUrl: 'https://example.com/help?order=1' },
    });
    expect(JSON.stringify(items)).not.toContain(browser.keys.auth);
    await inbox.restart();
    expect((await getPush()).body).toEqual({ isOffered: true, publicKey });
  });
});

test('the key pair of several processes that start at once is one', async () => {
  const server = await startTestServer();
  closing.push(() => server.close());
  const created = Array.from({ length: 5 }, () => webPush.generateVAPIDKeys());
  const stored = await Promise.all(
    created.map((keys) => server.db.write((tx) => ensureVapidKeys(tx, keys, 1))),
  );
  expect(new Set(stored.map(({ privateKey }) => privateKey)).size).toBe(1);
});

testOnSqlite('a server without PUSH_CONTACT offers no pushes and stores no subscription', async () => {
  const server = await startTestServer();
  closing.push(() => server.close());
  const { key } = await server.user({});
  expect((await server.call('GET', '/push', { key })).body).toEqual({ isOffered: false });
  const peer = await openPushPeer(() => '');
  closing.push(() => peer.close());
  expect((await server.call('PUT', '/push', { key, body: peer.browser() })).status).toBe(403);
});
