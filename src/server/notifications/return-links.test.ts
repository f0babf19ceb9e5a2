// Tests of links in mails: what their key can do, that opening a page uses nothing, and when they end.
import { afterEach, describe, expect, test } from 'vitest';
import { type Inbox, startInbox } from '../inbox/testing.ts';
import { botById } from '../storage/bots/bots.ts';
import { findContact } from '../storage/notifications/contacts.ts';
import { createReturnLink, returnLinkLifetimeMs } from './return-links.ts';

const started: Inbox[] = [];
afterEach(async () => {
  await Promise.all(started.splice(0).map(({ server }) => server.close()));
});

/** A visitor who has left an address, and a link to their conversation as a mail contains it. */
async function start(user?: { id: string }) {
  let time = Date.UTC(2026, 0, 5, 12);
  const inbox = await startInbox(() => {}, {
    SMTP_URL: 'smtp://127.0.0.1:1',
    MAIL_FROM: 'chat@example.com',
    PUBLIC_URL: 'https://chat.example.com',
    now: () => time,
  });
  started.push(inbox);
  const { server } = inbox;
  const visitor = user ? await server.user({ id: user.id }) : inbox.visitor;
  const conversationId = user ? await server.conversation(visitor.key) : inbox.conversationId;
  await server.call('PUT', '/contact', { key: visitor.key, body: { email: 'ann@example.com' } });
  const url = await server.db.write(async (tx) => {
    const bot = await botById(tx, inbox.botId);
    const [row] = await tx.all<{ id: string }>('SELECT user_id AS id FROM contacts');
    const contact = await findContact(tx, row?.id ?? '');
    if (!bot || !contact) throw new Error('The visitor has no address.');
    return createReturnLink(
      tx,
      { bot, conversationId, contact },
      { address: 'https://chat.example.com', now: time },
    );
  });
  const token = /^https:\/\/chat\.example\.com\/c\/#([\w-]{43})\.demo$/.exec(url)?.[1] ?? '';
  const use = (of = token) => server.call('POST', '/links/use', { body: { token: of } });
  return {
    ...{ inbox, server, visitor, conversationId, token, use },
    pass(ms: number) {
      time += ms;
    },
  };
}

describe('a link in a mail', () => {
  test('opens its conversation, again and again, and only its conversation', async () => {
    const { inbox, server, visitor, conversationId, use } = await start();
    await server.conversation(visitor.key);
    const { status, body } = await use();
    expect([status, body.conversationId]).toEqual([200, conversationId]);
    const again = (await use()).body;
    expect(again.userKey).not.toBe(body.userKey);
    const key = String(body.userKey);
    const call = (method: string, path: string, body?: unknown) =>
      server.call(method, path, { key, ...(body === undefined ? {} : { body }) });
    const text = { type: 'text', text: 'Hello again' };
    // Data of the visitor that the application has stored is not a part of the conversation.
    const profile = { name: 'Ann', profile: 'canaryprofile' };
    expect((await server.call('PUT', '/users/me', { key: visitor.key, body: profile })).status).toBe(200);
    for (const [method, path] of [
      ['GET', '/users/me'],
      ['POST', '/users/get-or-create'],
      ['GET', `/conversations/${conversationId}/participants`],
    ] as const) {
      const { status, body } = await call(method, path, method === 'POST' ? {} : undefined);
      const text = JSON.stringify(body);
      const seen = [status < 300, text.includes('Ann'), text.includes('canaryprofile')];
      expect([path, ...seen]).toEqual([path, true, true, false]);
    }
    expect((await call('POST', '/messages', { conversationId, payload: text })).status).toBe(201);
    expect((await inbox.texts()).at(-1)).toEqual(['visitor', 'Hello again']);
    expect((await call('GET', `/conversations/${conversationId}/messages`)).status).toBe(200);
    expect((await call('GET', `/conversations/${conversationId}/activities`)).status).toBe(200);
    const { conversations } = (await call('GET', '/conversations')).body;
    expect((conversations as { id: string }[]).map(({ id }) => id)).toEqual([conversationId]);
    const stream = await server.listen(key, conversationId);
    expect(stream.response.status).toBe(200);
    await stream.cancel();

    expect((await call('GET', '/contact')).body).toEqual({ isOffered: false });
    expect((await server.call('GET', '/contact', { key: visitor.key })).body.contact).toEqual({
      email: 'ann@example.com',
    });
  });

  test('is not used by requests that only look, and unknown ones are refused in the same way', async () => {
    const { inbox, server, token, use } = await start();
    for (const method of ['GET', 'HEAD'])
      for (const path of [
        '/c/',
        `/c/${token}`,
        '/chat/demo/links/use',
        `/chat/demo/links/use?token=${token}`,
      ])
        expect((await server.fetch(path, { method })).status).toBeGreaterThanOrEqual(400);
    expect((await inbox.rows('contacts'))[0]?.confirmed_at).toBeNull();
    for (const wrong of ['x'.repeat(43), token.toUpperCase(), `${token.slice(0, -1)}_`])
      if (wrong !== token) expect((await use(wrong)).status).toBe(401);
    expect((await use(`${token}x`)).status).toBe(400);
    expect((await use()).status).toBe(200);
    expect((await inbox.rows('contacts'))[0]?.confirmed_at).not.toBeNull();
  });

  test.each([
    ['14 days', async ({ pass }) => pass(returnLinkLifetimeMs)],
    [
      'the visitor logs out everywhere',
      async ({ server, visitor }) => {
        await server.call('DELETE', '/users/me/keys', { key: visitor.key });
      },
    ],
    [
      'the visitor is deleted',
      async ({ server, visitor }) => {
        await server.call('DELETE', '/users/me', { key: visitor.key });
      },
    ],
    [
      'the conversation is deleted',
      async ({ inbox }) => {
        await inbox.chat('DELETE', '');
      },
    ],
    [
      'the secrets of the bot are rotated',
      async ({ server }) => {
        await server.db.write((tx) => tx.run('UPDATE bots SET own_keys = own_keys + 1'));
      },
    ],
  ] satisfies [string, (fixture: Awaited<ReturnType<typeof start>>) => Promise<void>][])(
    'ends with its key when %s',
    async (_, end) => {
      const fixture = await start();
      const key = String((await fixture.use()).body.userKey);
      const read = () => fixture.server.call('GET', `/conversations/${fixture.conversationId}`, { key });
      expect((await read()).status).toBe(200);
      await end(fixture);
      expect((await fixture.use()).status).toBe(401);
      expect([401, 404]).toContain((await read()).status);
    },
  );

  test('leads a visitor whom the site identifies to the page of the site, if the bot has one', async () => {
    const { inbox, server, use } = await start({ id: 'customer' });
    expect((await use()).body.userKey).toEqual(expect.any(String));
    const headers = { authorization: `Bearer ${server.admin.token}`, 'x-workspace-id': inbox.workspaceId };
    const path = `/v1/admin/bots/${inbox.botId}/deployment`;
    expect((await inbox.request('PUT', path, headers, { returnUrl: 'javascript:alert(1)' })).status).toBe(
      400,
    );
    const { body } = await inbox.request('PUT', path, headers, { returnUrl: 'https://example.com/help' });
    expect(body.deployment.returnUrl).toBe('https://example.com/help');
    expect((await use()).body).toEqual({ returnUrl: 'https://example.com/help' });
    await inbox.request('PUT', path, headers, { returnUrl: null });
    expect((await use()).body.userKey).toEqual(expect.any(String));
  });
});
