// Tests of the inbox: members take, answer, assign, put aside and close conversations, and write notes that only they see.
import { describe, expect, test, vi } from 'vitest';
import { limits } from '../../protocol/limits.ts';
import type { Message } from '../../protocol/message.ts';
import { chatOperations } from '../../protocol/operations/chat/index.ts';
import { runtimeOperations } from '../../protocol/operations/runtime/index.ts';
import { ping } from '../../protocol/signal.ts';
import { isPostgresTest } from '../storage/postgres/testing.ts';
import { pollOptions } from '../testing.ts';
import { useInbox } from './testing.ts';

const start = useInbox();

const text = (value: string) => ({ type: 'text', text: value });

describe('a conversation', () => {
  test('is taken, answered and closed by a member, whom the visitor sees by name', async () => {
    const inbox = await start();
    const { chat, runtime, send, texts, idle, received } = inbox;
    const ada = await inbox.member('Ada');
    await send('Where is my order?');
    await runtime('POST', '/handoff', { reason: 'refund' });
    const waiting = await ada.call('GET', '/conversations?list=waiting');
    expect(waiting.body.conversations).toMatchObject([
      {
        state: 'waiting',
        revision: 1,
        visitor: { name: 'Visitor' },
        handoff: { reason: 'refund', requestedBy: 'bot' },
        preview: 'Where is my order?',
        lastAuthor: 'visitor',
        tags: [],
      },
    ]);
    expect((await ada.call('GET', '/counts')).body.counts).toEqual({
      ...{ mine: 0, unassigned: 1, waiting: 1, mentioned: 0, all: 1, closed: 0, snoozed: 0 },
    });
    const taken = await ada.act('POST', '/take', { revision: 1 });
    expect(taken.body.conversation).toMatchObject({
      state: 'assigned',
      revision: 2,
      assignee: { memberId: ada.id, name: 'Ada' },
    });
    // Taking what is mine has no further effect, also with the revision of before.
    expect((await ada.act('POST', '/take', { revision: 1 })).body.conversation.revision).toBe(2);
    const { seq } = (await ada.act('GET', '/timeline')).body;
    const reply = await ada.act('POST', '/replies', { payload: text('On its way'), seenSeq: seq });
    expect(reply).toMatchObject({
      status: 201,
      body: { message: { author: { kind: 'person', name: 'Ada' } } },
    });
    const { body } = await chat('GET', '/activities');
    expect(body.handling).toMatchObject({ state: 'assigned', person: { name: 'Ada' } });
    expect(body.activities.map(({ type }: { type: string }) => type)).toEqual([
      'person_joined',
      'handoff_requested',
    ]);
    expect((await ada.call('GET', '/conversations?list=waiting')).body.conversations).toEqual([]);
    await send('Thanks');
    await idle();
    const closed = await ada.act('POST', '/close', {});
    expect(closed.body.conversation).toMatchObject({ state: 'closed', handoff: { outcome: 'resolved' } });
    expect(closed.body.conversation.assignee).toBeUndefined();
    expect(await texts()).toEqual([
      ['visitor', 'Where is my order?'],
      ['person', 'On its way'],
      ['visitor', 'Thanks'],
    ]);
    expect(JSON.stringify([await chat('GET', '/messages'), received])).not.toContain(ada.email);
  });

  test('has the present names of other participants, their ids where they have none, and no name of its visitor', async () => {
    const { server, key, conversationId, send, member, runtime } = await start();
    const ada = await member('Ada');
    const [ben, nameless] = [await server.user({ name: 'Ben' }), await server.user()];
    await send('We are three.');
    for (const guest of [ben, nameless]) {
      await server.join(key, conversationId, guest);
      await server.sendMessage(guest.key, conversationId, 'Hello');
    }
    await server.call('PUT', '/users/me', { key: ben.key, body: { name: 'Benjamin' } });
    const authors = async () => {
      const { messages } = (await ada.act('GET', '/timeline')).body;
      return messages.map(({ author }: Message) => author).reverse();
    };
    await runtime('POST', '/handoff', {});
    expect(await authors()).toEqual([
      { kind: 'visitor' },
      { kind: 'visitor', name: 'Benjamin' },
      { kind: 'visitor', name: nameless.id },
    ]);
  });

  test('drops a message that its visitor deletes: from its row, from the search, and from open pages', async () => {
    const inbox = await start();
    const { send, idle, key } = inbox;
    const ada = await inbox.member('Ada');
    const remove = async (message: Message | undefined) => {
      const { status } = await inbox.request('DELETE', `/chat/demo/messages/${message?.id}`, {
        'x-user-key': key,
      });
      expect(status).toBe(200);
    };
    const row = async () => (await ada.act('GET', '')).body.conversation;
    const search = async (q: string) =>
      (await ada.call('GET', `/conversations?list=all&q=${q}`)).body.conversations.length;
    await send('Can I pay by card?');
    await ada.act('POST', '/take', {});
    await ada.reply('Please do not send its number');
    await send('It is 4111');
    await idle();
    const [question, , card] = await inbox.messages();
    expect([await row(), await search('4111')]).toMatchObject([{ preview: 'It is 4111' }, 1]);

    const { cursor } = (await ada.call('GET', '/changes')).body;
    const { lastSeq, revision, sortAt, waitingSince } = await row();
    const stream = await ada.listen();
    await remove(card);
    const last = { preview: 'Please do not send its number', lastAuthor: 'person' };
    // Nothing but the message is gone: a member can act on what they know, and the visitor is not new in the list.
    const changed = { ...last, lastSeq: lastSeq + 1, revision, sortAt, waitingSince };
    expect(await row()).toMatchObject(changed);
    expect((await ada.call('GET', `/changes?since=${cursor}`)).body.conversations).toMatchObject([changed]);
    expect([await search('4111'), await search('please')]).toEqual([0, 1]);
    expect(JSON.stringify(await inbox.rows('inbox_words'))).not.toContain('4111');
    await remove(question);
    expect(await row()).toMatchObject({ ...last, lastSeq: lastSeq + 2 });
    for (const { id } of [card, question] as Message[])
      await stream.until(
        ({ data }) => data?.includes(`"inbox_message_deleted"`) === true && data.includes(id),
      );
    const ofRow = await stream.until(({ data }) => data?.includes(`"lastSeq":${lastSeq + 2},`) === true);
    expect(JSON.parse(ofRow.data ?? '')).toMatchObject({ type: 'inbox_row', data: { row: last } });
    await stream.cancel();
  });

  test('shows what its bot makes of its last message: in its row, in the search, and on open pages', async () => {
    const inbox = await start(async (event, bot) => {
      if (event.type === 'text') await bot.reply({ type: 'text', text: 'Your card is 4111' });
    });
    const ada = await inbox.member('Ada');
    const search = async (q: string) =>
      (await ada.call('GET', `/conversations?list=all&q=${q}`)).body.conversations.length;
    await inbox.send('Which card do I have?');
    await inbox.idle();
    await ada.act('POST', '/take', {});
    const before = (await ada.act('GET', '')).body.conversation;
    expect([before, await search('4111')]).toMatchObject([{ preview: 'Your card is 4111' }, 1]);
    const stream = await ada.listen();
    const [, answer] = await inbox.messages();
    const { status } = await inbox.bot('PUT', `/messages/${answer?.id}`, { payload: text('A card ends') });
    expect(status).toBe(200);
    const { revision, sortAt } = before;
    const row = { preview: 'A card ends', lastAuthor: 'bot', lastSeq: before.lastSeq + 1, revision, sortAt };
    expect((await ada.act('GET', '')).body.conversation).toMatchObject(row);
    expect([await search('4111'), await search('ends')]).toEqual([0, 1]);
    await stream.until(({ data }) => data?.includes('"preview":"A card ends"') === true);
    await stream.cancel();
  });

  test('does not have a preview after its only message was deleted', async () => {
    const inbox = await start();
    const ada = await inbox.member('Ada');
    await inbox.send('Secret');
    await ada.act('POST', '/take', {});
    const [message] = await inbox.messages();
    await inbox.request('DELETE', `/chat/demo/messages/${message?.id}`, { 'x-user-key': inbox.key });
    const { conversation } = (await ada.act('GET', '')).body;
    expect(conversation).toMatchObject({ preview: '', lastAuthor: 'visitor' });
  });

  test('of a bot is taken without a request, and its visitor reaches the same member soon after the end', async () => {
    let now = 1_700_000_000_000;
    const inbox = await start(
      async (event, bot) => {
        if (event.type === 'text') await bot.reply({ type: 'text', text: 'Bot' });
      },
      { now: () => now },
    );
    const ada = await inbox.member('Ada');
    const { send, idle, chat, texts } = inbox;
    await send('1');
    await idle();
    await ada.act('POST', '/take', {});
    await ada.act('POST', '/close', {});
    now += 60_000;
    await send('2');
    await idle();
    expect((await chat('GET', '/activities')).body.handling).toMatchObject({
      state: 'assigned',
      person: { name: 'Ada' },
    });
    await ada.act('POST', '/close', {});
    now += 3 * 60 * 60_000;
    await send('3');
    await idle();
    expect((await chat('GET', '/activities')).body.handling).toMatchObject({ state: 'bot' });
    expect((await texts()).map(([kind]) => kind)).toEqual(['visitor', 'bot', 'visitor', 'visitor', 'bot']);
    const { body } = await ada.act('GET', '');
    expect(body.handoffs).toMatchObject([
      { requestedBy: 'visitor', outcome: 'resolved' },
      { requestedBy: 'person', outcome: 'resolved' },
    ]);
  });

  test('is put aside until a time, or until the visitor writes, and the visitor is not notified', async () => {
    let now = 1_700_000_000_000;
    const inbox = await start(undefined, { now: () => now });
    const ada = await inbox.member('Ada');
    const { send, chat, conversationId } = inbox;
    await ada.act('POST', '/take', {});
    await ada.act('POST', '/snooze', {});
    expect((await chat('GET', '/activities')).body.handling.state).toBe('assigned');
    await send('Hello?');
    expect((await ada.act('GET', '')).body.conversation.state).toBe('assigned');
    const until = new Date(now + 60_000).toISOString();
    expect((await ada.act('POST', '/snooze', { until })).body.conversation).toMatchObject({
      state: 'snoozed',
      snoozedUntil: until,
    });
    expect((await ada.act('POST', '/snooze', { until: '2999-01-01T00:00:00Z' })).status).toBe(400);
    now += 120_000;
    // A start looks for what is due.
    await inbox.restart({ now: () => now });
    const state = async () => {
      const path = `/v1/inbox/conversations/${conversationId}`;
      const response = await inbox.server.fetch(path, { headers: ada.headers });
      return ((await response.json()) as { conversation: { state: string } }).conversation.state;
    };
    await expect.poll(state, pollOptions).toBe('assigned');
  });

  test('whose time of snoozing is over stays with its member, also if they are away, unless the visitor has no answer, who then waits', async () => {
    let now = 1_700_000_000_000;
    const inbox = await start(undefined, { now: () => now });
    const ada = await inbox.member('Ada');
    const { conversationId } = inbox;
    const snooze = async () => {
      const until = new Date(now + 60_000).toISOString();
      expect((await ada.act('POST', '/snooze', { until })).status).toBe(200);
      now += 120_000;
      // A start looks for what is due.
      await inbox.restart({ now: () => now });
    };
    const stateOf = async () => {
      const row = (await inbox.rows('handlings')).find((each) => each.conversation_id === conversationId);
      return [row?.state, row?.assignee_id, row?.waiting_since];
    };
    const answer = { payload: { type: 'text', text: 'I will ask' }, seenSeq: 1_000 };
    await ada.act('POST', '/take', {});
    await snooze();
    // She is there: the visitor waits for her.
    await expect.poll(stateOf, pollOptions).toEqual(['assigned', ada.id, now]);
    expect((await ada.act('POST', '/replies', answer)).status).toBe(201);
    await ada.call('PUT', '/me', { availability: 'away' });
    await snooze();
    await expect.poll(stateOf, pollOptions).toEqual(['assigned', ada.id, null]);
    // The last message is her answer, but in an earlier handoff.
    await ada.act('POST', '/close', {});
    await ada.act('POST', '/reopen', {});
    await snooze();
    await expect.poll(stateOf, pollOptions).toEqual(['waiting', null, now]);
    await ada.act('POST', '/take', {});
    expect((await ada.act('POST', '/replies', answer)).status).toBe(201);
    await inbox.send('And now?');
    await ada.act('POST', '/take', {});
    await snooze();
    await expect.poll(stateOf, pollOptions).toEqual(['waiting', null, now]);
  });

  test('is assigned by the assigned member or by a manager, and waits again when the member is removed', async () => {
    const inbox = await start();
    const [ada, ben, manager, viewer] = [
      await inbox.member('Ada'),
      await inbox.member('Ben'),
      await inbox.member('Mia', 'manager'),
      await inbox.member('Vic', 'viewer'),
    ];
    await ada.act('POST', '/take', {});
    const toViewer = await manager.act('POST', '/assign', { memberId: viewer.id });
    expect(toViewer).toMatchObject({ status: 409, body: { type: 'ReferenceConstraint' } });
    expect((await viewer.act('POST', '/take', {})).status).toBe(403);
    const assigned = await ada.act('POST', '/assign', { memberId: ben.id });
    expect(assigned.body.conversation.assignee).toEqual({ memberId: ben.id, name: 'Ben' });
    const { activities } = (await inbox.chat('GET', '/activities')).body;
    expect(activities.slice(0, 2)).toMatchObject([
      { type: 'person_joined', actor: { name: 'Ben' } },
      { type: 'person_left', actor: { name: 'Ada' } },
    ]);
    const removed = await inbox.request('DELETE', `/v1/admin/workspace-members/${ben.id}`, manager.headers);
    expect(removed.status).toBe(200);
    const { body } = await ada.act('GET', '');
    expect(body.conversation).toMatchObject({ state: 'waiting' });
    expect(body.conversation.assignee).toBeUndefined();
    expect((await inbox.rows('assignments')).filter(({ to_at: to }) => to === null)).toEqual([]);
  });
});

