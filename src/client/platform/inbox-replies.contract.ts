// The cases of what members say to visitors and read of them, for inbox.contract.ts: replies, files, the timeline, read marks.
import { describe, expect, test, vi } from 'vitest';
import { waitFor } from '../../polling.testing.ts';
import type { Signal } from '../../protocol/signal.ts';
import { ApiError } from '../index.ts';
import { refusal } from './fixture.contract.ts';
import { type InboxFixture, text } from './inbox-fixture.contract.ts';

export function inboxRepliesContract(fixture: InboxFixture): void {
  const { client, fetch, member, ownBot, asked, reply, rowOf, send } = fixture;

  describe('a reply', () => {
    test('is stored once, with the name of the member, and read by visitor and team', async () => {
      const ada = await member();
      const { id, visitor } = await asked();
      const unassigned = { id, payload: text('Hello'), seenSeq: 1_000 };
      expect(await refusal(ada.inbox.createReply(unassigned))).toBe('409 StaleRevision');
      await ada.inbox.takeConversation({ id });
      const { seq } = await ada.inbox.getInboxTimeline({ id });
      const input = { id, payload: text('Grüße 😀'), seenSeq: seq };
      const options = { idempotencyKey: fixture.fresh('reply') };
      const { message } = await ada.inbox.createReply(input, options);
      expect(message).toMatchObject({
        ...{ conversationId: id, payload: input.payload, author: { kind: 'person', name: ada.name } },
      });
      expect(await ada.inbox.createReply(input, options)).toEqual({ message });
      const timeline = await ada.inbox.getInboxTimeline({ id });
      expect(timeline.messages[0]).toEqual(message);
      expect(timeline.messages.map(({ author }) => author?.kind)).toEqual(['person', 'visitor']);
      expect(timeline.activities.map(({ type }) => type)).toEqual(['person_joined', 'handoff_requested']);
      expect(timeline.seq).toBeGreaterThan(seq);
      const seen = await visitor.list.messages({ conversationId: id }).collect();
      expect(seen.map(({ payload }) => payload)).toEqual([text('Grüße 😀'), text('Hello')]);
      for (const wrong of [{ payload: text('') }, { payload: { type: 'odd' } }, { seenSeq: -1 }]) {
        const call = ada.inbox.createReply({ ...input, ...(wrong as object) });
        expect(await refusal(call), JSON.stringify(wrong)).toBe('400 InvalidPayload');
      }
      expect((await ada.inbox.getInboxTimeline({ id })).seq).toBe(timeline.seq);
    });

    test('takes the conversation if it is asked to, but not from a colleague', async () => {
      const [ada, ben] = [await member(), await member()];
      const { id } = await asked();
      const input = { id, payload: text('Hello'), seenSeq: 1_000, take: true } as const;
      await ada.inbox.createReply(input);
      expect(await rowOf(ada, id)).toMatchObject({ state: 'assigned', assignee: { memberId: ada.id } });
      for (const { take, ...rest } of [input, { ...input, take: undefined }]) {
        const call = ben.inbox.createReply({ ...rest, ...(take && { take }) });
        expect(await refusal(call)).toBe('409 AssignedToOther');
      }
      expect((await ada.inbox.getInboxTimeline({ id })).messages).toHaveLength(2);
    });

    test('is stopped by a message or a note of a colleague that its author has not read', async () => {
      const [ada, ben] = [await member(), await member()];
      const { id, write } = await asked();
      await ada.inbox.takeConversation({ id });
      const { seq: seenSeq } = await ada.inbox.getInboxTimeline({ id });
      // A message of the visitor stops nothing.
      await write('Are you there?');
      await ada.inbox.createReply({ id, payload: text('Yes'), seenSeq });
      await ada.inbox.assignConversation({ id, memberId: ben.id });
      await ada.inbox.createNote({ id, body: 'A good customer' });
      const late = { id, payload: text('Hello'), seenSeq };
      const error = await ben.inbox.createReply(late).catch((reason: unknown) => reason);
      const { seq, notes } = await ben.inbox.getInboxTimeline({ id });
      expect(error).toBeInstanceOf(ApiError);
      expect(error).toMatchObject({
        ...{ code: 409, type: 'NewerReply', metadata: { messages: 1, notes: 1, seq } },
      });
      expect((await ben.inbox.getInboxTimeline({ id })).messages[0]?.payload).toEqual(text('Yes'));
      const read = { ...late, seenSeq: seq, seenNoteId: notes[0]?.id ?? '' };
      await ada.inbox.createNote({ id, body: 'And patient' });
      expect(await refusal(ben.inbox.createReply(read))).toBe('409 NewerReply');
      const [newest] = (await ben.inbox.getInboxTimeline({ id })).notes.filter(
        ({ body }) => body === 'And patient',
      );
      const { message } = await ben.inbox.createReply({ ...read, seenNoteId: newest?.id ?? '' });
      expect(message.author).toEqual({ kind: 'person', name: ben.name });
    });

    test('contains a file whose bytes the visitor reads', async () => {
      const ada = await member();
      const { id, visitor } = await asked();
      await ada.inbox.takeConversation({ id });
      const content = 'Zürich 👍';
      const { length } = new TextEncoder().encode(content);
      const { file } = await ada.inbox.createReplyFile({
        ...{ id, key: 'map.txt', size: length, contentType: 'text/plain' },
      });
      expect(file).toMatchObject({ key: 'map.txt', size: length, status: 'upload_pending' });
      expect((await fetch(file.url, { method: 'GET' })).status).toBe(404);
      await send(file.uploadUrl, content);
      const payload = { type: 'file', fileUrl: file.url, title: 'map.txt', fileId: file.id } as const;
      await ada.inbox.createReply({ id, payload, seenSeq: 1_000 });
      const [message] = (await visitor.listMessages({ conversationId: id })).messages;
      expect(message?.payload).toEqual(payload);
      expect(await (await fetch(file.url, { method: 'GET' })).text()).toBe(content);
      const large = { id, key: 'film.txt', size: 10_000_000_000 };
      expect(await refusal(ada.inbox.createReplyFile(large))).toBe('413 LimitExceeded');
      const empty = { id, key: 'map.txt', size: 0 };
      expect(await refusal(ada.inbox.createReplyFile(empty))).toBe('400 InvalidPayload');
    });
  });

  test('the timeline is read in pages of messages, each with the notes and activities of its time', async () => {
    const ada = await member();
    const { id, write } = await asked({ content: '1' });
    const { note } = await ada.inbox.createNote({ id, body: 'After 1' });
    await write('2');
    await write('3');
    const seen: unknown[] = [];
    let nextToken: string | undefined;
    do {
      const page = await ada.inbox.getInboxTimeline({ id, pageSize: 1, ...(nextToken && { nextToken }) });
      expect(page.messages.length).toBeLessThanOrEqual(1);
      seen.push(...page.messages.map(({ payload }) => payload));
      seen.push(...page.notes, ...page.activities.map(({ type }) => type));
      nextToken = page.meta.nextToken;
    } while (nextToken);
    expect(seen).toEqual([text('3'), text('2'), text('1'), note, 'handoff_requested']);
    for (const input of [{ nextToken: 'garbage' }, { pageSize: 0 }])
      expect(await refusal(ada.inbox.getInboxTimeline({ id, ...input }))).toBe('400 InvalidQuery');
  });

  test('what one side has read is told to the other one, and only of who answers', async () => {
    const [ada, ben] = [await member(), await member()];
    const bot = await ownBot();
    await client().setBotDeployment({ id: bot.botId, readReceipts: true });
    const { id, visitor } = await asked({ bot });
    await ada.inbox.takeConversation({ id });
    const { seq } = await ada.inbox.getInboxTimeline({ id });
    expect(await ben.inbox.setInboxRead({ id, seq })).toEqual({});
    expect(await visitor.listActivities({ id })).not.toHaveProperty('personRead');
    expect(await ada.inbox.setInboxRead({ id, seq })).toEqual({});
    const [question] = (await visitor.listMessages({ conversationId: id })).messages;
    expect((await visitor.listActivities({ id })).personRead?.until).toBe(question?.createdAt);
    expect(await refusal(ada.inbox.setInboxRead({ id, seq: -1 }))).toBe('400 InvalidPayload');
    const message = await reply(ada, id, 'On its way');
    expect(await ada.inbox.getInboxTimeline({ id })).not.toHaveProperty('visitorRead');
    await visitor.setRead({ id, messageId: message.id });
    expect((await ada.inbox.getInboxTimeline({ id })).visitorRead?.until).toBe(message.createdAt);
  });

  test('the visitor sees that the person who answers is replying, and nothing of colleagues', async () => {
    const [ada, ben] = [await member(), await member()];
    const { id, visitor } = await asked();
    await ada.inbox.takeConversation({ id });
    const signals: Signal[] = [];
    const open = vi.fn();
    const connection = visitor.listen(id, { onSignal: (signal) => signals.push(signal), onOpen: open });
    await waitFor(() => expect(open).toHaveBeenCalled());
    expect(await ben.inbox.setInboxPresence({ id, state: 'replying' })).toEqual({});
    expect(await ada.inbox.setInboxPresence({ id, state: 'noting' })).toEqual({});
    expect(await ada.inbox.setInboxPresence({ id, state: 'replying' })).toEqual({});
    const typing = () => signals.filter(({ type }) => type.startsWith('typing'));
    await waitFor(() => expect(typing()[0]?.type).toBe('typing_started'));
    expect(await ada.inbox.setInboxPresence({ id, state: 'gone' })).toEqual({});
    await waitFor(() => expect(typing()[1]?.type).toBe('typing_stopped'));
    expect(typing()).toHaveLength(2);
    connection.close();
    const odd = { id, state: 'odd' as 'gone' };
    expect(await refusal(ada.inbox.setInboxPresence(odd))).toBe('400 InvalidPayload');
  });

  test('the rating of the visitor is in the timeline', async () => {
    const ada = await member();
    const { id, visitor } = await asked();
    await ada.inbox.takeConversation({ id });
    await reply(ada, id, 'Here it is');
    const { conversation } = await ada.inbox.closeInboxConversation({ id });
    const handoffId = conversation.handoff.id;
    expect((await ada.inbox.getInboxTimeline({ id })).ratings).toMatchObject([
      { handoffId, state: 'offered' },
    ]);
    const { rating } = await visitor.rateConversation({ id, handoffId, rating: 5, comment: 'Fast' });
    expect((await ada.inbox.getInboxTimeline({ id })).ratings).toEqual([rating]);
    expect(rating).toMatchObject({ state: 'given', rating: 5, comment: 'Fast' });
  });
}
