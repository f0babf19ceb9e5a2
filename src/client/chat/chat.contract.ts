// The behaviour that clients can expect of every Chat API server. Run it against a server by `chatContract`.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Signal } from '../../protocol/signal.ts';
import { ApiError, ChatClient, type Connection, type ConnectionState, type ListenOptions } from '../index.ts';
import { chatRoutes } from '../operations/chat.ts';

/** A running server, as clients see it. */
export interface ContractServer {
  chatUrl: string;
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  close(): Promise<void>;
}

const text = (words: string) => ({ type: 'text', text: words }) as const;

/** The status and type of the error that the call fails with. */
async function refusal(promise: Promise<unknown>): Promise<string> {
  const error: unknown = await promise.then(
    () => 'nothing',
    (reason: unknown) => reason,
  );
  if (!(error instanceof ApiError)) throw error;
  expect(error.id).toMatch(/^err_\d{14}x[\dA-F]{8}$/);
  return `${error.code} ${error.type}`;
}

export function chatContract(name: string, makeServer: () => Promise<ContractServer>): void {
  let server: ContractServer;
  let visits = 0;
  /** Method and path of every request. */
  const asked = new Set<string>();

  /** A client whose responses can be cut in the middle. */
  function createClient() {
    const cuts = new Set<() => void>();
    const client = new ChatClient({
      chatUrl: server.chatUrl,
      async fetch(url, init) {
        asked.add(
          `${init.method} ${url.slice(server.chatUrl.replace(/\/$/, '').length).replace(/\?.*/, '')}`,
        );
        const response = await server.fetch(url, init);
        if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return response;
        const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
        const cut = new AbortController();
        cuts.add(() => cut.abort(new TypeError('cut')));
        response.body?.pipeTo(writable, { signal: cut.signal }).catch(() => {});
        return new Response(readable, response);
      },
    });
    const cut = () => {
      for (const end of cuts) end();
      cuts.clear();
    };
    return { client, cut };
  }

  async function visitor(fields: { name?: string; id?: string } = {}) {
    const { client, cut } = createClient();
    const { user, key } = await client.createUser(fields);
    client.userKey = key;
    return { client, cut, user, key };
  }

  /** Creates a visitor with a conversation. */
  async function room() {
    const owner = await visitor();
    const { conversation } = await owner.client.createConversation({});
    return { ...owner, conversationId: conversation.id };
  }

  /** Makes a visitor a participant: the owner invites, the visitor accepts. */
  async function join(
    owner: ChatClient,
    conversationId: string,
    { client, user }: Awaited<ReturnType<typeof visitor>>,
  ): Promise<void> {
    await owner.addParticipant({ conversationId, userId: user.id });
    await client.acceptInvitation({ conversationId });
  }

  /** Returns an id that no other test uses. */
  const fresh = (word: string) => `${word}-${++visits}`;

  /** Opens a stream that `await using` closes at the end of the test. */
  async function listen(client: ChatClient, conversationId: string, options: Partial<ListenOptions> = {}) {
    const signals: Signal[] = [];
    const states: ConnectionState[] = [];
    const opens: boolean[] = [];
    const errors: ApiError[] = [];
    const connection: Connection = client.listen(conversationId, {
      onSignal: (signal) => signals.push(signal),
      onState: (state) => states.push(state),
      onOpen: ({ resumed }) => opens.push(resumed),
      onError: (error) => errors.push(error),
      ...options,
    });
    const until = (fits: () => boolean) =>
      vi.waitFor(() => expect(fits()).toBe(true), { timeout: 4_000, interval: 5 });
    await until(() => opens.length > 0 || errors.length > 0);
    return {
      connection,
      signals,
      states,
      opens,
      errors,
      until,
      texts: () =>
        signals.flatMap((signal) =>
          signal.type === 'message_created' && signal.data.payload.type === 'text'
            ? [signal.data.payload.text]
            : [],
        ),
      async [Symbol.asyncDispose]() {
        connection.close();
      },
    };
  }

  describe(`Chat API: ${name}`, () => {
    beforeAll(async () => {
      server = await makeServer();
    });
    afterAll(() => server.close());

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

      test('cannot choose their ids', async () => {
        expect(await refusal(createClient().client.createUser({ id: fresh('ann') }))).toBe('403 Forbidden');
        expect(await refusal(createClient().client.createUser({ id: 'not allowed!' }))).toMatch(/^400 /);
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
        const { client, conversationId } = await room();
        const other = await visitor();
        expect((await client.listConversations({})).conversations.map(({ id }) => id)).toEqual([
          conversationId,
        ]);
        expect(await other.client.listConversations({})).toEqual({ conversations: [], meta: {} });
      });

      test('are not accessible to outsiders', async () => {
        const { client: owner, conversationId } = await room();
        const { message } = await owner.createMessage({ conversationId, payload: text('secret') });
        const { event } = await owner.createEvent({ conversationId, payload: { a: 1 } });
        const { client, user } = await visitor();
        const calls = {
          getConversation: () => client.getConversation({ id: conversationId }),
          deleteConversation: () => client.deleteConversation({ id: conversationId }),
          listMessages: () => client.listMessages({ conversationId }),
          listParticipants: () => client.listParticipants({ conversationId }),
          addParticipant: () => client.addParticipant({ conversationId, userId: user.id }),
          createMessage: () => client.createMessage({ conversationId, payload: text('x') }),
          createEvent: () => client.createEvent({ conversationId, payload: {} }),
          getMessage: () => client.getMessage({ id: message.id }),
          deleteMessage: () => client.deleteMessage({ id: message.id }),
          getEvent: () => client.getEvent({ id: event.id }),
          setFeedback: () => client.setFeedback({ id: message.id, value: 'positive' }),
          deleteFeedback: () => client.deleteFeedback({ id: message.id }),
          setTyping: () => client.setTyping({ id: conversationId, typing: true }),
          stopStream: () => client.stopStream({ id: conversationId, streamId: 'stream_x' }),
        };
        for (const [name, call] of Object.entries(calls)) {
          expect(await refusal(call()), name).toBe('403 Forbidden');
        }
        expect((await owner.listMessages({ conversationId })).messages.length).toBe(1);
      });

      test('that do not exist return 404 to reads and 403 to writes', async () => {
        const { client } = await visitor();
        const conversationId = 'conv_unknown';
        expect(await refusal(client.getConversation({ id: conversationId }))).toBe('404 ResourceNotFound');
        expect(await refusal(client.deleteConversation({ id: conversationId }))).toBe('404 ResourceNotFound');
        expect(await refusal(client.listMessages({ conversationId }))).toBe('403 Forbidden');
        expect(await refusal(client.createMessage({ conversationId, payload: text('x') }))).toBe(
          '403 Forbidden',
        );
      });

      test('an id of another owner is already taken', async () => {
        const id = fresh('taken');
        await (await visitor()).client.createConversation({ id });
        const { client } = await visitor();
        expect(await refusal(client.getOrCreateConversation({ id }))).toBe('403 Forbidden');
      });
    });

    describe('participants', () => {
      test('join by accepting an invitation, and are removed by the owner', async () => {
        const { client: owner, user, conversationId } = await room();
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
        expect(conversation).toEqual(
          (await guest.client.getConversation({ id: conversationId })).conversation,
        );
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
        const { client: owner, conversationId } = await room();
        const guest = await visitor();
        const here = { conversationId, userId: guest.user.id };
        await owner.addParticipant(here);
        expect(await guest.client.declineInvitation({ conversationId })).toEqual({});
        expect(await refusal(guest.client.declineInvitation({ conversationId }))).toBe(
          '404 ResourceNotFound',
        );
        expect(await owner.removeParticipant(here)).toEqual({});
        await owner.addParticipant(here);
        expect(await owner.removeParticipant(here)).toEqual({});
        expect(await refusal(guest.client.acceptInvitation({ conversationId }))).toBe('404 ResourceNotFound');
        expect(await refusal(owner.removeParticipant(here))).toBe('404 ResourceNotFound');
      });

      test('can leave', async () => {
        const { client: owner, conversationId } = await room();
        const guest = await visitor();
        await join(owner, conversationId, guest);
        expect(await guest.client.removeParticipant({ conversationId, userId: guest.user.id })).toEqual({});
        expect(await refusal(guest.client.listMessages({ conversationId }))).toBe('403 Forbidden');
      });

      test('the owner cannot leave; an unknown user gets the same response as a user who is not a participant', async () => {
        const { client, user, conversationId } = await room();
        expect(await refusal(client.removeParticipant({ conversationId, userId: user.id }))).toBe(
          '400 InvalidPayload',
        );
        const nobody = { conversationId, userId: 'user_unknown' };
        expect(await refusal(client.getParticipant(nobody))).toBe('404 ResourceNotFound');
        expect(await refusal(client.removeParticipant(nobody))).toBe('404 ResourceNotFound');
      });
    });

    describe('messages and events', () => {
      test('a message is returned as it was sent, with metadata next to the payload', async () => {
        const { client, user, conversationId } = await room();
        const payload = { type: 'text', text: 'Grüße 😀', value: 'v' } as const;
        const metadata = { clientMessageId: 'k', nested: { a: [1, null] } };
        const { message } = await client.createMessage({ conversationId, payload, metadata });
        expect(message).toMatchObject({ payload, metadata, conversationId, userId: user.id });
        expect(new Date(message.createdAt).toISOString()).toBe(message.createdAt);
        expect((await client.getMessage({ id: message.id })).message).toEqual(message);
        expect((await client.listMessages({ conversationId })).messages).toEqual([message]);
      });

      test('only the sender can delete a message', async () => {
        const { client, conversationId } = await room();
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
        const { client, user, conversationId } = await room();
        const payload = { type: 'custom', data: { a: [1, { b: null }] } };
        const { event } = await client.createEvent({ conversationId, payload });
        expect(event).toMatchObject({ payload, conversationId, userId: user.id });
        expect((await client.getEvent({ id: event.id })).event).toEqual(event);
        expect(await refusal(client.getEvent({ id: 'evt_unknown' }))).toBe('404 ResourceNotFound');
      });

      test.each([{ type: 'text' }, { type: 'text', text: '' }, { type: 'nonsense' }, {}, null, 'text'])(
        'the payload %j is refused',
        async (payload) => {
          const { client, conversationId } = await room();
          expect(await refusal(client.createMessage({ conversationId, payload: payload as never }))).toMatch(
            /^400 /,
          );
          expect((await client.listMessages({ conversationId })).messages).toEqual([]);
        },
      );
    });

    describe('the same Idempotency-Key', () => {
      test('has one effect and returns the same result', async () => {
        const { client, conversationId } = await room();
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

      test('of another user is a different key', async () => {
        const [a, b] = [await room(), await room()];
        const options = { idempotencyKey: fresh('key') };
        const one = await a.client.createMessage(
          { conversationId: a.conversationId, payload: text('a') },
          options,
        );
        const two = await b.client.createMessage(
          { conversationId: b.conversationId, payload: text('b') },
          options,
        );
        expect(one.message.id).not.toBe(two.message.id);
      });
    });

    describe('pages', () => {
      test('contain every message once, newest first, also while messages are added', async () => {
        const { client, conversationId } = await room();
        const words = Array.from({ length: 120 }, (_, i) => `m${i}`);
        for (const word of words) await client.createMessage({ conversationId, payload: text(word) });
        const read = ({ payload }: { payload: unknown }) => (payload as { text: string }).text;
        const all = client.list.messages({ conversationId });
        expect((await all.collect()).map(read)).toEqual(words.toReversed());
        expect((await all.collect({ limit: 70 })).map(read)).toEqual(words.toReversed().slice(0, 70));
        expect(await all.collect({ limit: 0 })).toEqual([]);
        const seen: string[] = [];
        for await (const message of all) {
          if (seen.length === 10) await client.createMessage({ conversationId, payload: text('new') });
          seen.push(read(message));
        }
        expect(seen).toEqual(words.toReversed());
      });

      test('work for conversations and participants', async () => {
        const { client, user, conversationId } = await room();
        const guests: string[] = [];
        for (let i = 0; i < 55; i++) {
          const guest = await visitor();
          guests.push(guest.user.id);
          await join(client, conversationId, guest);
          await client.createConversation({});
        }
        const participants = await client.list.participants({ conversationId }).collect();
        expect(new Set(participants.map(({ id }) => id))).toEqual(new Set([user.id, ...guests]));
        expect(participants.length).toBe(56);
        const conversations = await client.list.conversations().collect();
        expect(new Set(conversations.map(({ id }) => id)).size).toBe(56);
        expect(conversations.at(-1)?.id).toBe(conversationId);
      });

      test('work for invitations', async () => {
        const guest = await visitor();
        const { client } = await visitor();
        const rooms: string[] = [];
        for (let i = 0; i < 55; i++) {
          const { conversation } = await client.createConversation({});
          rooms.push(conversation.id);
          await client.addParticipant({ conversationId: conversation.id, userId: guest.user.id });
        }
        const invitations = await guest.client.list.invitations().collect();
        expect(invitations.map(({ conversationId }) => conversationId)).toEqual(rooms.toReversed());
      });

      test('with an invented token are refused', async () => {
        const { client, conversationId } = await room();
        for (const nextToken of ['x', 'p2+/=', '💥']) {
          expect(await refusal(client.listMessages({ conversationId, nextToken }))).toMatch(/^400 /);
        }
      });
    });

    describe('streams', () => {
      test('deliver the own message with the same id as the response, in either order', async () => {
        const { client, user, conversationId } = await room();
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
        const { client, conversationId } = await room();
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

      test('deliver only the signals of their own conversation', async () => {
        const [a, b] = [await room(), await room()];
        await using heardA = await listen(a.client, a.conversationId);
        await using heardB = await listen(b.client, b.conversationId);
        await a.client.createMessage({ conversationId: a.conversationId, payload: text('a') });
        await b.client.createMessage({ conversationId: b.conversationId, payload: text('b') });
        await heardA.until(() => heardA.signals.length > 0);
        await heardB.until(() => heardB.signals.length > 0);
        expect([heardA.texts(), heardB.texts()]).toEqual([['a'], ['b']]);
      });

      test('resume after a cut without a gap or a duplicate', async () => {
        const { client, cut, conversationId } = await room();
        await using stream = await listen(client, conversationId);
        const say = (word: string) => client.createMessage({ conversationId, payload: text(word) });
        await say('1');
        await stream.until(() => stream.texts().length === 1);
        for (const [lost, heard] of [
          ['2', '3'],
          ['4', '5'],
        ] as const) {
          const { length } = stream.opens;
          cut();
          await stream.until(() => stream.connection.state === 'waiting');
          await say(lost);
          stream.connection.wake();
          await stream.until(() => stream.opens.length > length);
          await say(heard);
          await stream.until(() => stream.texts().includes(heard));
        }
        expect(stream.texts()).toEqual(['1', '2', '3', '4', '5']);
        expect(stream.opens).toEqual([false, true, true]);
      });

      test('resume at the position of an earlier connection, or report that they cannot', async () => {
        const { client, conversationId } = await room();
        for (const word of ['1', '2', '3'])
          await client.createMessage({ conversationId, payload: text(word) });
        await using all = await listen(client, conversationId, { lastEventId: '0' });
        await all.until(() => all.texts().length === 3);
        expect(all.texts()).toEqual(['1', '2', '3']);
        await using none = await listen(client, conversationId, { lastEventId: '999' });
        await using alien = await listen(client, conversationId, { lastEventId: 'not-ours' });
        await client.createMessage({ conversationId, payload: text('4') });
        await none.until(() => none.texts().length > 0);
        await alien.until(() => alien.texts().length > 0);
        expect([none.opens, none.texts(), alien.opens, alien.texts()]).toEqual([
          [false],
          ['4'],
          [false],
          ['4'],
        ]);
      });

      test('are refused permanently to outsiders', async () => {
        const { conversationId } = await room();
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
        const { client, conversationId } = await room();
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

      test('end with the conversation', async () => {
        const { client, conversationId } = await room();
        await using stream = await listen(client, conversationId);
        await client.deleteConversation({ id: conversationId });
        await stream.until(() => stream.connection.state !== 'open');
        stream.connection.wake();
        await stream.until(() => stream.connection.state === 'closed');
        expect(stream.errors.map(({ code }) => code)).toEqual([403]);
      });

      test('deliver nothing after they are closed', async () => {
        const { client, conversationId } = await room();
        await using other = await listen(client, conversationId);
        const stream = await listen(client, conversationId);
        stream.connection.close();
        await client.createMessage({ conversationId, payload: text('x') });
        await other.until(() => other.signals.length > 0);
        expect([stream.signals, stream.connection.state]).toEqual([[], 'closed']);
      });
    });

    describe('typing, stopping, feedback', () => {
      test('typing is delivered to the others', async () => {
        const { client, conversationId } = await room();
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
        const { client, conversationId } = await room();
        expect(await client.stopStream({ id: conversationId, streamId: 'stream_over' })).toEqual({});
        expect((await client.listMessages({ conversationId })).messages).toEqual([]);
      });

      test('only a message of a bot can have feedback', async () => {
        const { client, conversationId } = await room();
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

    describe('files', () => {
      const bytes = new TextEncoder().encode('Grüße');
      const put = (url: string, body: BodyInit) => server.fetch(url, { method: 'PUT', body });

      test('are announced, sent and read, and can be part of a message', async () => {
        const { client, conversationId } = await room();
        const { file } = await client.createFile({ key: 'Grüße.txt', size: bytes.length });
        expect(file).toMatchObject({ key: 'Grüße.txt', contentType: 'text/plain', status: 'upload_pending' });
        expect((await server.fetch(file.url, {})).status).toBe(404);
        expect((await put(file.uploadUrl, bytes)).status).toBe(204);
        const response = await server.fetch(file.url, {});
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

      test('cannot be opened by another address', async () => {
        const { client } = await visitor();
        const { file } = await client.createFile({ key: 'a.txt', size: bytes.length });
        const other = await client.createFile({ key: 'b.txt', size: bytes.length });
        expect((await put(file.uploadUrl, bytes)).status).toBe(204);
        const forged = other.file.url.replace(other.file.id, file.id);
        expect((await server.fetch(forged, {})).status).toBe(404);
        expect((await put(other.file.uploadUrl.replace(other.file.id, file.id), bytes)).status).toBe(404);
      });
    });

    test('the server reports its features', async () => {
      const answer = await createClient().client.getWebchat();
      expect(answer?.features).toEqual(
        expect.arrayContaining(['replay', 'idempotency', 'files', 'feedback']),
      );
      expect(answer?.limits.messageBytes).toBeGreaterThan(0);
    });

    test('an aborted call fails with the abort reason', async () => {
      const { client } = await visitor();
      const reason = new Error('left');
      await expect(client.getUser({}, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    });

    test('every operation was called', () => {
      const missed = Object.entries(chatRoutes).filter(([, route]) => {
        const pattern = new RegExp(`^${route.replace(/{\w+}/g, '[^/]+')}$`);
        return ![...asked].some((request) => pattern.test(request));
      });
      expect(missed).toEqual([]);
    });
  });
}