describe('two members at once', () => {
  test('of ten members who take at the same time, one succeeds, and the others learn who', async () => {
    const inbox = await start();
    await inbox.runtime('POST', '/handoff', {});
    const members = await Promise.all(Array.from({ length: 10 }, (_, n) => inbox.member(`Member ${n}`)));
    const answers = await Promise.all(members.map((member) => member.act('POST', '/take', { revision: 1 })));
    const winners = answers.filter(({ status }) => status === 200);
    expect(winners).toHaveLength(1);
    const { assignee } = winners[0]?.body.conversation ?? {};
    for (const { status, body } of answers.filter((answer) => answer.status !== 200))
      expect([status, body.type, body.metadata]).toEqual([409, 'AlreadyTaken', { assignee }]);
    const participants = await inbox.rows('participants');
    expect(participants).toHaveLength(2);
  });

  test('a reply is stopped by an answer or a note of a colleague that its author has not seen', async () => {
    const inbox = await start();
    const [ada, ben] = [await inbox.member('Ada'), await inbox.member('Ben')];
    await ada.act('POST', '/take', {});
    const seenSeq = (await ada.act('GET', '/timeline')).body.seq;
    const other = await ben.act('POST', '/replies', { payload: text('Me too'), seenSeq });
    expect(other).toMatchObject({ status: 409, body: { type: 'AssignedToOther' } });
    const taking = await ben.act('POST', '/replies', { payload: text('Me too'), seenSeq, take: true });
    expect(taking.body).toMatchObject({ type: 'AssignedToOther', metadata: { assignee: { name: 'Ada' } } });
    // A message of the visitor stops nothing.
    await inbox.send('Hello?');
    expect((await ada.act('POST', '/replies', { payload: text('Yes'), seenSeq })).status).toBe(201);
    const before = (await ada.act('GET', '/timeline')).body;
    await ben.act('POST', '/notes', { body: 'VIP' });
    const seen = { seenSeq: before.seq, seenNoteId: 'note_0' };
    const stopped = await ada.act('POST', '/replies', { payload: text('Bye'), ...seen });
    expect(stopped.body).toMatchObject({ type: 'NewerReply', metadata: { messages: 0, notes: 1 } });
    const { notes } = (await ada.act('GET', '/timeline')).body;
    const anyway = { seenSeq: before.seq, seenNoteId: notes[0].id };
    expect((await ada.act('POST', '/replies', { payload: text('Bye'), ...anyway })).status).toBe(201);
  });
});

