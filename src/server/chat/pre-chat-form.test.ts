// Tests of the answers to the form before a conversation: what is refused, who sees which of them, and that they end with the
// conversation and the visitor.
import { describe, expect, test } from 'vitest';
import type { PreChatAnswers } from '../../protocol/visitors.ts';
import { type Inbox, useInbox } from '../inbox/testing.ts';
import { pollOptions } from '../testing.ts';

const start = useInbox();

const answers: PreChatAnswers = {
  name: '  Zoë O’Neil ',
  email: 'Zoe@Example.com',
  topic: 'Prices < 10 €',
  consent: 'I agree to the privacy policy.',
  fields: { order: '№ 12', الاسم: 'سارة\u200cعلي' },
};
const form = {
  topic: 'Prices < 10 €',
  consent: { text: 'I agree to the privacy policy.', at: expect.stringMatching(/^20.*Z$/) },
  fields: answers.fields,
};

const begin = (inbox: Inbox, preChatForm: unknown, headers: Record<string, string> = {}) =>
  inbox.server.call('POST', '/conversations', { key: inbox.key, body: { preChatForm }, headers });
const userOf = async (inbox: Inbox, key = inbox.key) =>
  (await inbox.server.call('GET', '/users/me', { key })).body.user;

describe('the answers', () => {
  test('are read by the bot with its first event, by the team, and in the export; the address is hidden from the bot', async () => {
    const inbox = await start();
    const { server, rows } = inbox;
    const locale = 'chat=pt-BR&timeZone=America%2FSao_Paulo';
    const headers = { 'idempotency-key': 'once', 'x-visitor-locale': locale };
    const { status, body } = await begin(inbox, answers, headers);
    expect([status, Object.keys(body.conversation as object)]).toEqual([
      201,
      ['id', 'createdAt', 'updatedAt'],
    ]);
    // Repeated after a lost response.
    expect((await begin(inbox, answers, headers)).body).toEqual(body);
    await inbox.idle();
    expect(inbox.received).toEqual([
      { type: 'conversation_started', preview: '', payload: { preChatForm: form } },
    ]);
    expect(await userOf(inbox)).toMatchObject({ name: 'Zoë O’Neil' });
    expect(await rows('contacts')).toMatchObject([{ email: 'zoe@example.com', locale: 'pt-BR' }]);

    const { id } = body.conversation as { id: string };
    await inbox.bot('POST', `/conversations/${id}/handoff`, {});
    const ada = await inbox.member('Ada');
    expect((await ada.call('GET', `/conversations/${id}`)).body).toMatchObject({
      visitor: { name: 'Zoë O’Neil' },
      contact: { email: 'zoe@example.com', state: 'new' },
      preChatForm: form,
    });
    const exported = await inbox.request(
      'GET',
      `/v1/admin/bots/${inbox.botId}/users/${inbox.visitor.id}/export`,
      { authorization: `Bearer ${server.admin.token}`, 'x-workspace-id': inbox.workspaceId },
    );
    expect(exported.body.items).toContainEqual({
      type: 'preChatForm',
      conversationId: id,
      preChatForm: form,
    });

    for (const path of [`/users/${inbox.visitor.id}`, `/conversations/${id}`])
      expect(JSON.stringify(await inbox.bot('GET', path))).not.toContain('zoe@');
    const guest = await server.user();
    await server.join(inbox.key, id, guest);
    for (const path of ['', '/participants', '/messages'])
      expect(
        JSON.stringify((await server.call('GET', `/conversations/${id}${path}`, { key: guest.key })).body),
      ).not.toMatch(/zoe@|Prices|agree|№/);
  });

  test('the answers of the first conversation come with its user, and none without a conversation', async () => {
    const inbox = await start();
    const create = (body: object) => inbox.server.call('POST', '/users', { body });
    const { status, body } = await create({
      name: 'Guest',
      firstConversation: true,
      preChatForm: { ...answers, topic: 'Order' },
    });
    expect([status, body.user]).toMatchObject([201, { name: 'Zoë O’Neil' }]);
    await inbox.idle();
    expect(inbox.received[0]?.payload).toEqual({ preChatForm: { ...form, topic: 'Order' } });
    const key = String(body.key);
    expect((await inbox.server.call('GET', '/contact', { key })).body.contact).toEqual({
      email: 'zoe@example.com',
    });
    expect(await create({ preChatForm: answers })).toMatchObject({
      status: 400,
      body: { type: 'InvalidPayload', message: expect.stringContaining('firstConversation') },
    });
    // Only name and address: nothing is left for the conversation.
    inbox.received.length = 0;
    await create({ firstConversation: true, preChatForm: { email: 'ann@example.com' } });
    await inbox.idle();
    expect(inbox.received[0]?.payload).toEqual({});
    expect((await create({ firstConversation: true, preChatForm: {} })).status).toBe(201);

    await inbox.server.call('DELETE', '/users/me', { key });
    expect(await inbox.rows('contacts')).toMatchObject([{ email: 'ann@example.com' }]);
    const storedConversations = async () => JSON.stringify(await inbox.rows('conversations'));
    await expect.poll(storedConversations, pollOptions).not.toContain('I agree');
  });

  test('are refused with the name of the answer, and nothing is stored', async () => {
    const inbox = await start();
    const before = await inbox.rows('conversations');
    const lines = [
      '   ',
      'a\nb',
      'a\u007fb',
      'a\u2028b',
      '\u202egnp.exe',
      '\ud800',
      '<script>alert(1)</script>',
      '<!--',
    ];
    const refused: [name: string, value: unknown][] = [
      ...['name', 'topic', 'consent'].flatMap((name) =>
        lines.map((value): [string, unknown] => [name, value]),
      ),
      ['email', 'ann@example.com\r\nBcc: bea@example.com'],
      ...lines.map((value): [string, unknown] => ['fields', { order: value }]),
      ['fields', { ['x'.repeat(10_000)]: 'x' }],
      ['fields', { '<b>': 'x' }],
      ['fields', Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`f${index}`, 'x']))],
    ];
    // Of one field of the site, its name is named, too.
    const pathOf = (name: string, value: unknown) => {
      const names = name === 'fields' && typeof value === 'object' ? Object.keys(value ?? {}) : [];
      return ['preChatForm', name, ...(names.length === 1 ? names : [])].join('.');
    };
    for (const [name, value] of refused) {
      const { status, body } = await begin(inbox, { topic: 'Order', [name]: value });
      expect([name, value, status, body]).toMatchObject([
        name,
        value,
        400,
        { type: 'InvalidPayload', metadata: { issues: [{ path: pathOf(name, value) }] } },
      ]);
    }
    expect(await inbox.rows('conversations')).toEqual(before);
    expect(await inbox.rows('contacts')).toEqual([]);
    expect(await userOf(inbox)).toMatchObject({ name: 'Visitor' });
  });

  test('move with the conversation to the user who takes an anonymous one over', async () => {
    const inbox = await start();
    const { body } = await begin(inbox, answers);
    const named = await inbox.server.user({ id: 'customer' });
    await inbox.server.call('POST', '/users/me/merge', { key: named.key, body: { userKey: inbox.key } });
    const { id } = body.conversation as { id: string };
    const stored = (await inbox.rows('conversations')).find((row) => row.id === id);
    expect(JSON.parse(String(stored?.pre_chat_form))).toEqual(form);
    expect((await inbox.server.call('GET', '/contact', { key: named.key })).body.contact).toEqual({
      email: 'zoe@example.com',
    });
  });
});
