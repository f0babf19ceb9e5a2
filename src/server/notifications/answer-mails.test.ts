// Tests of mails about answers of persons: when they are sent, what they contain, and what mail servers do to them.
import { createHash } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import { startInbox } from '../inbox/testing.ts';
import { pollOptions } from '../testing.ts';
import { type MailCatcher, openMailCatcher } from './testing.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
const email = 'ann@example.com';
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A visitor with an address, who has asked for a person and is gone, and a member who answers. */
async function start({
  name = 'Ada',
  locale = 'en',
  url,
}: {
  name?: string;
  locale?: string;
  url?: string;
} = {}) {
  const catcher: MailCatcher = await openMailCatcher();
  closing.push(() => catcher.close());
  let time = Date.UTC(2026, 0, 5, 12);
  const options = {
    SMTP_URL: url ?? catcher.url,
    MAIL_FROM: 'Help <chat@example.com>',
    PUBLIC_URL: 'https://chat.example.com',
    now: () => time,
  };
  const inbox = await startInbox(() => {}, options);
  closing.push(() => inbox.close());
  const setContact = (address: string | null, key = inbox.key) =>
    inbox.server.call('PUT', '/contact', { key, body: { email: address, locale } });
  await setContact(email);
  await inbox.send('My secret question');
  await inbox.runtime('POST', '/handoff', {});
  const member = await inbox.member(name);
  await member.act('POST', '/take', {});
  const notices = () => inbox.rows('notifications');
  const wake = () => inbox.server.composition.sendAnswers();
  return {
    ...{ inbox, catcher, member, setContact, options, wake },
    pass(ms: number) {
      // Times of a conversation rise by a millisecond at least.
      time += ms + 100;
      wake();
    },
    answer: member.reply,
    notices,
    /** Resolves when this number of mails was received, and stored as sent. */
    async sent(count: number) {
      await expect
        .poll(async () => {
          const rows = await notices();
          return [catcher.mails.length, rows.some(({ state }) => state === 'waiting')];
        }, pollOptions)
        .toEqual([count, false]);
    },
    contact: async () => (await member.act('GET', '')).body.contact,
  };
}

const linkIn = (text = '') => /https:\/\/chat\.example\.com\/c\/#([\w-]{43})\.demo/.exec(text)?.[1] ?? '';
const unsubscribeIn = (text = '') =>
  /https:\/\/chat\.example\.com(\/c\/unsubscribe\/\w+)/.exec(text)?.[1] ?? '';

