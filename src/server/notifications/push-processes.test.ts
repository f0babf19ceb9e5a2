// Tests of Web Push with two processes of one server: whichever a member answers at, and whichever looks for what is due, each
// browser gets one push for each answer.
import { afterEach, expect, test } from 'vitest';
import { startInbox } from '../inbox/testing.ts';
import { pollOptions } from '../testing.ts';
import { openPushPeer } from './push-service.testing.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Visitors who have gone, each with a browser that takes pushes, and a member who answers all of them. */
async function start(visitorCount: number, options: Parameters<typeof startInbox>[1] = {}) {
  let publicKey = '';
  let time = Date.UTC(2026, 0, 5, 12);
  const peer = await openPushPeer(() => publicKey);
  closing.push(() => peer.close());
  const push = {
    PUSH_CONTACT: 'mailto:help@example.com',
    PUSH_HOSTS: [peer.host],
    PUBLIC_URL: 'https://chat.example.com',
  };
  const inbox = await startInbox(() => {}, { ...push, now: () => time, ...options }, 2);
  const { server, servers } = inbox;
  closing.push(() => inbox.close());
  publicKey = String((await server.call('GET', '/push', { key: inbox.key })).body.publicKey);
  const member = await inbox.member('Ada');
  const visitors: { id: string; endpoint: string }[] = [];
  for (let n = 0; n < visitorCount; n += 1) {
    const { key } = await server.user({});
    const id = await server.conversation(key);
    const browser = peer.browser();
    expect((await server.call('PUT', '/push', { key, body: browser })).status).toBe(200);
    await server.sendMessage(key, id, 'Hello?');
    expect((await member.call('POST', `/conversations/${id}/take`, {})).status).toBe(200);
    visitors.push({ id, endpoint: browser.endpoint });
  }

  /** Sends a reply by the process with this number. */
  async function answer(id: string, process: number): Promise<void> {
    const payload = { type: 'text', text: 'On its way' };
    const response = await servers[process]?.fetch(`/v1/inbox/conversations/${id}/replies`, {
      method: 'POST',
      headers: { ...member.headers, 'content-type': 'application/json' },
      body: JSON.stringify({ payload, seenSeq: 1_000 }),
    });
    expect(response?.status).toBe(201);
  }

  /** How many pushes the browser of each visitor has got. */
  const pushes = () =>
    visitors.map(({ endpoint }) => peer.received.filter((one) => one.endpoint === endpoint).length);

  return {
    ...{ inbox, servers, visitors, answer, pushes },
    /** Makes every answer due. */
    pass: () => {
      time += 31_000;
    },
    wake() {
      for (const { composition } of servers) composition.sendAnswers();
    },
    notifications: () => inbox.rows('notifications'),
  };
}

const rounds = 4;

test.each([
  ['one of which pushes', {}],
  // A process that was frozen goes on as if the work were still its own.
  ['both of which push at the same time', { relay: undefined }],
])('answers at two processes, %s, are pushed once to each browser', async (_, options) => {
  const { inbox, visitors, answer, pass, wake, pushes, notifications } = await start(6, options);
  for (let round = 1; round <= rounds; round += 1) {
    await Promise.all(visitors.map(({ id }, n) => answer(id, (n + round) % 2)));
    pass();
    wake();
    await expect
      .poll(async () => {
        wake();
        return (await notifications()).map(({ state, attempts }) => [state, Number(attempts)]);
      }, pollOptions)
      .toEqual(visitors.map(() => ['sent', 1]));
    expect(pushes()).toEqual(visitors.map(() => round));
  }
  // Pushes that are still being sent end before the processes do.
  await inbox.close();
  closing.pop();
  expect(pushes()).toEqual(visitors.map(() => rounds));
});

test.each([0, 1])('an answer is pushed once after process %i has ended, at which it was given', async (n) => {
  const { servers, visitors, answer, pass, pushes, notifications } = await start(3);
  await Promise.all(visitors.map(({ id }) => answer(id, n)));
  await servers[n]?.composition.close();
  pass();
  await expect
    .poll(async () => {
      servers[1 - n]?.composition.sendAnswers();
      return (await notifications()).map(({ state, attempts }) => [state, Number(attempts)]);
    }, pollOptions)
    .toEqual(visitors.map(() => ['sent', 1]));
  expect(pushes()).toEqual([1, 1, 1]);
});
