// The cases of streams and typing with several participants, for chat.contract.ts.
import { describe, expect, test } from 'vitest';
import { type ChatContractFixture, text } from './fixture.contract.ts';

export function streamsContract({ visitor, startConversation, join, listen }: ChatContractFixture): void {
  describe('streams', () => {
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

  describe('the page of the visitor', () => {
    test('the owner shares it and ends that; a guest and an address of another kind are refused', async () => {
      const { client, conversationId: id } = await startConversation();
      const guest = await visitor();
      await join(client, id, guest);
      const page = { url: 'https://shop.example/cart', title: 'Cart' };
      expect(await client.setPage({ id, page })).toEqual({});
      expect(await client.setPage({ id, page: null })).toEqual({});
      await expect(guest.client.setPage({ id, page })).rejects.toMatchObject({ code: 403 });
      const script = { url: 'javascript:alert(1)' };
      await expect(client.setPage({ id, page: script })).rejects.toMatchObject({ code: 400 });
    });
  });

  describe('typing', () => {
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
  });
}