describe('an answer that is not read', () => {
  test('is mailed after five minutes, with those after it, in the language of the visitor', async () => {
    const { inbox, catcher, answer, pass, sent, notices, member } = await start({ locale: 'de-AT' });
    await member.act('POST', '/notes', { body: 'canaryofthenotes' });
    await member.act('PUT', '/tags', { tags: ['canaryofthetags'] });
    for (let n = 1; n <= 11; n += 1) await answer(`Answer <b>${n}</b>`);
    expect(await notices()).toHaveLength(1);
    pass(4 * minute);
    expect(catcher.mails).toEqual([]);
    pass(minute);
    await sent(1);
    const [mail] = catcher.mails;
    expect(mail?.recipients).toEqual([email]);
    expect(mail?.subject).toBe('Ada hat Ihnen geantwortet');
    expect(mail?.from?.text).toContain('chat@example.com');
    expect(mail?.text).not.toContain('Answer <b>1</b>');
    expect(mail?.text).toContain('Answer <b>2</b>');
    expect(mail?.text).toContain('Answer <b>11</b>');
    expect(mail?.html).toContain('Answer &lt;b&gt;11&lt;/b&gt;');
    expect(mail?.html).toContain('<html lang="de" dir="ltr">');
    expect(mail?.html).not.toMatch(/<(img|link|script|style)|src=|url\(/);
    expect(mail?.headers.get('auto-submitted')).toBe('auto-generated');
    expect(mail?.headers.get('x-auto-response-suppress')).toBe('All');
    const lines = mail?.headerLines.map(({ line }) => line).join('\n') ?? '';
    expect(lines).toMatch(/^List-Unsubscribe:\s+<https:\/\/chat\.example\.com\/c\/unsubscribe\/\w{32}>$/m);
    expect(lines).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click$/m);
    const all = JSON.stringify(mail);
    for (const hidden of ['canaryofthe', 'secret question', 'Visitor', member.email])
      expect(all).not.toContain(hidden);
    const stored = JSON.stringify(await inbox.rows('return_links'));
    expect(stored).not.toContain(linkIn(mail?.text));
    expect(linkIn(mail?.text)).toHaveLength(43);
  });

  test('is mailed without the marks of Markdown, and so is its row in the inbox', async () => {
    const { inbox, catcher, pass, sent, member } = await start();
    const payload = {
      type: 'markdown',
      markdown: '**Important**: see [the guide](https://site.test/guide)\n- _one_',
    };
    const { seq: seenSeq } = (await member.act('GET', '/timeline')).body;
    expect((await member.act('POST', '/replies', { payload, seenSeq })).status).toBe(201);
    // Stored as it was written, for the renderer of the window.
    expect((await inbox.messages()).at(-1)?.payload).toEqual(payload);
    expect((await member.act('GET', '')).body.conversation.preview).toBe('Important: see the guide - one');
    pass(5 * minute);
    await sent(1);
    expect(catcher.mails[0]?.text).toContain('Important: see the guide (https://site.test/guide)\n- one\n');
  });

  test('is not mailed once the visitor has read it, has written, or is gone for good', async () => {
    const visitor = await start();
    const { inbox, answer, pass, notices, catcher } = visitor;
    const gone = () => expect.poll(notices, pollOptions).toEqual([]);
    await answer('One');
    const [newest] = (await inbox.chat('GET', '/messages')).body.messages;
    expect((await inbox.chat('PUT', '/read', { messageId: newest.id })).status).toBe(200);
    pass(5 * minute);
    await gone();
    await answer('Two');
    await inbox.send('I am here');
    pass(5 * minute);
    await gone();
    await answer('Three');
    await visitor.setContact(null);
    pass(5 * minute);
    await gone();
    await visitor.setContact(email);
    await answer('Four');
    await inbox.server.call('DELETE', '/users/me', { key: inbox.key });
    pass(5 * minute);
    await gone();
    expect(catcher.mails).toEqual([]);
  });

  test('waits five minutes from the first that is unread, and a quarter of an hour after another mail', async () => {
    const { inbox, answer, pass, sent, catcher } = await start();
    await answer('Read');
    const [newest] = (await inbox.chat('GET', '/messages')).body.messages;
    await inbox.chat('PUT', '/read', { messageId: newest.id });
    pass(4 * minute);
    await answer('Unread');
    pass(minute);
    await expect.poll(async () => (await inbox.rows('notifications'))[0]?.attempts, pollOptions).toBe(0);
    pass(4 * minute);
    await sent(1);
    expect(catcher.mails[0]?.text).not.toContain('Read\n');
    await answer('Later');
    pass(14 * minute);
    pass(minute);
    await sent(2);
    const ids = catcher.mails.map(({ messageId }) => messageId);
    expect(new Set(ids).size).toBe(2);
    expect(catcher.mails[1]?.text).toContain('Later');
  });

  test('a name with line breaks adds neither a header nor a recipient', async () => {
    const { answer, pass, sent, catcher } = await start({
      name: 'Ada\r\nBcc: eve@example.com\r\n\r\nHi \u202e',
    });
    await answer('One');
    pass(5 * minute);
    await sent(1);
    const [mail] = catcher.mails;
    expect(mail?.recipients).toEqual([email]);
    expect(mail?.bcc).toBeUndefined();
    expect(mail?.subject).toBe('Ada Bcc: eve@example.com Hi has answered you');
  });
});

describe('an address', () => {
  test('of which no link was opened gets three mails; then as many as ten a day', async () => {
    const { inbox, answer, pass, sent, catcher, contact, notices } = await start();
    for (let n = 1; n <= 3; n += 1) {
      await answer(`Answer ${n}`);
      pass(20 * minute);
      await sent(n);
    }
    await answer('Not mailed');
    pass(20 * minute);
    await expect
      .poll(async () => (await notices()).filter(({ state }) => state === 'waiting'), pollOptions)
      .toEqual([]);
    expect(catcher.mails).toHaveLength(3);
    expect(await contact()).toEqual({ email, state: 'new' });
    // Another user who enters the same address does not get around the limit.
    await inbox.server.call('POST', '/links/use', { body: { token: linkIn(catcher.mails[0]?.text) } });
    expect(await contact()).toEqual({ email, state: 'confirmed' });
    for (let n = 4; n <= 10; n += 1) {
      await answer(`Answer ${n}`);
      pass(20 * minute);
      await sent(n);
    }
    await answer('Tomorrow');
    pass(20 * minute);
    await expect
      .poll(
        async () => Number((await notices()).find(({ state }) => state === 'waiting')?.due_at),
        pollOptions,
      )
      .toBe(Date.UTC(2026, 0, 6));
    expect(catcher.mails).toHaveLength(10);
    pass(day);
    await sent(11);
  });

  test('that wants no mails gets none, by the header of the mail as by its page, which changes nothing when it is opened', async () => {
    const { inbox, answer, pass, sent, catcher, contact, notices, setContact } = await start();
    await answer('One');
    pass(5 * minute);
    await sent(1);
    const path = unsubscribeIn(catcher.mails[0]?.text);
    const request = (method: string, at = path) =>
      inbox.server.fetch(at, { method, headers: { 'accept-language': 'fr' } });
    const page = await request('GET');
    const html = await page.text();
    expect(html).toContain('<form method="post">');
    expect(html).toContain('<h1>chat.example.com</h1>');
    const style = /<style>(.*?)<\/style>/s.exec(html)?.[1] ?? '';
    const digest = createHash('sha256').update(style).digest('base64');
    const policy = page.headers.get('content-security-policy');
    expect(policy).toMatch(
      /^default-src 'none'; style-src .*; form-action 'self'; .*frame-ancestors 'none'$/,
    );
    expect(policy).toContain(`style-src 'sha256-${digest}';`);
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    expect((await request('HEAD')).status).toBe(200);
    expect(await contact()).toMatchObject({ state: 'new' });
    const unknown = await request('POST', `${path.slice(0, -1)}x`);
    expect([unknown.status, unknown.headers.get('content-security-policy')]).toEqual([404, policy]);
    expect((await request('PUT')).status).toBe(405);
    const done = await request('POST');
    expect([done.status, await done.text()]).toEqual([200, expect.stringContaining('Plus aucun e-mail')]);
    expect((await request('POST')).status).toBe(200);
    expect(await contact()).toEqual({ email, state: 'unsubscribed' });
    await answer('Two');
    // Another user who enters the address again does not get it mails.
    await setContact(null);
    await setContact(email);
    await answer('Three');
    expect((await notices()).filter(({ state }) => state === 'waiting')).toEqual([]);
  });
});

