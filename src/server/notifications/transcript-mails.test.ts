// Tests of mails with transcripts: who gets which mail, what is in it, and what limits them.
import { afterEach, describe, expect, test } from 'vitest';
import { pollOptions } from '../../polling.testing.ts';
import { textOfPayload } from '../api/message-text.ts';
import { startInbox } from '../inbox/testing.ts';
import type { QuotaLimits } from '../limits/settings.ts';
import { botById } from '../storage/bots/bots.ts';
import type { Tx } from '../storage/database.ts';
import type { NotificationRow } from '../storage/notifications/answers.ts';
import { testOnSqlite } from '../testing/sqlite-only.testing.ts';
import { openMailCatcher } from './testing.ts';
import { transcriptContent } from './transcript-mails.ts';
import { mailedName, mailedText } from './visitor-mail.ts';

const minute = 60_000;
const email = 'ann@example.com';
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A visitor with an address, who has written, and a member who answers. */
async function start({ locale = 'en', address = email as string | null, quotas = {} as QuotaLimits } = {}) {
  const catcher = await openMailCatcher();
  closing.push(() => catcher.close());
  let time = Date.UTC(2026, 0, 5, 12);
  const inbox = await startInbox(() => {}, {
    SMTP_URL: catcher.url,
    MAIL_FROM: 'Help <chat@example.com>',
    PUBLIC_URL: 'https://chat.example.com',
    ...quotas,
    now: () => time,
  });
  const { server, key, conversationId } = inbox;
  closing.push(() => server.close());
  const setContact = (to: string | null, of = key) =>
    server.call('PUT', '/contact', { key: of, body: { email: to, locale } });
  if (address !== null) await setContact(address);
  const ask = (of = key, id = conversationId) =>
    server.call('POST', `/conversations/${id}/transcript-mail`, { key: of });
  const mails = (count: number) =>
    expect
      .poll(async () => {
        const rows = await inbox.rows('notifications');
        const waiting = rows.filter(({ channel, state }) => channel === 'transcript' && state === 'waiting');
        return [catcher.mails.length, waiting.length > 0];
      }, pollOptions)
      .toEqual([count, false]);
  return {
    ...{ inbox, server, catcher, setContact, ask, mails },
    pass(ms: number) {
      time += ms;
      server.composition.sendAnswers();
    },
    /** The visitor opens the link of the last mail. */
    async confirm() {
      const text = catcher.mails.at(-1)?.text ?? '';
      const token = /\/c\/#([\w-]{43})\./.exec(text)?.[1];
      expect((await server.call('POST', '/links/use', { body: { token } })).status).toBeLessThan(300);
    },
  };
}

const all = (mail: unknown) => JSON.stringify(mail);

