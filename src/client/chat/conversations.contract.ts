// The cases of users, conversations and participants, for chat.contract.ts.
import { describe, expect, test } from 'vitest';
import { type ChatContractFixture, refusal, text } from './fixture.contract.ts';

export function conversationsContract({
  createClient,
  visitor,
  startConversation,
  fresh,
}: ChatContractFixture): void {
  describe('users', () => {
    test('create, read, change and delete themselves', async () => {
      const { client, user } = await visitor({ name: 'Ann' });
      expect(user).toMatchObject({ name: 'Ann', id: expect.stringMatching(/^user_/) });
      for (const at of [user.createdAt, user.updatedAt]) expect(new Date(at).toISOString()).toBe(at);
      expect((await client.getUser({})).user).toEqual(user);
      const { user: changed } = await client.updateUser({
        pictureUrl: 'https://a.test/p.png',
        profile: '{"a":1}',
      });
      expect(changed).toMatchObject({
        id: user.id,
        name: 'Ann',
        pictureUrl: 'https://a.test/p.png',
        profile: '{"a":1}',
      });
      expect(await client.deleteUser({})).toEqual({});
      expect(await refusal(client.getUser({}))).toMatch(/^(401|404) /);
    });

    test('can be created together with a conversation that they own', async () => {
      const { client } = createClient();
      expect((await client.createUser({ firstConversation: false })).conversation).toBeUndefined();
      const { user, key, conversation } = await client.createUser({ name: 'Ann', firstConversation: true });
      client.userKey = key;
      const id = conversation?.id ?? '';
      expect((await client.getConversation({ id })).conversation).toEqual(conversation);
      const { participants } = await client.listParticipants({ conversationId: id });
      expect(participants.map((participant) => participant.id)).toEqual([user.id]);
    });

    test('leave an e-mail address only where mails are sent', async () => {
      const { client } = await visitor();
      expect(await client.getContact({})).toEqual({ isOffered: false });
      expect(await refusal(client.setContact({ email: 'ann@example.com' }))).toBe('403 Forbidden');
      const { conversation } = await client.createConversation({});
      expect(await refusal(client.mailTranscript({ id: conversation.id }))).toBe('403 Forbidden');
    });

    test('switch on Web Push only where pushes are sent', async () => {
      const { client } = await visitor();
      expect(await client.getPush({})).toEqual({ isOffered: false });
      const endpoint = 'https://fcm.googleapis.com/x';
      const keys = {
        p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
        auth: 'BTBZMqHH6r4Tts7J_aSIgg',
      };
      expect(await refusal(client.setPush({ endpoint, keys }))).toBe('403 Forbidden');
      expect(await client.setPush({ endpoint, keys: null })).toEqual({});
    });

    test('cannot use a link that does not exist', async () => {
      const { client } = createClient();
      expect(await refusal(client.useReturnLink({ token: 'x'.repeat(43) }))).toMatch(/^40[13] /);
    });

    test('can renew their key, revoke one key, and revoke all keys', async () => {
      const { client, key, user } = await visitor();
      const { key: renewed } = await client.renewKey({});
      expect(renewed).not.toBe(key);
      expect(await client.revokeKey({})).toEqual({});
      expect(await refusal(client.getUser({}))).toBe('401 Unauthorized');
      client.userKey = renewed;
      expect((await client.getUser({})).user).toEqual(user);
      expect(await client.revokeKeys({})).toEqual({});
      expect(await refusal(client.renewKey({}))).toBe('401 Unauthorized');
    });

    test('an anonymous user cannot take over another one, whose key they have', async () => {
      const { client, user } = await startConversation();
      const other = await visitor();
      expect(await refusal(client.mergeUser({ userKey: other.key }))).toBe('403 Forbidden');
      expect(await refusal(other.client.mergeUser({ userKey: client.userKey ?? '' }))).toBe('403 Forbidden');
      expect((await client.getUser({})).user).toEqual(user);
      expect((await other.client.getUser({})).user).toEqual(other.user);
    });

    test('get-or-create returns the user of the key, and overwrites the passed fields', async () => {
      const { client, user } = await visitor({ name: 'Ann' });
      expect((await client.getOrCreateUser({})).user).toEqual(user);
      expect((await client.getOrCreateUser({ name: 'Bea' })).user).toMatchObject({
        id: user.id,
        name: 'Bea',
      });
    });

    test('are rejected without a valid key', async () => {
      const { client } = createClient();
      expect(await refusal(client.getUser({}))).toBe('401 Unauthorized');
      client.userKey = 'not.a.key';
      expect(await refusal(client.createConversation({}))).toBe('401 Unauthorized');
      expect(await refusal(client.getOrCreateUser({}))).toBe('401 Unauthorized');
    });
  });

  describe('conversations', () => {
    test('are created, found and deleted by their owner', async () => {
      const { client } = await visitor();
      const id = fresh('room/of one');
      expect(await refusal(client.createConversation({ id }))).toMatch(/^400 /);
      const good = fresh('room/of\\one');
      const { conversation } = await client.createConversation({ id: good });
      expect(conversation.id).toBe(good);
      expect((await client.getConversation({ id: good })).conversation).toEqual(conversation);
      expect((await client.getOrCreateConversation({ id: good })).conversation).toEqual(conversation);
      expect(await refusal(client.createConversation({ id: good }))).toBe('409 AlreadyExists');
      expect(await client.deleteConversation({ id: good })).toEqual({});
      expect(await refusal(client.getConversation({ id: good }))).toBe('404 ResourceNotFound');
      expect((await client.getOrCreateConversation({ id: good })).conversation.id).toBe(good);
    });

    test('are listed only for their owner', async () => {
      const { client, conversationId } = await startConversation();
      const other = await visitor();
      expect((await client.listConversations({})).conversations.map(({ id }) => id)).toEqual([
        conversationId,
      ]);
      expect(await other.client.listConversations({})).toEqual({ conversations: [], meta: {} });
    });

    test('that do not exist return 404 themselves, and 403 for their messages', async () => {
      const { client } = await visitor();
      const conversationId = 'conv_unknown';
      expect(await refusal(client.getConversation({ id: conversationId }))).toBe('404 ResourceNotFound');
      expect(await refusal(client.deleteConversation({ id: conversationId }))).toBe('404 ResourceNotFound');
      expect(await refusal(client.listMessages({ conversationId }))).toBe('403 Forbidden');
      expect(await refusal(client.createMessage({ conversationId, payload: text('x') }))).toBe(
        '403 Forbidden',
      );
      expect(await refusal(client.claimInterrupt({ id: 'int_unknown', claim: 'page-1' }))).toBe(
        '404 ResourceNotFound',
      );
      expect(await refusal(client.respondToInterrupt({ id: 'int_unknown', status: 'cancelled' }))).toBe(
        '404 ResourceNotFound',
      );
    });

    test('are with their bot until a person is asked for, which this bot does not offer', async () => {
      const { client } = await visitor();
      const { id } = (await client.createConversation({})).conversation;
      expect(await refusal(client.requestHandoff({ id }))).toBe('403 Forbidden');
      const handling = { conversationId: id, revision: 0, state: 'bot' };
      expect(await client.cancelHandoff({ id })).toEqual({ handling });
      expect(await client.closeConversation({ id })).toEqual({ handling });
      expect(await client.listActivities({ id })).toEqual({
        handling,
        activities: [],
        canRequest: false,
        meta: {},
      });
    });

    test('remember what was read: the newest message counts; nobody was asked for a rating', async () => {
      const { client } = await visitor();
      const { id } = (await client.createConversation({})).conversation;
      const send = async (words: string) =>
        (await client.createMessage({ conversationId: id, payload: text(words) })).message;
      const [first, second] = [await send('1'), await send('2')];
      const { read } = await client.setRead({ id, messageId: second.id });
      expect(read).toEqual({ seq: expect.any(Number), until: second.createdAt });
      expect((await client.setRead({ id, messageId: first.id })).read.seq).toBeLessThan(read.seq);
      expect(await refusal(client.setRead({ id, messageId: 'msg_unknown' }))).toBe('404 ResourceNotFound');
      expect(await refusal(client.rateConversation({ id, handoffId: 'handoff_unknown', rating: 5 }))).toBe(
        '404 ResourceNotFound',
      );
    });

    test('are searched for a text, regardless of case and only by their owner', async () => {
      const { client } = await visitor();
      const other = await visitor();
      const word = fresh('Word');
      for (const words of [`the ${word}`, 'something else', word.toUpperCase()]) {
        const { id } = (await client.createConversation({})).conversation;
        await client.createMessage({ conversationId: id, payload: text(words) });
      }
      const found = (await client.searchMessages({ text: ` ${word.toLowerCase()} ` })).messages;
      expect(found.map(({ payload }) => 'text' in payload && payload.text)).toEqual([
        word.toUpperCase(),
        `the ${word}`,
      ]);
      expect((await other.client.searchMessages({ text: word })).messages).toEqual([]);
      expect(await refusal(client.searchMessages({ text: ' ' }))).toMatch(/^400 /);
    });
  });

  describe('participants', () => {
    test('join by accepting an invitation, and are removed by the owner', async () => {
      const { client: owner, user, conversationId } = await startConversation();
      const guest = await visitor({ name: 'Guest' });
      const here = { conversationId, userId: guest.user.id };
      const { participant: invited } = await owner.addParticipant(here);
      expect(invited).toEqual({
        id: guest.user.id,
        createdAt: invited.createdAt,
        updatedAt: invited.createdAt,
      });
      expect((await owner.addParticipant(here)).participant).toEqual(invited);
      expect(await refusal(owner.getParticipant(here))).toBe('404 ResourceNotFound');
      expect(await refusal(guest.client.listMessages({ conversationId }))).toBe('403 Forbidden');
      expect((await guest.client.listInvitations({})).invitations).toEqual([
        { conversationId, invitedBy: user.id, invitedAt: invited.createdAt },
      ]);
      const { conversation } = await guest.client.acceptInvitation({ conversationId });
      expect(conversation).toEqual((await guest.client.getConversation({ id: conversationId })).conversation);
      expect(await guest.client.acceptInvitation({ conversationId })).toEqual({ conversation });
      expect((await guest.client.listInvitations({})).invitations).toEqual([]);
      expect((await owner.addParticipant(here)).participant).toMatchObject({
        id: guest.user.id,
        name: 'Guest',
      });
      expect((await owner.getParticipant(here)).participant.id).toBe(guest.user.id);
      const { participants, meta } = await guest.client.listParticipants({ conversationId });
      expect(participants.map(({ id }) => id)).toEqual(expect.arrayContaining([user.id, guest.user.id]));
      expect(meta).toEqual({});
      expect(await refusal(guest.client.removeParticipant({ ...here, userId: user.id }))).toBe(
        '403 Forbidden',
      );
      expect(await refusal(guest.client.deleteConversation({ id: conversationId }))).toBe('403 Forbidden');
      await guest.client.createMessage({ conversationId, payload: text('hello') });

      expect(await owner.removeParticipant(here)).toEqual({});
      expect(await refusal(owner.removeParticipant(here))).toBe('404 ResourceNotFound');
      expect(await refusal(guest.client.listMessages({ conversationId }))).toBe('403 Forbidden');
      expect((await owner.listMessages({ conversationId })).messages.map(({ userId }) => userId)).toEqual([
        guest.user.id,
      ]);
    });

    test('an invitation is declined by the invited user, or withdrawn by the owner', async () => {
      const { client: owner, conversationId } = await startConversation();
      const guest = await visitor();
      const here = { conversationId, userId: guest.user.id };
      await owner.addParticipant(here);
      expect(await guest.client.declineInvitation({ conversationId })).toEqual({});
      expect(await refusal(guest.client.declineInvitation({ conversationId }))).toBe('404 ResourceNotFound');
      expect(await owner.removeParticipant(here)).toEqual({});
      await owner.addParticipant(here);
      expect(await owner.removeParticipant(here)).toEqual({});
      expect(await refusal(guest.client.acceptInvitation({ conversationId }))).toBe('404 ResourceNotFound');
      expect(await refusal(owner.removeParticipant(here))).toBe('404 ResourceNotFound');
    });
  });
}
