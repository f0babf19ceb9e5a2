// Tests of ratings: who is asked, that each handoff is rated once, and what the bot, the team and the visitor see of it.
import { describe, expect, test } from 'vitest';
import { useInbox } from '../../inbox/testing.ts';
import { pollOptions } from '../../testing.ts';

const startInbox = useInbox();

const text = (value: string) => ({ type: 'text', text: value });

/** A visitor whom a member has answered. */
async function start() {
  const inbox = await startInbox();
  const ada = await inbox.member('Ada');
  const reply = async () => {
    const { seq } = (await ada.act('GET', '/timeline')).body;
    return ada.act('POST', '/replies', { payload: text('On its way'), seenSeq: seq, take: true });
  };
  /** The rating that the visitor is asked for. */
  const asked = async () => (await inbox.chat('GET', '/activities')).body.rating;
  const close = async (): Promise<string> => {
    await ada.act('POST', '/close', {});
    return (await asked()).handoffId;
  };
  const rate = (handoffId: string, rating: number | null, comment?: string) =>
    inbox.chat('PUT', '/rating', { handoffId, rating, ...(comment === undefined ? {} : { comment }) });
  return { ...inbox, ada, reply, asked, close, rate };
}

describe('a visitor is asked', () => {
  test('once for a handoff that a person has answered and closed, and told so live', async () => {
    const { ada, reply, asked, server, key, conversationId, chat, rows } = await start();
    const stream = await server.listen(key, conversationId);
    await reply();
    expect(await asked()).toBeUndefined();
    await Promise.all([ada.act('POST', '/close', {}), chat('POST', '/close', {})]);
    const requested = await stream.untilType('rating_requested');
    const [handoff] = await rows('handoffs');
    expect(requested.data).toEqual({
      conversationId,
      rating: { handoffId: handoff?.id, state: 'offered', offeredAt: expect.any(String) },
    });
    expect(await asked()).toEqual(requested.data.rating);
    await ada.act('POST', '/close', {});
    expect(stream.frames.filter(({ signal }) => signal?.type === 'rating_requested')).toHaveLength(1);
    expect(await rows('ratings')).toHaveLength(1);
    await stream.cancel();
  });

  test('neither if no person replied, nor if the conversation was returned to the bot, nor if the bot does not ask', async () => {
    const { ada, reply, asked, member, request, botId, rows } = await start();
    await ada.act('POST', '/take', {});
    await ada.act('POST', '/close', {});
    expect(await asked()).toBeUndefined();
    await reply();
    await ada.act('POST', '/return', {});
    expect(await asked()).toBeUndefined();
    const { headers } = await member('Mia', 'manager');
    const path = `/v1/admin/bots/${botId}/deployment`;
    expect((await request('GET', path, headers)).body.deployment.ratings).toBeUndefined();
    expect((await request('PUT', path, headers, { ratings: false })).body.deployment.ratings).toBe(false);
    await reply();
    await ada.act('POST', '/close', {});
    expect(await asked()).toBeUndefined();
    expect(await rows('ratings')).toEqual([]);
  });
});