describe('the transcript', () => {
  test('that is requested while an earlier one is being sent is mailed next if there are newer messages', async () => {
    const { inbox, catcher, ask, mails, confirm, pass } = await start();
    await inbox.send('Hello');
    await ask();
    await mails(1);
    await confirm();
    await inbox.send('The first');
    pass(minute);
    const release = catcher.hold();
    await ask();
    await expect
      .poll(() => inbox.rows('notifications'), pollOptions)
      .toContainEqual(expect.objectContaining({ channel: 'transcript', state: 'waiting', attempts: 1 }));
    // The same messages are not sent twice.
    await ask();
    await inbox.send('The second');
    await ask();
    release();
    await mails(3);
    expect(catcher.mails[1]?.text).toContain('The first');
    expect(catcher.mails[1]?.text).not.toContain('The second');
    expect(catcher.mails[2]?.text).toContain('The second');
  });

  test('is mailed to an address that is confirmed, as text and HTML, without what only the team knows', async () => {
    const { inbox, catcher, ask, mails, confirm, pass } = await start({ locale: 'de-AT' });
    await inbox.send('Where is <b>it</b>?\nAnd when?');
    expect((await ask()).body).toEqual({ email, sends: 'link' });
    await mails(1);
    const [link] = catcher.mails;
    expect(link?.subject).toBe('Ihre Unterhaltung auf chat.example.com');
    expect(link?.text).toContain('https://chat.example.com/c/#');
    expect(all(link)).not.toContain('Where is');
    await confirm();
    await inbox.runtime('POST', '/handoff', { reason: 'canaryofthereason', note: 'canaryofthebot' });
    const member = await inbox.member('Ada');
    await member.act('POST', '/take', {});
    await member.act('POST', '/notes', { body: 'canaryofthenotes' });
    await member.act('PUT', '/tags', { tags: ['canaryofthetags'] });
    const { seq } = (await member.act('GET', '/timeline')).body;
    const payload = { type: 'text', text: 'On its way.' };
    expect((await member.act('POST', '/replies', { payload, seenSeq: seq })).status).toBe(201);
    const image = 'https://files.example.com/secret-address';
    await inbox.server.call('POST', '/messages', {
      key: inbox.key,
      body: {
        conversationId: inbox.conversationId,
        payload: { type: 'image', imageUrl: image, title: 'The parcel' },
      },
    });
    pass(minute);
    expect((await ask()).body).toEqual({ email, sends: 'transcript' });
    await mails(2);
    const mail = catcher.mails.at(-1);
    expect(mail?.recipients).toEqual([email]);
    expect(mail?.text).toMatch(/\[2026-01-05 12:00 UTC\] Sie:\nWhere is <b>it<\/b>\?\nAnd when\?\n/);
    expect(mail?.text).toMatch(/\] Ada:\nOn its way\.\n/);
    expect(mail?.text).toContain('The parcel');
    expect(mail?.html).toContain('Where is &lt;b&gt;it&lt;/b&gt;?');
    expect(mail?.html).toContain('<html lang="de" dir="ltr">');
    expect(mail?.html).not.toMatch(/<(img|link|script|style)|src=|url\(/);
    expect(mail?.headers.get('auto-submitted')).toBe('auto-generated');
    const lines = mail?.headerLines.map(({ line }) => line).join('\n') ?? '';
    expect(lines).toMatch(/^List-Unsubscribe:\s+<https:\/\/chat\.example\.com\/c\/unsubscribe\/\w{32}>$/m);
    for (const hidden of ['canaryofthe', 'secret-address', '/c/#', member.email])
      expect(all(mail)).not.toContain(hidden);
  });

  test('is not sent for a request that is repeated, and again for new messages and after a quarter of an hour', async () => {
    const { inbox, catcher, ask, mails, confirm, pass } = await start();
    await inbox.send('One');
    const both = await Promise.all([ask(), ask()]);
    expect(both.map(({ body }) => body)).toEqual([
      { email, sends: 'link' },
      { email, sends: 'link' },
    ]);
    await mails(1);
    await confirm();
    pass(16 * minute);
    for (let n = 0; n < 3; n += 1) expect((await ask()).body.sends).toBe('transcript');
    await mails(2);
    await inbox.send('Two');
    await ask();
    await mails(3);
    expect(catcher.mails.at(-1)?.text).toContain('Two');
    pass(16 * minute);
    await ask();
    await mails(4);
    // One mail for its reader, because nothing was written in between.
    expect(catcher.mails[3]?.messageId).toBe(catcher.mails[2]?.messageId);
  });

  testOnSqlite('is cut to the newest messages, which the mail says', async () => {
    const { inbox, catcher, ask, mails, confirm } = await start();
    await inbox.send('first words');
    await ask();
    await mails(1);
    await confirm();
    const long = 'x'.repeat(3_990);
    for (let n = 0; n < 55; n += 1) await inbox.send(`${n} ${long}`);
    await ask();
    await mails(2);
    const text = catcher.mails.at(-1)?.text ?? '';
    expect(text).toContain('Only the newest messages are in this mail.');
    expect(text).toContain(`54 ${long.slice(0, 50)}`);
    expect(text).not.toContain('first words');
    expect(text.length).toBeLessThan(220_000);
  });
});

