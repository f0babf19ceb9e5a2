// The cases of the operations that a window needs, which the mock server has too: for chat.contract.ts.
import { describe, expect, test } from 'vitest';
import type { Payload } from '../../protocol/message.ts';
import {
  fillSlots,
  neededFields,
  templates,
  validValue,
} from '../../protocol/schemas/payload-slots.testing.ts';
import { type ChatContractFixture, refusal, text } from './fixture.contract.ts';

export function windowContract({
  server,
  createClient,
  visitor,
  startConversation,
  fresh,
  listen,
}: ChatContractFixture): void {
  describe('users', () => {
    test('cannot choose their ids', async () => {
      expect(await refusal(createClient().client.createUser({ id: fresh('ann') }))).toBe('403 Forbidden');
      expect(await refusal(createClient().client.createUser({ id: 'not allowed!' }))).toMatch(/^400 /);
    });
  });

  describe('messages', () => {
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

    test('with the same Idempotency-Key is stored once, and each request has the same result', async () => {
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

  describe('streams', () => {
    test('deliver the own message with the same id as the response, in either order', async () => {
      const { client, user, conversationId } = await startConversation();
      await using stream = await listen(client, conversationId);
      const { message } = await client.createMessage({
        conversationId,
        payload: text('x'),
        metadata: { a: 1 },
      });
      await stream.until(() => stream.signals.length > 0);
      expect(stream.signals).toEqual([
        { type: 'message_created', data: { ...message, userId: user.id, isBot: false } },
      ]);
    });

    test('resume after a cut without a gap or a duplicate', async () => {
      const { client, cut, conversationId } = await startConversation();
      await using stream = await listen(client, conversationId);
      const send = (word: string) => client.createMessage({ conversationId, payload: text(word) });
      await send('1');
      await stream.until(() => stream.texts().length === 1);
      for (const [missed, received] of [
        ['2', '3'],
        ['4', '5'],
      ] as const) {
        const { length } = stream.opens;
        cut();
        // On a busy computer it can be open again before anybody looks.
        await stream.until(() => stream.connection.state === 'waiting' || stream.opens.length > length);
        await send(missed);
        stream.connection.wake();
        await stream.until(() => stream.opens.length > length);
        await send(received);
        await stream.until(() => stream.texts().includes(received));
      }
      expect(stream.texts()).toEqual(['1', '2', '3', '4', '5']);
      expect(stream.opens).toEqual([false, true, true]);
    });

    test('resume at the position of an earlier connection, or report that they cannot', async () => {
      const { client, conversationId } = await startConversation();
      for (const word of ['1', '2', '3']) await client.createMessage({ conversationId, payload: text(word) });
      await using all = await listen(client, conversationId, { lastEventId: '0' });
      await all.until(() => all.texts().length === 3);
      expect(all.texts()).toEqual(['1', '2', '3']);
      await using none = await listen(client, conversationId, { lastEventId: '999' });
      await using foreign = await listen(client, conversationId, { lastEventId: 'not-ours' });
      await client.createMessage({ conversationId, payload: text('4') });
      await none.until(() => none.texts().length > 0);
      await foreign.until(() => foreign.texts().length > 0);
      expect([none.opens, none.texts(), foreign.opens, foreign.texts()]).toEqual([
        [false],
        ['4'],
        [false],
        ['4'],
      ]);
    });

    test('are refused permanently to outsiders', async () => {
      const { conversationId } = await startConversation();
      const { client } = await visitor();
      const { client: nobody } = createClient();
      await using refused = await listen(client, conversationId);
      await using unknown = await listen(nobody, conversationId);
      expect([refused.errors, unknown.errors].map(([error]) => error?.code)).toEqual([403, 401]);
      expect([refused.states, unknown.states]).toEqual([
        ['connecting', 'closed'],
        ['connecting', 'closed'],
      ]);
    });
  });

  describe('stopping and feedback', () => {
    test('stopping a finished answer changes nothing', async () => {
      const { client, conversationId } = await startConversation();
      expect(await client.stopStream({ id: conversationId, streamId: 'stream_over' })).toEqual({});
      expect((await client.listMessages({ conversationId })).messages).toEqual([]);
    });

    test('only a message of a bot can have feedback', async () => {
      const { client, conversationId } = await startConversation();
      const { message } = await client.createMessage({ conversationId, payload: text('mine') });
      const { id } = message;
      expect(await refusal(client.setFeedback({ id, value: 'negative' }))).toBe('403 Forbidden');
      expect(await refusal(client.deleteFeedback({ id }))).toBe('403 Forbidden');
      const nothing = { id: 'msg_unknown' };
      expect(await refusal(client.setFeedback({ ...nothing, value: 'positive' }))).toMatch(/^404 /);
      expect(await refusal(client.setFeedback({ id, value: 'great' as never }))).toMatch(/^400 /);
      expect((await client.getMessage({ id })).message).toEqual(message);
    });
  });

  test('the server reports its features', async () => {
    const webchat = await createClient().client.getWebchat();
    expect(webchat?.features).toEqual(expect.arrayContaining(['replay', 'idempotency', 'files', 'feedback']));
    expect(webchat?.limits.messageBytes).toBeGreaterThan(0);
  });

  test('an aborted call fails with the abort reason', async () => {
    const { client } = await visitor();
    const reason = new Error('left');
    await expect(client.getUser({}, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });
}
