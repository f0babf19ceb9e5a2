// The cases of messages, events, idempotency keys, pages of lists and files, for chat.contract.ts.
import { describe, expect, test } from 'vitest';
import type { Payload } from '../../protocol/message.ts';
import {
  fillSlots,
  neededFields,
  templates,
  validValue,
} from '../../protocol/schemas/payload-slots.testing.ts';
import { type ChatContractFixture, refusal, text } from './fixture.contract.ts';

export function messagesContract({
  server,
  createClient,
  visitor,
  startConversation,
  join,
  fresh,
}: ChatContractFixture): void {
  describe('messages and events', () => {
    test('a message is returned as it was sent, with metadata next to the payload', async () => {
      const { client, user, conversationId } = await startConversation();
      const payload = { type: 'text', text: 'Grüße 😀', value: 'v' } as const;
      const metadata = { clientMessageId: 'k', nested: { a: [1, null] } };
      const { message } = await client.createMessage({ conversationId, payload, metadata });
      expect(message).toMatchObject({ payload, metadata, conversationId, userId: user.id });
      expect(new Date(message.createdAt).toISOString()).toBe(message.createdAt);
      expect((await client.getMessage({ id: message.id })).message).toEqual(message);
      expect((await client.listMessages({ conversationId })).messages).toEqual([message]);
    });

    test('only the sender can delete a message', async () => {
      const { client, conversationId } = await startConversation();
      const guest = await visitor();
      await join(client, conversationId, guest);
      const { message } = await client.createMessage({ conversationId, payload: text('x') });
      expect(await refusal(guest.client.deleteMessage({ id: message.id }))).toBe('403 Forbidden');
      expect(await client.deleteMessage({ id: message.id })).toEqual({});
      expect(await refusal(client.getMessage({ id: message.id }))).toBe('404 ResourceNotFound');
      expect(await refusal(client.deleteMessage({ id: message.id }))).toBe('404 ResourceNotFound');
      expect((await client.listMessages({ conversationId })).messages).toEqual([]);
    });

    test('an event is returned as it was sent', async () => {
      const { client, user, conversationId } = await startConversation();
      const payload = { type: 'custom', data: { a: [1, { b: null }] } };
      const { event } = await client.createEvent({ conversationId, payload });
      expect(event).toMatchObject({ payload, conversationId, userId: user.id });
      expect((await client.getEvent({ id: event.id })).event).toEqual(event);
      expect(await refusal(client.getEvent({ id: 'evt_unknown' }))).toBe('404 ResourceNotFound');
    });

    test.each(templates)('a payload of the type $type is returned as it was sent', async (template) => {
      const { client, conversationId } = await startConversation();
      // The compiler cannot know that the template of a schema results in a payload.
      const payload = fillSlots(template, validValue) as Payload;
      expect((await client.createMessage({ conversationId, payload })).message.payload).toEqual(payload);
    });

    test.each<[payload: unknown, path: string]>([
      [{ type: 'text' }, 'payload.text'],
      [{ type: 'text', text: '' }, 'payload.text'],
      [{ type: 'nonsense' }, 'payload.type'],
      [{}, 'payload.type'],
      [null, 'payload'],
      ['text', 'payload'],
      // Without each field that a type needs, and with another value in it.
      ...neededFields.flatMap(([type, field]) => {
        const payload = fillSlots(
          templates.find((one) => one.type === type),
          validValue,
        ) as object;
        return [undefined, {}].map((value): [object, string] => [
          { ...payload, [field]: value },
          `payload.${field}`,
        ]);
      }),
    ])('the payload %j is refused, with the path of the wrong field', async (payload, path) => {
      const { client, conversationId } = await startConversation();
      // A payload of the wrong type.
      const sent = client.createMessage({ conversationId, payload: payload as never });
      await expect(sent).rejects.toMatchObject({ code: 400, metadata: { issues: [{ path }] } });
      expect((await client.listMessages({ conversationId })).messages).toEqual([]);
    });
  });

  describe('the same Idempotency-Key', () => {
    test('has one effect and returns the same result', async () => {
      const { client, conversationId } = await startConversation();
      const input = { conversationId, payload: text('once') };
      const options = { idempotencyKey: fresh('key') };
      const [a, b] = await Promise.all([
        client.createMessage(input, options),
        client.createMessage(input, options),
      ]);
      const c = await client.createMessage(input, options);
      expect([b, c]).toEqual([a, a]);
      await client.createMessage(input, { idempotencyKey: fresh('key') });
      expect((await client.listMessages({ conversationId })).messages.length).toBe(2);
    });

    test('creates one user, one conversation, one event', async () => {
      const { client } = createClient();
      // Without a caller the server knows only the key, so the key must be hard to guess.
      const options = { idempotencyKey: crypto.randomUUID() };
      const first = await client.createUser({ name: 'Ann' }, options);
      const second = await client.createUser({ name: 'Ann' }, options);
      expect(second.user).toEqual(first.user);
      client.userKey = second.key;
      const made = await client.createConversation({}, options);
      expect(await client.createConversation({}, options)).toEqual(made);
      expect((await client.listConversations({})).conversations.length).toBe(1);
      const event = { conversationId: made.conversation.id, payload: { a: 1 } };
      expect(await client.createEvent(event, options)).toEqual(await client.createEvent(event, options));
    });
  });

  describe('pages', () => {
    test('contain every message once, newest first, also while messages are added', async () => {
      const { client, conversationId } = await startConversation();
      const texts = Array.from({ length: 120 }, (_, i) => `m${i}`);
      for (const word of texts) await client.createMessage({ conversationId, payload: text(word) });
      const read = ({ payload }: { payload: unknown }) => (payload as { text: string }).text;
      const all = client.list.messages({ conversationId });
      expect((await all.collect()).map(read)).toEqual(texts.toReversed());
      expect((await all.collect({ limit: 70 })).map(read)).toEqual(texts.toReversed().slice(0, 70));
      expect(await all.collect({ limit: 0 })).toEqual([]);
      const seen: string[] = [];
      for await (const message of all) {
        if (seen.length === 10) await client.createMessage({ conversationId, payload: text('new') });
        seen.push(read(message));
      }
      expect(seen).toEqual(texts.toReversed());
    });

    test('with an invented token are refused', async () => {
      const { client, conversationId } = await startConversation();
      for (const nextToken of ['x', 'p2+/=', '💥']) {
        expect(await refusal(client.listMessages({ conversationId, nextToken }))).toMatch(/^400 /);
      }
    });
  });

  describe('files', () => {
    const bytes = new TextEncoder().encode('Grüße');
    const put = (url: string, body: BodyInit) => server().fetch(url, { method: 'PUT', body });

    test('are announced, sent and read, and can be part of a message', async () => {
      const { client, conversationId } = await startConversation();
      const { file } = await client.createFile({ key: 'Grüße.txt', size: bytes.length });
      expect(file).toMatchObject({ key: 'Grüße.txt', contentType: 'text/plain', status: 'upload_pending' });
      expect((await server().fetch(file.url, {})).status).toBe(404);
      expect((await put(file.uploadUrl, bytes)).status).toBe(204);
      const response = await server().fetch(file.url, {});
      expect([response.status, await response.text()]).toEqual([200, 'Grüße']);
      const payload = { type: 'file', fileUrl: file.url, title: file.key, fileId: file.id } as const;
      const { message } = await client.createMessage({ conversationId, payload });
      expect(message.payload).toEqual(payload);
    });

    test('that are too large, or have no name or no bytes, are refused before the upload', async () => {
      const { client } = await visitor();
      const { limits } = (await client.getWebchat()) ?? {};
      const most = limits?.fileBytes ?? 0;
      expect(most).toBeGreaterThan(0);
      expect(await refusal(client.createFile({ key: 'a', size: most + 1 }))).toMatch(/^413 /);
      expect(await refusal(client.createFile({ key: '', size: 1 }))).toMatch(/^400 /);
      expect(await refusal(client.createFile({ key: 'a', size: 0 }))).toMatch(/^400 /);
      expect(await refusal(createClient().client.createFile({ key: 'a', size: 1 }))).toMatch(/^401 /);
    });
  });
}