testOnSqlite('of a conversation with large messages, a mail reads only a few', async () => {
  const { inbox, server } = await start();
  const { conversationId, visitor, botId } = inbox;
  const large = 'x'.repeat(900_000);
  for (let n = 0; n < 60; n += 1) await inbox.send(`${n} ${large}`);
  let read = 0;
  const content = await server.db.read(async (tx) => {
    const counting: Tx = {
      ...tx,
      async all<T>(...query: Parameters<Tx['all']>) {
        const rows = await tx.all<T>(...query);
        for (const row of rows) read += JSON.stringify(row).length;
        return rows;
      },
    };
    const bot = await botById(tx, botId);
    if (!bot) throw new Error('The bot does not exist.');
    const row: NotificationRow = {
      conversationId,
      target: visitor.id,
      channel: 'transcript',
      fromSeq: 1_000,
      dueAt: 0,
      attempts: 0,
      firstAt: null,
    };
    const contact = { email, locale: 'en', confirmedAt: 1 };
    return transcriptContent(counting, { row, bot, contact, site: 'chat.example.com' });
  });
  const text = content?.mail({ returnUrl: '', unsubscribeUrl: 'https://chat.example.com/x' }).text ?? '';
  expect(text).toContain(`59 ${large.slice(0, 50)}`);
  expect(text).toContain('Only the newest messages are in this mail.');
  expect(read).toBeLessThan(15_000_000);
});

describe('nobody is mailed', () => {
  testOnSqlite(
    'without an address, without mails of the server, or in a conversation of another visitor',
    async () => {
      const { inbox, server, ask, catcher, setContact } = await start({ address: null });
      await inbox.send('One');
      expect((await ask()).body).toMatchObject({ code: 404, type: 'ResourceNotFound' });
      const other = await server.user();
      await setContact('eve@example.com', other.key);
      expect((await ask(other.key)).status).toBe(403);
      expect((await ask(other.key, 'conv_none')).status).toBe(404);
      const empty = await server.call('POST', '/conversations', { key: other.key, body: {} });
      const { id } = empty.body.conversation as { id: string };
      expect((await ask(other.key, id)).body).toMatchObject({ code: 404 });
      const { features } = (await server.call('GET', '/webchat')).body;
      expect(features).toContain('transcriptMail');
      expect(await inbox.rows('notifications')).toEqual([]);
      expect(catcher.mails).toEqual([]);
    },
  );

  test('who has ended mails, which others do not learn', async () => {
    const { inbox, server, ask, mails, confirm, catcher, setContact, pass } = await start();
    await inbox.send('One');
    await ask();
    await mails(1);
    const stop = /\/c\/unsubscribe\/\w{32}/.exec(catcher.mails[0]?.text ?? '')?.[0] ?? '';
    expect((await server.fetch(stop, { method: 'POST' })).status).toBe(200);
    pass(16 * minute);
    expect((await ask()).body).toEqual({ email, sends: 'link' });
    await confirm();
    expect((await ask()).body).toMatchObject({ code: 403, type: 'Forbidden' });
    expect(catcher.mails).toHaveLength(1);
    // Whoever has confirmed the address and enters it again wants mails again.
    await setContact(email);
    expect((await ask()).body).toEqual({ email, sends: 'transcript' });
    await mails(2);
  });

  test('more than three times without a confirmation, and more than five times a day by request', async () => {
    const { inbox, ask, mails, confirm, pass, catcher, setContact, server } = await start();
    for (let n = 1; n <= 3; n += 1) {
      await inbox.send(`Message ${n}`);
      expect((await ask()).status).toBe(200);
      await mails(n);
    }
    const refused = await ask();
    expect([refused.status, refused.body.type, Number(refused.headers.get('retry-after')) > 0]).toEqual([
      429,
      'RateLimited',
      true,
    ]);
    // Nor does another visitor send one there, who does not learn that others have asked for mails.
    const other = await server.user();
    await setContact(email, other.key);
    const conversationId = await server.conversation(other.key);
    await server.sendMessage(other.key, conversationId, 'Buy this');
    expect((await ask(other.key, conversationId)).body).toEqual({ email, sends: 'link' });
    await confirm();
    for (let n = 4; n <= 5; n += 1) {
      await inbox.send(`Message ${n}`);
      expect((await ask()).body.sends).toBe('transcript');
      await mails(n);
    }
    await inbox.send('Message 6');
    expect((await ask()).status).toBe(429);
    expect((await ask(other.key, conversationId)).body).toEqual({ email, sends: 'link' });
    expect(catcher.mails).toHaveLength(5);
    expect((await inbox.rows('notifications')).map(({ target }) => target)).toEqual([inbox.visitor.id]);
    pass(24 * 60 * minute);
    expect((await ask()).status).toBe(200);
    await mails(6);
    expect(all(catcher.mails)).not.toContain('Buy this');
  });

  test('one network cannot mail to many addresses, whatever visitors and conversations it creates', async () => {
    const { inbox, server, ask, mails, confirm, setContact, catcher, pass } = await start({
      quotas: { QUOTA_ADDRESS_MAILS_HOUR: 3 },
    });
    await inbox.send('One');
    await ask();
    await mails(1);
    await confirm();
    const askFor = async (address: string) => {
      const { key } = await server.user();
      const id = await server.conversation(key);
      await server.sendMessage(key, id, 'One');
      await setContact(address, key);
      const { status } = await ask(key, id);
      await server.call('DELETE', '/users/me', { key });
      return status;
    };
    const victims = ['a@example.com', 'b@example.com', 'c@example.com', 'd@example.com'];
    const statuses: number[] = [];
    for (const victim of victims) statuses.push(await askFor(victim));
    expect(statuses).toEqual([200, 200, 429, 429]);
    // Whoever has confirmed an address does not send to others.
    await inbox.send('Two');
    expect((await ask()).body.sends).toBe('transcript');
    await expect.poll(() => catcher.mails.some(({ text }) => text?.includes('Two')), pollOptions).toBe(true);
    pass(60 * minute);
    expect(await askFor('d@example.com')).toBe(200);
  });

  test('after the visitor is deleted, and a mail server that refuses ends the address', async () => {
    const { inbox, server, ask, catcher } = await start();
    await inbox.send('One');
    catcher.refuse(451);
    await ask();
    await expect.poll(() => catcher.asked(), pollOptions).toBe(1);
    await expect
      .poll(async () => (await inbox.rows('notifications')).map(({ attempts }) => attempts), pollOptions)
      .toEqual([1]);
    await server.call('DELETE', '/users/me', { key: inbox.key });
    await expect
      .poll(async () => {
        await server.composition.cleanUp();
        return inbox.rows('notifications');
      }, pollOptions)
      .toEqual([]);
    expect(catcher.mails).toEqual([]);
  });
});

