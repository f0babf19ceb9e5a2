// Tests of typing indicators: published to the other participants, never stored, ended by a timeout.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { startTestServer, type TestServer, type TestStream } from '../testing.ts';
import { createPresence } from './presence.ts';
import { createPubSub } from './pub-sub.ts';

const signalTypes = (stream: TestStream) => stream.frames.flatMap(({ signal }) => signal?.type ?? []);

describe('typing over the API', () => {
  let server: TestServer;
  beforeEach(async () => {
    server = await startTestServer();
  });
  afterEach(() => server.close());

  test('is published to the other participants until it stops or a message is sent', async () => {
    const [owner, guest] = [await server.user(), await server.user({ id: 'guest-1' })];
    const conversationId = await server.conversation(owner.key);
    await server.join(owner.key, conversationId, guest);
    const [mine, theirs] = [
      await server.listen(owner.key, conversationId),
      await server.listen(guest.key, conversationId),
    ];
    const type = (key: string, typing: unknown) =>
      server.call('POST', `/conversations/${conversationId}/typing`, { key, body: { typing } });

    expect(await type(guest.key, true)).toMatchObject({ status: 200, body: {} });
    const { data } = await mine.untilType('typing_started');
    expect(data).toEqual({ conversationId, userId: 'guest-1', timeout: 10_000 });
    const late = await server.listen(owner.key, conversationId);
    await late.untilType('typing_started');
    await type(guest.key, true);
    await type(guest.key, false);
    await type(guest.key, false);
    await type(guest.key, true);
    await server.sendMessage(guest.key, conversationId, 'done');
    await server.sendMessage(guest.key, conversationId, 'more');
    await mine.until(({ data }) => data.includes('more'));
    expect(signalTypes(mine)).toEqual([
      'typing_started',
      'typing_started',
      'typing_stopped',
      'typing_started',
      'message_created',
      'typing_stopped',
      'message_created',
    ]);
    await theirs.until(({ data }) => data.includes('more'));
    expect(signalTypes(theirs)).toEqual(['message_created', 'message_created']);
    expect(await server.db.read((tx) => tx.all("SELECT 1 FROM signals WHERE type LIKE 'typing%'"))).toEqual(
      [],
    );
    await Promise.all([mine, theirs, late].map((stream) => stream.cancel()));
  });
});

describe('typing timeout', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('ends the indicator of a visitor after the last call, and not that of the bot', () => {
    const pubSub = createPubSub();
    const seen: string[] = [];
    const decoder = new TextDecoder();
    pubSub.subscribe({
      botId: 'bot_1',
      keyHash: '',
      accepts: () => true,
      isValid: () => true,
      conversationId: 'c',
      ownerId: 'owner',
      userId: 'listener',
      send: ({ bytes }) => seen.push(/typing_\w+/.exec(decoder.decode(bytes))?.[0] ?? ''),
      close() {},
    });
    const presence = createPresence(pubSub);
    const participant = (id: string) => ({
      conversation: { id: 'c', publicId: 'c' },
      user: { id, publicId: id },
    });
    presence.setTyping(participant('visitor'), true, 10_000, true);
    vi.advanceTimersByTime(9_000);
    presence.setTyping(participant('visitor'), true, 10_000, true);
    vi.advanceTimersByTime(9_999);
    expect(seen).toEqual(['typing_started', 'typing_started']);
    vi.advanceTimersByTime(1);
    expect(seen).toEqual(['typing_started', 'typing_started', 'typing_stopped']);
    expect(presence.snapshot('c', 'listener')).toEqual([]);
    presence.setTyping(participant('bot'), true, 60_000);
    presence.setTyping(participant('bot'), true, 60_000);
    vi.advanceTimersByTime(100_000);
    expect(seen.slice(3)).toEqual(['typing_started']);
    expect(vi.getTimerCount()).toBe(0);
  });
});