describe('a mail server', () => {
  test('that is busy or not there is tried again, and given up after a day', async () => {
    const { inbox, answer, pass, sent, catcher, notices, options, contact } = await start({
      url: 'smtp://127.0.0.1:1',
    });
    await answer('One');
    const attempts = (count: number) =>
      expect.poll(async () => Number((await notices())[0]?.attempts), pollOptions).toBe(count);
    pass(5 * minute);
    await attempts(1);
    // The mail server is repaired, and is busy.
    await inbox.restart({ SMTP_URL: catcher.url });
    catcher.refuse(451);
    pass(5 * minute);
    await attempts(2);
    catcher.accept();
    pass(30 * minute);
    await sent(1);
    expect(await contact()).toMatchObject({ state: 'new' });
    catcher.refuse(450);
    await answer('Two');
    const dueAt = async () => (await notices()).find(({ state }) => state === 'waiting')?.due_at;
    const asked = catcher.asked();
    for (let due = await dueAt(); due !== undefined; due = await dueAt()) {
      pass(Math.max(0, Number(due) - options.now()));
      await expect.poll(dueAt, pollOptions).not.toBe(due);
    }
    // With growing waits: ten tries in a day, and not hundreds.
    expect(catcher.asked() - asked).toBeGreaterThan(3);
    expect(catcher.asked() - asked).toBeLessThan(20);
    expect(catcher.mails).toHaveLength(1);
  });

  test('a mail server that refuses the address makes it undeliverable, which the team sees', async () => {
    const { answer, pass, catcher, notices, contact } = await start();
    catcher.refuse(550);
    await answer('One');
    pass(5 * minute);
    await expect.poll(contact, pollOptions).toEqual({ email, state: 'undeliverable' });
    expect(await notices()).toEqual([]);
    await answer('Two');
    expect(await notices()).toEqual([]);
    expect(catcher.asked()).toBe(1);
  });

  test('an answer that comes while a mail is being sent is mailed next', async () => {
    const { answer, pass, sent, catcher, notices } = await start();
    const release = catcher.hold();
    await answer('One');
    pass(5 * minute);
    await catcher.mailTo(email);
    await answer('Two');
    expect(await notices()).toHaveLength(1);
    release();
    const waiting = async () => (await notices()).filter(({ state }) => state === 'waiting');
    await expect.poll(waiting, pollOptions).toMatchObject([{ attempts: 0 }]);
    pass(30 * minute);
    await sent(2);
    expect(catcher.mails[1]?.text).toContain('Two');
    expect(catcher.mails[1]?.text).not.toContain('One');
  });

  test('the last mail to an address of which no link was opened is sent again, too', async () => {
    const { inbox, answer, pass, sent, catcher } = await start();
    for (const count of [1, 2]) {
      await answer(`Answer ${count}`);
      pass(30 * minute);
      await sent(count);
    }
    await answer('The third');
    // As a process leaves it that was killed while it sent the mail.
    await inbox.server.db.write(async (tx) => {
      await tx.run("UPDATE notifications SET attempts = 1, first_at = due_at WHERE state = 'waiting'");
      await tx.run('UPDATE mailed_addresses SET sent = sent + 1, unconfirmed = unconfirmed + 1');
    });
    pass(30 * minute);
    await sent(3);
    await answer('The fourth');
    pass(30 * minute);
    await expect
      .poll(() => inbox.rows('notifications'), pollOptions)
      .not.toContainEqual(expect.objectContaining({ state: 'waiting' }));
    expect(catcher.mails).toHaveLength(3);
  });

  test('a server that ends between a mail and its record sends it once more, as the same mail', async () => {
    const { inbox, answer, pass, sent, catcher } = await start();
    const release = catcher.hold();
    await answer('One');
    pass(5 * minute);
    await catcher.mailTo(email);
    await inbox.restart();
    release();
    pass(10 * minute);
    await sent(2);
    const [first, second] = catcher.mails;
    expect(second?.messageId).toBe(first?.messageId);
    // Both links open the conversation: the reader may keep either.
    for (const mail of catcher.mails) {
      const { status } = await inbox.server.call('POST', '/links/use', {
        body: { token: linkIn(mail.text) },
      });
      expect(status).toBe(200);
    }
  });
});
