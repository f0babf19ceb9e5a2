// Tests of read marks: they only rise, each side is told where the bot wants it, and they leave with who has read.
import { expect, test } from 'vitest';
import { useInbox } from '../../inbox/testing.ts';
import { pollOptions, readStream } from '../../testing.ts';

const startInbox = useInbox();

const text = (value: string) => ({ type: 'text', text: value });

/** A visitor, Ada, who answers them, and Ben, who does not. */
async function start({ readReceipts = true } = {}) {
  const inbox = await startInbox();
  const { request, botId, member, chat } = inbox;
  const [mia, ada, ben] = [await member('Mia', 'manager'), await member('Ada'), await member('Ben')];
  const path = `/v1/admin/bots/${botId}/deployment`;
  const deployment = await request('PUT', path, mia.headers, { readReceipts });
  expect(deployment.body.deployment.readReceipts).toBe(readReceipts || undefined);
  await ada.act('POST', '/take', {});
  const reply = async (value: string): Promise<string> => {
    const { seq } = (await ada.act('GET', '/timeline')).body;
    return (await ada.act('POST', '/replies', { payload: text(value), seenSeq: seq })).body.message.id;
  };
  const personRead = async () => (await chat('GET', '/activities')).body.personRead;
  const visitorRead = async () => (await ada.act('GET', '/timeline')).body.visitorRead;
  return { ...inbox, mia, ada, ben, reply, personRead, visitorRead };
}

test('each side is told what the other one has read, live and when it comes back, and never less than before', async () => {
  const { ada, ben, send, reply, chat, server, key, conversationId, personRead, visitorRead } = await start();
  const stream = await server.listen(key, conversationId);
  await send('Hello');
  await send('Are you there?');
  expect([await personRead(), await visitorRead()]).toEqual([undefined, undefined]);
  const { seq, messages } = (await ada.act('GET', '/timeline')).body;
  // A colleague who only looks leaves no mark.
  expect((await ben.act('PUT', '/read', { seq })).status).toBe(200);
  expect((await ada.act('PUT', '/read', { seq })).status).toBe(200);
  const frame = await stream.untilType('conversation_read');
  expect(frame.data).toEqual({
    conversationId,
    reader: 'person',
    seq: expect.any(Number),
    until: messages[0].createdAt,
  });
  expect(await personRead()).toEqual({ seq: frame.data.seq, until: frame.data.until });
  for (const earlier of [0, 1, seq]) await ada.act('PUT', '/read', { seq: earlier });
  expect(await personRead()).toMatchObject({ until: messages[0].createdAt });
  const response = await server.fetch('/v1/inbox/stream', { headers: ada.headers });
  const team = readStream(response);
  const [first, second] = [await reply('One'), await reply('Two')];
  const read = await chat('PUT', '/read', { messageId: second });
  expect(read.status).toBe(200);
  await expect
    .poll(
      () => team.frames.map(({ data }) => data).filter((data) => data.includes('inbox_read')),
      pollOptions,
    )
    .toEqual([JSON.stringify({ type: 'inbox_read', data: { conversationId, ...read.body.read } })]);
  await chat('PUT', '/read', { messageId: first });
  expect(await visitorRead()).toEqual(read.body.read);
  expect(stream.frames.filter(({ signal }) => signal?.type === 'conversation_read')).toHaveLength(2);
  // It is not in the log: it takes no number, and is not replayed.
  const ids = stream.frames.flatMap(({ signal, id }) => (signal?.type === 'conversation_read' ? [id] : []));
  expect(ids).toEqual([undefined, undefined]);
  await Promise.all([stream.cancel(), team.cancel()]);
});

test('without receipts nobody is told, and the mark is kept', async () => {
  const { ada, reply, chat, server, key, conversationId, rows, personRead, visitorRead, send } = await start({
    readReceipts: false,
  });
  const stream = await server.listen(key, conversationId);
  await send('Hello');
  await ada.act('PUT', '/read', { seq: 99 });
  expect((await chat('PUT', '/read', { messageId: await reply('One') })).status).toBe(200);
  await send('Thanks');
  await stream.until(({ data }) => data.includes('Thanks'));
  expect(stream.frames.map(({ signal }) => signal?.type)).not.toContain('conversation_read');
  expect([await personRead(), await visitorRead()]).toEqual([undefined, undefined]);
  expect(await rows('reads')).toMatchObject([{ kind: 'person' }, { kind: 'visitor' }]);
  await stream.cancel();
});

test('marks of any order at once: the highest stays', async () => {
  const { reply, chat, rows } = await start();
  const ids: string[] = [];
  for (const value of ['1', '2', '3', '4']) ids.push(await reply(value));
  const order = [2, 0, 3, 1].map((index) => ids[index]);
  const answers = await Promise.all(order.map((messageId) => chat('PUT', '/read', { messageId })));
  const highest = Math.max(...answers.map(({ body }) => body.read.seq));
  expect(await rows('reads')).toMatchObject([{ last_seq: highest }]);
});

test('a message of another conversation, of nobody, and a mark of the future are refused or limited', async () => {
  const { chat, ada, server, key, send, rows } = await start();
  const other = await server.conversation(key);
  const foreign = await server.sendMessage(key, other, 'Elsewhere');
  for (const body of [{ messageId: foreign }, { messageId: 'msg_unknown' }])
    expect((await chat('PUT', '/read', body)).status).toBe(404);
  // Nothing was said yet.
  expect((await ada.act('PUT', '/read', { seq: 5 })).status).toBe(200);
  expect(await rows('reads')).toEqual([]);
  await send('Hello');
  await ada.act('PUT', '/read', { seq: Number.MAX_SAFE_INTEGER });
  const [message] = await rows('messages').then((all) =>
    all.filter(({ payload }) => String(payload).includes('Hello')),
  );
  expect(await rows('reads')).toMatchObject([{ last_seq: message?.seq }]);
});

test('marks leave with the conversation', async () => {
  const { reply, chat, server, key, conversationId, rows } = await start();
  await chat('PUT', '/read', { messageId: await reply('One') });
  await server.call('DELETE', `/conversations/${conversationId}`, { key });
  await expect.poll(() => rows('reads'), pollOptions).toEqual([]);
});
