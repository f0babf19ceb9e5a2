// The cases of streams, typing, stopping and feedback, for chat.contract.ts.
import { describe, expect, test } from 'vitest';
import { type ChatContractFixture, refusal, text } from './fixture.contract.ts';

export function streamsContract({
  createClient,
  visitor,
  startConversation,
  join,
  listen,
}: ChatContractFixture): void {
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

    test('deliver all signals in order', async () => {
      const { client, conversationId } = await startConversation();
      const guest = await visitor();
      await using stream = await listen(client, conversationId);
      await join(client, conversationId, guest);
      const { message } = await guest.client.createMessage({ conversationId, payload: text('hi') });
      const { event } = await guest.client.createEvent({ conversationId, payload: { a: 1 } });
      await guest.client.deleteMessage({ id: message.id });
      await client.removeParticipant({ conversationId, userId: guest.user.id });
      await stream.until(() => stream.signals.length === 5);
      const ids = { conversationId, participantId: guest.user.id };
      expect(stream.signals).toEqual([
        { type: 'participant_added', data: ids },
        { type: 'message_created', data: { ...message, isBot: false } },
        { type: 'event_created', data: { ...event, isBot: false } },
        { type: 'message_deleted', data: { id: message.id, conversationId, userId: guest.user.id } },
        { type: 'participant_removed', data: ids },
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

    test('end for a participant who is removed', async () => {
      const { client, conversationId } = await startConversation();
      const guest = await visitor();
      await join(client, conversationId, guest);
      await using stream = await listen(guest.client, conversationId);
      await client.removeParticipant({ conversationId, userId: guest.user.id });
      await stream.until(() => stream.connection.state !== 'open');
      await client.createMessage({ conversationId, payload: text('behind their back') });
      stream.connection.wake();
      await stream.until(() => stream.connection.state === 'closed');
      expect(stream.errors.map(({ code }) => code)).toEqual([403]);
      expect(stream.texts()).toEqual([]);
    });
  });

  describe('typing, stopping, feedback', () => {
    test('typing is delivered to the others', async () => {
      const { client, conversationId } = await startConversation();
      const guest = await visitor();
      await join(client, conversationId, guest);
      await using stream = await listen(client, conversationId);
      expect(await guest.client.setTyping({ id: conversationId, typing: true })).toEqual({});
      expect(await guest.client.setTyping({ id: conversationId, typing: false })).toEqual({});
      await stream.until(() => stream.signals.length === 2);
      const ids = { conversationId, userId: guest.user.id };
      expect(stream.signals).toEqual([
        { type: 'typing_started', data: { ...ids, timeout: expect.any(Number) } },
        { type: 'typing_stopped', data: ids },
      ]);
    });

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
}