describe('a note', () => {
  test('is changed by its author, deleted by its author or a manager, and colleagues are notified', async () => {
    const inbox = await start();
    const [ada, ben, mia] = [
      await inbox.member('Ada'),
      await inbox.member('Ben'),
      await inbox.member('Mia', 'manager'),
    ];
    await ada.act('POST', '/take', {});
    const { note } = (await ada.act('POST', '/notes', { body: ' VIP ' })).body;
    expect(note).toMatchObject({ body: 'VIP', author: { memberId: ada.id, name: 'Ada' } });
    expect((await ben.act('PUT', `/notes/${note.id}`, { body: 'x' })).status).toBe(404);
    expect((await ben.act('DELETE', `/notes/${note.id}`)).status).toBe(404);
    expect((await ada.act('PUT', `/notes/${note.id}`, { body: 'VIP!' })).body.note.editedAt).toEqual(
      expect.any(String),
    );
    expect((await mia.act('DELETE', `/notes/${note.id}`)).status).toBe(200);
    expect((await ada.act('GET', '/timeline')).body.notes).toEqual([]);
    expect((await ada.act('POST', '/notes', { body: '  ' })).status).toBe(400);
  });

  test('and a tag are in no response of the Chat and the Runtime API, no signal and no event of the bot', async () => {
    const inbox = await start();
    const canary = 'canaryofthenotes';
    const ada = await inbox.member('Ada');
    const stream = await inbox.server.listen(inbox.key, inbox.conversationId);
    const ids: Record<string, string> = {
      id: inbox.conversationId,
      conversationId: inbox.conversationId,
      userId: inbox.visitor.id,
      noteId: 'x',
    };
    const readAll = async () => {
      const read: string[] = [];
      const reads = [
        ...Object.values(chatOperations).map((one) => ({ ...one, base: '/chat/demo' })),
        ...Object.values(runtimeOperations).map((one) => ({ ...one, base: '/v1/chat' })),
      ].filter(({ kind }) => kind === 'query');
      expect(reads.length).toBeGreaterThan(15);
      for (const { base, path } of reads) {
        const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? 'none');
        const query = path === '/messages' ? `?conversationId=${inbox.conversationId}` : '';
        const headers: Record<string, string> =
          base === '/v1/chat' ? inbox.ofBot : { 'x-user-key': inbox.key };
        read.push(JSON.stringify((await inbox.request('GET', base + filled + query, headers)).body));
      }
      return read.join('\n');
    };
    await inbox.runtime('POST', '/handoff', { reason: 'refund', note: `${canary} of the bot` });
    for (const [method, path, body] of [
      ['POST', '/notes', { body: `${canary} waiting` }],
      ['POST', '/take', {}],
      ['POST', '/notes', { body: `${canary} assigned` }],
      ['PUT', '/tags', { tags: [canary] }],
      ['POST', '/snooze', {}],
      ['POST', '/notes', { body: `${canary} snoozed` }],
      ['POST', '/close', {}],
      ['POST', '/notes', { body: `${canary} closed` }],
      ['POST', '/take', {}],
      ['POST', '/return', {}],
      ['POST', '/notes', { body: `${canary} returned` }],
    ] as const) {
      expect((await ada.act(method, path, body)).status).toBeLessThan(300);
      expect(await readAll()).not.toContain(canary);
    }
    await inbox.send('Hello');
    await inbox.idle();
    await stream.until(({ signal }) => signal?.type === 'message_created');
    expect(JSON.stringify(stream.frames.map(({ data }) => data))).not.toContain(canary);
    expect(JSON.stringify(inbox.received)).not.toContain(canary);
    const { notes } = (await ada.act('GET', '/timeline')).body;
    expect(notes).toHaveLength(6);
    await stream.cancel();
  });
});

