// Tests that what people wrote about a visitor leaves the data folder with the visitor: the address, the page of a
// subscription, ratings, notes, tags, and reasons of handoffs.
import { randomUUID } from 'node:crypto';
import { afterEach, expect, test } from 'vitest';
import { type Inbox, startInbox } from '../../inbox/testing.ts';
import { openPushPeer } from '../../notifications/push-service.testing.ts';
import { pollOptions } from '../../testing.ts';
import { textsOfFolder } from './found-files.testing.ts';

const day = 24 * 60 * 60 * 1000;
let inbox: Inbox;
let closing: () => Promise<void>;
afterEach(async () => {
  await inbox.server.close();
  await closing();
});

/** The words of the test that a file of the data folder contains. */
async function found(): Promise<string[]> {
  const texts = await textsOfFolder(inbox.server.home);
  return [...new Set(texts.flatMap(({ text }) => text.match(/xanadu-\w+/g) ?? []))].toSorted();
}

test.each(['the visitor deletes themselves', 'the retention period is over'])(
  'the data folder contains nothing of the inbox about a visitor when %s',
  async (cause) => {
    let clock = Date.now();
    const peer = await openPushPeer(() => '');
    closing = () => peer.close();
    inbox = await startInbox(() => {}, {
      now: () => clock,
      RETENTION_DAYS: 30,
      SMTP_URL: 'smtp://127.0.0.1:1',
      MAIL_FROM: 'chat@example.com',
      PUSH_CONTACT: 'mailto:chat@example.com',
      PUSH_HOSTS: [peer.host],
      PUBLIC_URL: 'https://chat.example.com',
    });
    const { server, key, visitor } = inbox;
    const ada = await inbox.member('Ada');
    // Responses to requests with a key are cached.
    for (const headers of [ada.headers, inbox.ofBot])
      Object.defineProperty(headers, 'idempotency-key', { enumerable: true, get: () => randomUUID() });
    const ok = async (answer: Promise<{ status: number }>) => expect((await answer).status).toBeLessThan(300);
    await ok(server.call('PUT', '/contact', { key, body: { email: 'xanadu-address@example.com' } }));
    const pageUrl = 'https://example.com/xanadu-page';
    await ok(server.call('PUT', '/push', { key, body: { ...peer.browser(), locale: 'en', pageUrl } }));
    await inbox.send('xanadu-text');
    await ok(inbox.runtime('POST', '/handoff', { reason: 'xanadu-reason', note: 'xanadu-bot' }));
    await ok(ada.act('POST', '/notes', { body: 'xanadu-note' }));
    await ok(ada.act('PUT', '/tags', { tags: ['xanadu-tag'] }));
    const { seq } = (await ada.act('GET', '/timeline')).body;
    const payload = { type: 'text', text: 'xanadu-reply' };
    await ok(ada.act('POST', '/replies', { payload, seenSeq: seq, take: true }));
    await ok(ada.act('POST', '/close', {}));
    const { handoffId } = (await inbox.chat('GET', '/activities')).body.rating;
    await ok(inbox.chat('PUT', '/rating', { handoffId, rating: 1, comment: 'xanadu-comment' }));
    await inbox.idle();
    const words = ['address', 'bot', 'comment', 'note', 'page', 'reason', 'reply', 'tag', 'text'];
    // Other columns can follow a word in the bytes of a row.
    expect(await found()).toEqual(expect.arrayContaining(words.map((word) => `xanadu-${word}`)));

    if (cause.startsWith('the visitor')) await ok(server.call('DELETE', '/users/me', { key }));
    else clock += 31 * day;
    await expect
      .poll(async () => {
        await server.composition.cleanUp();
        return found();
      }, pollOptions)
      .toEqual([]);
    for (const table of [
      'contacts',
      'handlings',
      'handoffs',
      'ratings',
      'reads',
      'notes',
      'push_subscriptions',
    ])
      expect([table, await inbox.rows(table)]).toEqual([table, []]);
    expect(await inbox.rows('users')).not.toContainEqual(expect.objectContaining({ id: visitor.id }));
  },
);