test('the text has no address, no control character, and is never empty', () => {
  const text = (payload: object) => mailedText(textOfPayload(JSON.stringify(payload)));
  const url = 'https://files.example.com/secret';
  expect(text({ type: 'image', imageUrl: url })).toBe('[image]');
  expect(text({ type: 'bloc', items: [{ type: 'file', payload: { fileUrl: url, title: 'A' } }] })).toBe('A');
  const file = 'https://files.example.com/of/chat/demo/files/file_01-secret~x/my%20parcel.png';
  expect(text({ type: 'markdown', markdown: `See [it](${file}), <${file}> or\n${file} now` })).toBe(
    'See [it](my parcel.png), <my parcel.png> or\nmy parcel.png now',
  );
  const others = 'https://example.com/chat/demo/files and https://example.com/a?b=/chat/';
  expect(text({ type: 'text', text: others })).toBe(others);
  const path = '/chat/a/files/b';
  expect(text({ type: 'text', text: `https:${path.repeat(50_000)}` })).not.toContain(path);
  expect(text({ type: 'text', text: 'a\u202eb\u0007c' })).toBe('abc');
  expect(text({ type: 'text', text: 'x'.repeat(5_000) })).toHaveLength(4_001);
  // No half characters, and the joiners of words and of emoji stay.
  expect(text({ type: 'text', text: `${'x'.repeat(3_999)}😀😀` })).toBe(`${'x'.repeat(3_999)}…`);
  expect(mailedName(`${'x'.repeat(99)}😀`)).toBe('x'.repeat(99));
  for (const word of ['می‌خواهم', '👨‍👩‍👧']) {
    expect(text({ type: 'text', text: word })).toBe(word);
    expect(mailedName(word)).toBe(word);
  }
  expect(mailedName('A\r\nBcc: b@example.com')).toBe('A Bcc: b@example.com');
  expect(mailedName('\u200d \u200c\n')).toBe('');
});