describe('a rating', () => {
  test('is told to the bot, the visitor and the team, and exported with the visitor', async () => {
    const inbox = await start();
    const { reply, close, rate, hears, received, ada, server, key, conversationId, request, member } = inbox;
    const { visitor, botId } = inbox;
    await reply();
    const handoffId = await close();
    const stream = await server.listen(key, conversationId);
    const before = (await ada.act('GET', '')).body.conversation.lastSeq;
    const answer = await rate(handoffId, 4, 'Quick');
    const rating = { handoffId, state: 'given', rating: 4, comment: 'Quick', ratedAt: expect.any(String) };
    expect(answer).toMatchObject({ status: 200, body: { rating } });
    expect((await stream.untilType('rating_given')).data).toEqual({
      conversationId,
      rating: answer.body.rating,
    });
    await hears('conversation_rated');
    expect(received.at(-1)?.payload).toMatchObject({
      handoff: { id: handoffId, outcome: 'resolved' },
      rating,
    });
    expect((await ada.act('GET', '/timeline')).body.ratings).toEqual([answer.body.rating]);
    // Clients that show the conversation read it again.
    expect((await ada.act('GET', '')).body.conversation.lastSeq).toBeGreaterThan(before);
    const { headers } = await member('Mia', 'manager');
    const exported = await request('GET', `/v1/admin/bots/${botId}/users/${visitor.id}/export`, headers);
    expect(exported.body.items).toContainEqual({
      type: 'rating',
      conversationId,
      rating: answer.body.rating,
    });
    await stream.cancel();
  });

  test('is given once: the same again changes nothing, another one names the first, and two at once are one', async () => {
    const { reply, close, rate, received, rows, idle } = await start();
    await reply();
    const handoffId = await close();
    const both = await Promise.all([rate(handoffId, 5, 'Thanks'), rate(handoffId, 1)]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const stored = both.find(({ status }) => status === 200)?.body.rating;
    const refused = both.find(({ status }) => status === 409)?.body;
    expect(refused).toMatchObject({ type: 'AlreadyExists', metadata: { rating: stored } });
    const again = await rate(handoffId, stored.rating, stored.comment);
    expect([again.status, again.body.rating]).toEqual([200, stored]);
    // It cannot be taken back.
    expect((await rate(handoffId, null)).body.rating).toEqual(stored);
    await idle();
    expect(received.filter(({ type }) => type === 'conversation_rated')).toHaveLength(1);
    expect(await rows('ratings')).toMatchObject([{ rating: stored.rating }]);
  });

  test('that is not wanted is not asked for again, does not become an event of the bot, and can still be given', async () => {
    const { reply, close, rate, received, idle, asked } = await start();
    await reply();
    const handoffId = await close();
    for (const _ of [1, 2]) expect((await rate(handoffId, null)).body.rating.state).toBe('dismissed');
    expect((await asked()).state).toBe('dismissed');
    await idle();
    expect(received.map(({ type }) => type)).not.toContain('conversation_rated');
    expect((await rate(handoffId, 2)).body.rating).toMatchObject({ state: 'given', rating: 2 });
  });

  test('belongs to its handoff: after the visitor writes again the next one has its own', async () => {
    const { reply, close, rate, send, asked, ada } = await start();
    await reply();
    const first = await close();
    await send('One more thing');
    // Somebody answers again: nothing is asked now.
    expect(await asked()).toBeUndefined();
    await reply();
    const second = await close();
    expect(second).not.toBe(first);
    expect((await rate(second, 5)).status).toBe(200);
    // In a tab that was not looked at since.
    expect((await rate(first, 1)).status).toBe(200);
    const { ratings } = (await ada.act('GET', '/timeline')).body;
    expect(ratings.map((one: { handoffId: string; rating: number }) => [one.handoffId, one.rating])).toEqual([
      [second, 5],
      [first, 1],
    ]);
  });

  test('that has a comment only, of another conversation, or of a handoff that was not asked about is refused', async () => {
    const { reply, close, rate, chat, server, key } = await start();
    await reply();
    const handoffId = await close();
    expect((await rate(handoffId, null, 'Why?')).status).toBe(400);
    expect((await rate('handoff_unknown', 5)).status).toBe(404);
    const other = await server.conversation(key);
    const path = `/conversations/${other}/rating`;
    expect((await server.call('PUT', path, { key, body: { handoffId, rating: 5 } })).status).toBe(404);
    const otherUser = await server.user();
    const own = await chat('PUT', '/rating', { handoffId, rating: 5 });
    expect(own.status).toBe(200);
    const foreign = `/conversations/${own.body.rating.handoffId}/rating`;
    expect(
      (await server.call('PUT', foreign, { key: otherUser.key, body: { handoffId, rating: 1 } })).status,
    ).toBe(404);
  });

  test('is deleted with its conversation', async () => {
    const { reply, close, rate, server, key, conversationId, rows } = await start();
    await reply();
    await rate(await close(), 5);
    await server.call('DELETE', `/conversations/${conversationId}`, { key });
    await expect.poll(() => rows('ratings'), pollOptions).toEqual([]);
  });
});
