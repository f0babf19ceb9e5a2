// More cases of messages, events and idempotency keys, for chat.contract.ts.
import { describe, expect, test } from 'vitest';
import { type ChatContractFixture, refusal, text } from './fixture.contract.ts';

export function messagesContract({
  createClient,
  visitor,
  startConversation,
  join,
}: ChatContractFixture): void {
  describe('messages and events', () => {
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
  });

  describe('the same Idempotency-Key', () => {
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
}
