// The cases of the Runtime API, for platform.contract.ts.
import { describe, expect, test } from 'vitest';
import { ChatClient } from '../index.ts';
import { type PlatformContractFixture, refusal } from './fixture.contract.ts';

export function runtimeContract({ server, client, fresh }: PlatformContractFixture): void {
  /** Creates a visitor of the bot with a conversation. */
  const createVisitor = async () => {
    const { apiUrl, fetch } = server();
    const visitor = new ChatClient({
      chatUrl: new URL('/chat/demo', apiUrl).href,
      fetch: (url, init) => fetch(url, init ?? {}),
    });
    const { user, key } = await visitor.createUser({});
    visitor.userKey = key;
    const { conversation } = await visitor.createConversation({});
    return { visitor, userId: user.id, conversationId: conversation.id };
  };
  const text = (content: string) => ({ type: 'text' as const, text: content });

  describe('an external bot', () => {
    test('sends, reads and deletes a message', async () => {
      const { visitor, conversationId } = await createVisitor();
      const content = fresh('Hello');
      const { message } = await client().createMessage({ conversationId, payload: text(content) });
      expect((await client().getMessage({ id: message.id })).message).toEqual(message);
      const { messages } = await client().listMessages({ conversationId });
      expect(messages).toContainEqual(message);
      const seen = await visitor.list.messages({ conversationId }).collect();
      expect(seen.map(({ payload }) => payload)).toContainEqual(text(content));
      expect(await client().deleteMessage({ id: message.id })).toEqual({});
      expect(await refusal(client().getMessage({ id: message.id }))).toBe('404 ResourceNotFound');
      expect(await refusal(client().createMessage({ conversationId, payload: text('') }))).toBe(
        '400 InvalidPayload',
      );
    });

    test('finds its conversations and users', async () => {
      const { userId, conversationId } = await createVisitor();
      const { conversation } = await client().getConversation({ id: conversationId });
      expect(conversation.tags.owner).toBe(userId);
      const found = await client().list.conversations({ userId }).collect();
      expect(found.map(({ id }) => id)).toEqual([conversationId]);
      const { user } = await client().getUser({ id: userId });
      expect(await client().list.users({ conversationId }).collect()).toEqual([user]);
      expect((await client().listUsers({ tags: { fid: 'nobody' } })).users).toEqual([]);
      expect((await client().listConversations({ pageSize: 1 })).conversations).toHaveLength(1);
      expect(await refusal(client().getConversation({ id: 'x' }))).toBe('404 ResourceNotFound');
    });

    test('creates conversations and users, and finds them by their tags', async () => {
      const tags = { ticket: fresh('ticket') };
      const { conversation } = await client().createConversation({ tags });
      const same = await client().getOrCreateConversation({ tags });
      expect(same).toEqual({ conversation, meta: { created: false } });
      const { id } = conversation;
      const changed = await client().updateConversation({ id, tags: { level: '2' } });
      expect(changed.conversation.tags).toMatchObject({ ...tags, level: '2' });
      const found = await client().list.conversations({ tags, sortField: 'updatedAt' }).collect();
      expect(found).toEqual([changed.conversation]);
      expect(await client().deleteConversation({ id })).toEqual({});
      const { user } = await client().createUser({ tags, name: 'Ann' });
      expect((await client().getOrCreateUser({ tags })).user).toEqual(user);
      expect((await client().updateUser({ id: user.id, name: null })).user).not.toHaveProperty('name');
      expect(await client().deleteUser({ id: user.id })).toEqual({});
      expect(await client().list.users({ tags }).collect()).toEqual([]);
    });

    test('tags and changes its messages', async () => {
      const { conversationId } = await createVisitor();
      const tags = { step: fresh('step') };
      const given = { conversationId, payload: text('Hello'), tags };
      const { message, meta } = await client().getOrCreateMessage(given);
      expect([message.tags, message.direction, meta]).toEqual([tags, 'outgoing', { created: true }]);
      const changed = await client().updateMessage({ id: message.id, payload: { text: 'Bye' } });
      expect(changed.message.payload).toEqual(text('Bye'));
      expect(await client().list.messages({ tags }).collect()).toEqual([changed.message]);
    });

    test('sends parts with a message, and changes them', async () => {
      const { conversationId } = await createVisitor();
      const { message } = await client().createMessage({
        conversationId,
        payload: text('Exporting'),
        parts: [{ id: 'job', type: 'tool', toolName: 'export', state: 'output-available' }],
      });
      const at = { id: message.id, partId: 'job' };
      const changed = await client().updateMessagePart({ ...at, part: { title: 'Exported' } });
      expect(changed.message.parts).toEqual([
        { id: 'job', at: 0, type: 'tool', toolName: 'export', state: 'output-available', title: 'Exported' },
      ]);
      expect((await client().getMessage({ id: message.id })).message).toEqual(changed.message);
      const { stream } = await client().createStream({ conversationId });
      const part = { id: 'r', type: 'source', title: 'Returns', url: 'https://example.com/returns' };
      await client().writeStream({ id: stream.id, delta: 'See [1].', position: 0, part });
      const ended = await client().endStream({ id: stream.id });
      expect(ended.message.parts).toEqual([{ at: 8, ...part }]);
    });

    test('stores states', async () => {
      const { userId, conversationId } = await createVisitor();
      const at = { type: 'conversation', id: conversationId, name: 'cart' };
      const { state } = await client().setState({ ...at, payload: { a: 1 } });
      expect((await client().getState(at)).state).toEqual(state);
      const patched = await client().patchState({ ...at, payload: { b: 2 } });
      expect(patched.state.payload).toEqual({ a: 1, b: 2 });
      const later = await client().setStateExpiry({ ...at, expiry: 60_000 });
      expect(later.state.expiry).toBe(60_000);
      const ofUser = { ...at, type: 'user', id: userId, payload: { c: 3 } };
      expect((await client().getOrSetState(ofUser)).state).toMatchObject({ userId, payload: { c: 3 } });
      expect(await refusal(client().getState({ ...at, type: 'workflow' }))).toBe('501 NotImplemented');
    });

    test('asks for a person, who answers at another desk until the bot answers again', async () => {
      const { visitor, conversationId: id } = await createVisitor();
      expect(await client().getHandling({ id })).toEqual({
        handling: { conversationId: id, revision: 0, state: 'bot' },
      });
      const asked = await client().requestHandoff({ id, reason: 'refund' });
      expect(asked).toMatchObject({ accepted: true, handling: { state: 'waiting', revision: 1 } });
      expect(asked.handoff).toMatchObject({ requestedBy: 'bot', reason: 'refund' });
      // Asking twice has no further effect.
      expect(await client().requestHandoff({ id })).toMatchObject({ handling: { revision: 1 } });
      const message = { conversationId: id, payload: text('Hello') };
      expect(await refusal(client().createMessage(message))).toBe('409 HandledByPerson');
      const person = { name: 'Ada' };
      const accepted = await client().acceptHandoff({ id, person });
      expect(accepted).toMatchObject({ handling: { state: 'assigned', person }, handoff: asked.handoff });
      expect(await client().getHandling({ id })).toEqual(accepted);
      expect((await visitor.listActivities({ id })).handling).toEqual(accepted.handling);
      expect(await refusal(client().acceptHandoff({ id, person: { name: 'Ben' } }))).toBe('409 AlreadyTaken');
      const ended = await client().closeHandoff({ id });
      expect(ended).toMatchObject({ handling: { state: 'bot' }, handoff: { outcome: 'bot' } });
      expect(await client().getHandling({ id })).toEqual(ended);
      expect(await refusal(client().acceptHandoff({ id, person }))).toBe('409 StaleRevision');
      await client().createMessage(message);
      await client().requestHandoff({ id });
      const closed = await client().closeHandoff({ id, to: 'closed' });
      expect(closed.handling.state).toBe('closed');
      expect((await client().getHandling({ id })).handoff?.closedAt).toEqual(expect.any(String));
      expect(await refusal(client().getHandling({ id: 'conv_none' }))).toBe('404 ResourceNotFound');
    });

    test('adds and removes participants', async () => {
      const { visitor, userId, conversationId: id } = await createVisitor();
      const { userId: guest } = await createVisitor();
      const { participant } = await client().addParticipant({ id, userId: guest });
      expect(participant).toEqual((await client().getUser({ id: guest })).user);
      expect((await client().getParticipant({ id, userId: guest })).participant).toEqual(participant);
      expect((await client().listParticipants({ id, pageSize: 1 })).participants).toHaveLength(1);
      const all = await client().list.participants({ id }).collect();
      expect(all.map((user) => user.id).sort()).toEqual([userId, guest].sort());
      expect((await visitor.listParticipants({ conversationId: id })).participants).toHaveLength(2);
      expect(await client().removeParticipant({ id, userId: guest })).toEqual({});
      expect(await refusal(client().removeParticipant({ id, userId: guest }))).toBe('404 ResourceNotFound');
      expect(await refusal(client().removeParticipant({ id, userId }))).toBe('400 InvalidPayload');
      expect(await refusal(client().addParticipant({ id, userId: 'user_none' }))).toBe(
        '404 ResourceNotFound',
      );
    });

    test('controls the window', async () => {
      const { conversationId: id } = await createVisitor();
      expect(await client().setTyping({ id, typing: true })).toEqual({});
      expect(await client().setVisibility({ id, visibility: 'show' })).toEqual({});
      expect(await client().configureWebchat({ id, configuration: { color: '#0a7a5a' } })).toEqual({});
      const { event } = await client().createEvent({ conversationId: id, payload: { a: 1 } });
      expect((await client().getEvent({ id: event.id })).event).toEqual(event);
      expect(await client().list.events({ conversationId: id }).collect()).toEqual([event]);
    });

    test('calls an action by name', async () => {
      const { conversationId } = await createVisitor();
      const input = { conversationId, event: '{"a":1}' };
      expect(await client().callAction({ type: 'webchat:customEvent', input })).toEqual({
        output: {},
        meta: { cached: false },
      });
      const type = 'webchat:other' as 'webchat:customEvent';
      expect(await refusal(client().callAction({ type, input }))).toBe('400 InvalidPayload');
    });

    test('streams an answer', async () => {
      const { conversationId } = await createVisitor();
      const { stream } = await client().createStream({ conversationId });
      const { id } = stream;
      expect(await client().writeStream({ id, delta: 'One ', position: 0 })).toEqual({
        position: 4,
        stopped: false,
      });
      await client().writeStream({ id, delta: 'two' });
      const { message } = await client().endStream({ id });
      expect(message.payload).toEqual({ type: 'markdown', markdown: 'One two' });
      const other = await client().createStream({ conversationId });
      expect(await client().abortStream({ id: other.stream.id })).toEqual({});
      expect(await refusal(client().endStream({ id: other.stream.id }))).toBe('404 ResourceNotFound');
    });
  });
}
