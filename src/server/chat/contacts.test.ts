// Tests of the e-mail addresses of visitors: what is accepted, who sees it, and that it is deleted and exported with the visitor.
import { describe, expect, test } from 'vitest';
import { type Inbox, useInbox } from '../inbox/testing.ts';

const startInbox = useInbox();

function start(mail = true): Promise<Inbox> {
  const options = mail
    ? {
        SMTP_URL: 'smtp://127.0.0.1:1',
        MAIL_FROM: 'chat@example.com',
        PUBLIC_URL: 'https://chat.example.com',
      }
    : {};
  return startInbox(() => {}, options);
}

const setContact = (inbox: Inbox, body: unknown, key = inbox.key) =>
  inbox.server.call('PUT', '/contact', { key, body });
const getContact = (inbox: Inbox, key = inbox.key) => inbox.server.call('GET', '/contact', { key });

describe('the address of a visitor', () => {
  test('is stored in one spelling, replaced and removed by its visitor, and unknown to others', async () => {
    const inbox = await start();
    const other = await inbox.server.user();
    expect((await getContact(inbox)).body).toEqual({ isOffered: true });
    expect((await setContact(inbox, { email: ' Ann@Example.COM ', locale: 'de' })).body).toEqual({
      isOffered: true,
      contact: { email: 'ann@example.com' },
    });
    expect((await getContact(inbox, other.key)).body).toEqual({ isOffered: true });
    await inbox.server.join(inbox.key, inbox.conversationId, other);
    const { body } = await inbox.server.call('GET', `/conversations/${inbox.conversationId}/participants`, {
      key: other.key,
    });
    expect(JSON.stringify(body)).not.toContain('example.com');
    await setContact(inbox, { email: 'bea@example.com' });
    expect((await getContact(inbox)).body.contact).toEqual({ email: 'bea@example.com' });
    expect((await setContact(inbox, { email: null })).body).toEqual({ isOffered: true });
    expect(await inbox.rows('contacts')).toEqual([]);
  });

  test('is refused when it could be anything but one address', async () => {
    const inbox = await start();
    const refused = [
      '',
      'ann',
      'ann@example.com\r\nBcc: bea@example.com',
      'ann@example.com, bea@example.com',
      'Ann <ann@example.com>',
      '"ann"@example.com',
      'ann@[127.0.0.1]',
      'ann\u0000@example.com',
      `${'a'.repeat(65)}@example.com`,
      `ann@${'a'.repeat(250)}.com`,
    ];
    for (const email of refused)
      expect([email, (await setContact(inbox, { email })).body]).toMatchObject([
        email,
        { type: 'InvalidPayload' },
      ]);
    expect(await inbox.rows('contacts')).toEqual([]);
  });

  test('is neither offered nor accepted by a server that sends no mails', async () => {
    const inbox = await start(false);
    expect((await getContact(inbox)).body).toEqual({ isOffered: false });
    expect((await setContact(inbox, { email: 'ann@example.com' })).body).toMatchObject({ type: 'Forbidden' });
    expect((await setContact(inbox, { email: null })).status).toBe(200);
  });

  test('is seen by the team and in the export, and not by the bot', async () => {
    const inbox = await start();
    await setContact(inbox, { email: 'ann@example.com' });
    await inbox.runtime('POST', '/handoff', {});
    const member = await inbox.member('Ada');
    expect((await member.act('GET', '')).body.contact).toEqual({ email: 'ann@example.com', state: 'new' });
    await inbox.send('Hello');
    for (const path of [`/users/${inbox.visitor.id}`, `/conversations/${inbox.conversationId}`])
      expect(JSON.stringify(await inbox.bot('GET', path))).not.toContain('ann@');
    expect(JSON.stringify(inbox.received)).not.toContain('ann@');
    const { body } = await inbox.request(
      'GET',
      `/v1/admin/bots/${inbox.botId}/users/${inbox.visitor.id}/export`,
      {
        authorization: `Bearer ${inbox.server.admin.token}`,
        'x-workspace-id': inbox.workspaceId,
      },
    );
    expect(body.items).toContainEqual({ type: 'contact', contact: { email: 'ann@example.com' } });
  });

  test('moves to the user who takes an anonymous one over, and is deleted with the user', async () => {
    const inbox = await start();
    const named = await inbox.server.user({ id: 'customer' });
    await setContact(inbox, { email: 'ann@example.com' });
    await inbox.server.call('POST', '/users/me/merge', { key: named.key, body: { userKey: inbox.key } });
    expect((await getContact(inbox, named.key)).body.contact).toEqual({ email: 'ann@example.com' });
    expect(await inbox.rows('contacts')).toHaveLength(1);
    await inbox.server.call('DELETE', '/users/me', { key: named.key });
    expect(await inbox.rows('contacts')).toEqual([]);
  });
});