describe('a client of the team', () => {
  test('receives rows, notes, counts and colleagues, if the role of the member allows it', async () => {
    const inbox = await start();
    const [ada, ben] = [await inbox.member('Ada'), await inbox.member('Ben')];
    const stream = await ada.listen();
    expect(stream.response.headers.get('content-type')).toBe('text/event-stream');
    const until = (type: string) =>
      stream.until(({ signal }) => (signal as { type?: string } | undefined)?.type === type);
    await until('inbox_counts');
    await inbox.runtime('POST', '/handoff', {});
    expect((await until('inbox_row')).data).toContain('waiting');
    await ben.act('PUT', '/presence', { state: 'noting' });
    expect((await until('inbox_presence')).data).toContain('Ben');
    await ben.act('POST', '/notes', { body: 'VIP' });
    expect((await until('inbox_note')).data).toContain('VIP');
    await stream.cancel();
    const billing = await inbox.member('Bill', 'billing');
    expect((await billing.call('GET', '/stream')).status).toBe(403);
  });

  test('outside of a restricted team does not learn that a note was deleted', async () => {
    const inbox = await start();
    const [mia, ben] = [await inbox.member('Mia', 'manager'), await inbox.member('Ben')];
    await inbox.runtime('POST', '/handoff', {});
    await mia.restrict();
    const streams = [await mia.listen(), await ben.listen()];
    const { note } = (await mia.act('POST', '/notes', { body: 'Secret' })).body;
    await mia.act('DELETE', `/notes/${note.id}`);
    const other = await inbox.server.conversation(inbox.key);
    await inbox.bot('POST', `/conversations/${other}/handoff`, {});
    for (const stream of streams) await stream.until(({ data }) => data?.includes(other) === true);
    const [ofTeam, outside] = streams.map(({ frames }) => JSON.stringify(frames.map(({ data }) => data)));
    expect(ofTeam).toContain('inbox_note_deleted');
    expect(outside).not.toContain(note.id);
    for (const stream of streams) await stream.cancel();
  });

  test('is disconnected when the member has another role than before', async () => {
    const inbox = await start();
    // Support and developers see the same conversations, but may do different things.
    const [mia, ida, ben] = [
      await inbox.member('Mia', 'manager'),
      await inbox.member('Ida'),
      await inbox.member('Ben'),
    ];
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const [ofMia, ofIda, ofBen] = [await mia.listen(), await ida.listen(), await ben.listen()];
    await inbox.server.db.write(async (tx) => {
      await tx.run("UPDATE members SET role = 'support' WHERE id = ?", mia.id);
      await tx.run("UPDATE members SET role = 'developer' WHERE id = ?", ida.id);
    });
    vi.advanceTimersByTime(15_000);
    vi.useRealTimers();
    await ofBen.until(({ data }) => data === ping);
    for (const { ended, frames } of [ofMia, ofIda]) {
      await ended;
      expect(frames.map(({ data }) => data)).not.toContain(ping);
    }
    await ofBen.cancel();
  });

  test('requests the changes since a cursor, including deletions', async () => {
    let now = 1_700_000_000_000;
    const inbox = await start(undefined, { now: () => now });
    const ada = await inbox.member('Ada');
    const first = (await ada.call('GET', '/changes')).body;
    expect(first).toMatchObject({ conversations: [], deleted: [], isComplete: true });
    await inbox.runtime('POST', '/handoff', {});
    const changed = (await ada.call('GET', `/changes?since=${first.cursor}`)).body;
    expect(changed.conversations).toMatchObject([{ state: 'waiting' }]);
    await inbox.chat('DELETE', '');
    const deleted = (await ada.call('GET', `/changes?since=${changed.cursor}`)).body;
    expect(deleted).toMatchObject({ conversations: [], deleted: [inbox.conversationId] });
    now += 2 * 60 * 60_000;
    expect((await ada.call('GET', `/changes?since=${first.cursor}`)).body.type).toBe('TooOld');
    expect((await ada.call('GET', '/changes?since=x')).status).toBe(400);
  });

  test('receives deletions once, with the page of their time, and what becomes visible later than its time', async () => {
    let now = 1_700_000_000_000;
    const inbox = await start(undefined, { now: () => now });
    const { workspaceId, server } = inbox;
    const ada = await inbox.member('Ada');
    await inbox.runtime('POST', '/handoff', {});
    let { cursor } = (await ada.call('GET', '/changes')).body;
    // PostgreSQL generates the column.
    const [{ updated_period: _, ...conversation } = {}] = await inbox.rows('conversations');
    const [handling] = await inbox.rows('handlings');
    const begun = now;
    /** Stores conversations that were changed, and others that were deleted, so many milliseconds later. */
    const store = (changed: readonly number[], removed: readonly number[]) =>
      server.db.write(async (tx) => {
        const insert = async (table: string, row: object) => {
          const names = Object.keys(row);
          const values = Object.values(row) as string[];
          await tx.run(`INSERT INTO ${table} (${names}) VALUES (${names.map(() => '?')})`, ...values);
        };
        for (const ms of changed) {
          const id = `conv_${ms}`;
          await insert('conversations', { ...conversation, id, foreign_id: null });
          await insert('handlings', { ...handling, conversation_id: id, changed_at: begun + ms });
        }
        for (const ms of removed) {
          const row = { workspace_id: workspaceId, deleted_at: begun + ms, conversation_id: `deleted ${ms}` };
          await insert('deleted_handlings', row);
        }
      });
    const size = limits.inbox.changes;
    const changed = Array.from({ length: 2 * size }, (_, n) => n + 1);
    await store(changed, [20, size + 20, 2 * size + 20]);
    now += 20_000;
    /** The deletions of each page until all changes were received, and how many rows. */
    const read = async () => {
      const deleted: string[][] = [];
      let rows = 0;
      for (let isComplete = false; !isComplete; ) {
        const { body } = await ada.call('GET', `/changes?since=${cursor}`);
        deleted.push(body.deleted);
        rows += body.conversations.length;
        ({ cursor, isComplete } = body);
      }
      return { deleted, rows };
    };
    expect(await read()).toEqual({
      deleted: [['deleted 20'], [`deleted ${size + 20}`], [`deleted ${2 * size + 20}`]],
      rows: 2 * size + 1,
    });
    // Transactions that have begun before, and end now.
    await store([0], [21]);
    const { deleted, rows } = await read();
    expect([deleted.flat().includes('deleted 21'), rows]).toEqual([true, 2 * size + 2]);
  });

  test('reads long lists in pages, without gaps and repetitions', async () => {
    const inbox = await start();
    const ada = await inbox.member('Ada');
    const ids: string[] = [];
    for (let n = 0; n < 7; n += 1) {
      const id = await inbox.server.conversation(inbox.key);
      await inbox.bot('POST', `/conversations/${id}/handoff`, {});
      ids.push(id);
    }
    for (const list of ['unassigned', 'waiting', 'all', 'waiting&sort=newest', 'all&sort=oldest']) {
      const found: string[] = [];
      let token = '';
      do {
        const { body } = await ada.call('GET', `/conversations?list=${list}&pageSize=3${token}`);
        found.push(...body.conversations.map((row: { conversationId: string }) => row.conversationId));
        token = body.meta.nextToken ? `&nextToken=${body.meta.nextToken}` : '';
      } while (token !== '');
      expect([list, found]).toEqual([list, /^waiting$|oldest/.test(list) ? ids : ids.toReversed()]);
    }
    expect((await ada.call('GET', '/conversations?list=odd')).status).toBe(400);
  });
});

// SQLite has one writer.
test.runIf(isPostgresTest())('presence does not wait for a change of the workspace', async () => {
  const inbox = await start();
  const ada = await inbox.member('Ada');
  let release = () => {};
  const isReleased = new Promise<void>((resolve) => {
    release = resolve;
  });
  let hold = () => {};
  const isHeld = new Promise<void>((resolve) => {
    hold = resolve;
  });
  const writing = inbox.server.db.write(async (tx) => {
    await tx.lock(`workspace:${inbox.workspaceId}`);
    hold();
    await isReleased;
  });
  await isHeld;
  expect((await ada.act('PUT', '/presence', { state: 'viewing' })).status).toBe(200);
  release();
  await writing;
});
