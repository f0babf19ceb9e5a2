// Tests of what members, the visitor and the bot do at the same time. Whatever happens first, what handling promises stays true.
import { expect, test } from 'vitest';
import { deleteExpiredFiles } from '../storage/files/deletions.ts';
import { attachFiles } from '../storage/inbox/notes.ts';
import { type Inbox, useInbox } from './testing.ts';

const start = useInbox();

/** Checks what is always true of the stored rows. */
async function checkInvariants({ rows, chat }: Inbox): Promise<void> {
  const [handling] = await rows('handlings');
  const handoffs = await rows('handoffs');
  const open = (await rows('assignments')).filter((row) => row.to_at === null);
  const persons = (await rows('users')).filter((row) => row.member_id !== null).map(({ id }) => id);
  const joined = (await rows('participants')).filter((row) => persons.includes(row.user_id));
  const isAnswered = handling?.person_id !== null;
  // Exactly one who answers, or nobody; visitors see the same as members.
  expect([open.length, joined.length]).toEqual(isAnswered ? [1, 1] : [0, 0]);
  if (isAnswered) expect(joined[0]?.user_id).toBe(handling?.person_id);
  const isOpen = ['waiting', 'assigned', 'snoozed'].includes(String(handling?.state));
  expect(handling?.is_open).toBe(isOpen ? 1 : 0);
  // Every handoff has an end, except for the one that is open.
  const endless = handoffs.filter((row) => row.closed_at === null).map(({ id }) => id);
  expect(endless).toEqual(isOpen ? [handling?.handoff_id] : []);
  const seen = (await chat('GET', '/activities')).body;
  expect(seen.handling.revision).toBe(handling?.revision);
  expect(seen.handling.person !== undefined).toBe(isAnswered);
}

/** A number from 0 up to `most`, which differs between the rounds and is the same in each run. */
const pick = (round: number, salt: number, most: number): number => (round * 7919 + salt * 104_729) % most;

test('any actions of members and of the visitor at once: one answers, every handoff ends, revisions have no holes', async () => {
  const inbox = await start();
  const members = [
    await inbox.member('Ada', 'manager'),
    await inbox.member('Ben', 'manager'),
    await inbox.member('Cy', 'manager'),
  ];
  const [ada] = members;
  if (!ada) throw new Error('There is no member.');
  const acts: ((salt: number) => Promise<{ status: number }>)[] = [
    (salt) => (members[salt % 3] ?? ada).act('POST', '/take', {}),
    (salt) => (members[salt % 3] ?? ada).act('POST', '/close', {}),
    (salt) => (members[salt % 3] ?? ada).act('POST', '/release', {}),
    (salt) => (members[salt % 3] ?? ada).act('POST', '/return', {}),
    (salt) => (members[salt % 3] ?? ada).act('POST', '/snooze', {}),
    (salt) => ada.act('POST', '/assign', { memberId: (members[salt % 3] ?? ada).id }),
    () => inbox.runtime('POST', '/handoff', {}),
    () => inbox.chat('DELETE', '/handoff'),
    () => inbox.chat('POST', '/close', {}),
    async () => ({ status: Number(await inbox.send('Hello?').then(() => 201)) }),
  ];
  let revision = 0;
  for (let round = 0; round < 25; round += 1) {
    const chosen = [0, 1, 2, 3].map((salt) => acts[pick(round, salt, acts.length)]?.(round + salt));
    for (const answer of await Promise.all(chosen)) expect([200, 201, 409, 404]).toContain(answer?.status);
    const [handling] = await inbox.rows('handlings');
    if (!handling) continue;
    // Each action changes the revision by one, at most; a message can open a conversation again.
    expect(Number(handling.revision) - revision).toBeLessThanOrEqual(5);
    expect(Number(handling.revision)).toBeGreaterThanOrEqual(revision);
    revision = Number(handling.revision);
    await checkInvariants(inbox);
  }
  expect(revision).toBeGreaterThan(12);
});

test.each([0, 1, 2, 3])(
  'the bot says nothing after a member has taken over while it writes (%i)',
  async (pieces) => {
    let writing = () => {};
    const isWriting = new Promise<void>((resolve) => {
      writing = resolve;
    });
    const aborted: unknown[] = [];
    const inbox = await start(async (event, bot) => {
      if (event.type !== 'text') return;
      const stream = bot.stream();
      for (let n = 0; n < pieces; n += 1) stream.write(`piece ${n} `);
      writing();
      await new Promise<void>((resolve) =>
        bot.signal.addEventListener('abort', () => resolve(), { once: true }),
      );
      aborted.push(bot.signal.reason);
      await bot.reply({ type: 'text', text: 'Too late' });
    });
    const ada = await inbox.member('Ada');
    await inbox.send('Hello');
    await isWriting;
    expect((await ada.act('POST', '/take', {})).status).toBe(200);
    await inbox.idle();
    const reply = { payload: { type: 'text', text: 'Hi' }, seenSeq: 1_000 };
    expect((await ada.act('POST', '/replies', reply)).status).toBe(201);
    expect(aborted).toMatchObject([{ message: expect.stringContaining('A person answers') }]);
    const partial = 'piece 0 piece 1 piece 2 '.slice(0, pieces * 8);
    expect(await inbox.texts()).toEqual([
      ['visitor', 'Hello'],
      // The read mark of the visitor stays.
      ...(pieces > 0 ? [['bot', partial]] : []),
      ['person', 'Hi'],
    ]);
    await checkInvariants(inbox);
  },
);

test('a message that reopens a conversation for the member who answered last, and the removal of the member at once: no removed member answers', async () => {
  const inbox = await start();
  const owner = await inbox.member('Olga', 'owner');
  for (let round = 0; round < 15; round += 1) {
    const member = await inbox.member(`Member ${round}`);
    expect((await member.act('POST', '/take', {})).status).toBe(200);
    expect((await member.act('POST', '/close', {})).status).toBe(200);
    const [removed] = await Promise.all([
      inbox.request('DELETE', `/v1/admin/workspace-members/${member.id}`, owner.headers),
      inbox.send('One more question.'),
    ]);
    expect(removed.status).toBe(200);
    const [handling] = await inbox.rows('handlings');
    expect(handling?.assignee_id ?? null).toBeNull();
    await checkInvariants(inbox);
    await inbox.chat('POST', '/close', {});
  }
});

test('a message of the visitor and a take at once: the bot answers before, or is silent', async () => {
  const inbox = await start(async (event, bot) => {
    if (event.type === 'text') await bot.reply({ type: 'text', text: `Bot ${event.preview}` });
  });
  const ada = await inbox.member('Ada');
  for (let round = 0; round < 15; round += 1) {
    const [, taking] = await Promise.all([inbox.send(String(round)), ada.act('POST', '/take', {})]);
    expect(taking.status).toBe(200);
    await inbox.idle();
    // PostgreSQL returns rows in no order: it reuses the space of writes that were rolled back.
    const taken = Math.max(...(await inbox.rows('activities')).map(({ seq }) => Number(seq)));
    const messages = await inbox.rows('messages');
    const late = messages.filter((row) => row.is_bot === 1 && Number(row.seq) > taken);
    expect(late).toEqual([]);
    await checkInvariants(inbox);
    await ada.act('POST', '/return', {});
    await inbox.idle();
  }
});

test('open questions of the bot are superseded when a person takes over, and it receives no answers to them', async () => {
  const inbox = await start(async (event, bot) => {
    if (event.type === 'text') await bot.stream().interrupt({ reason: 'confirmation', message: 'Sure?' });
  });
  const ada = await inbox.member('Ada');
  await inbox.send('Delete it');
  await inbox.idle();
  await ada.act('POST', '/take', {});
  await inbox.idle();
  const [, asked] = await inbox.messages();
  expect(asked?.parts).toMatchObject([{ type: 'interrupt', state: 'cancelled', by: 'superseded' }]);
  expect(inbox.received.map(({ type }) => type)).toEqual(['text', 'conversation_assigned']);
});

test('a file that is given to a note at the moment that it expires is kept, and two notes do not share one', async () => {
  const inbox = await start();
  const { db, fetch } = inbox.server;
  await inbox.runtime('POST', '/handoff', {});
  const [ada, ben] = [await inbox.member('Ada'), await inbox.member('Ben')];
  const upload = async (): Promise<string> => {
    const { file } = (await ada.act('POST', '/note-files', { key: 'a.txt', size: 1 })).body;
    await fetch(new URL(file.uploadUrl).pathname, { method: 'PUT', body: 'a' });
    return file.id;
  };
  const [id, shared] = [await upload(), await upload()];
  const { note } = (await ada.act('POST', '/notes', { body: 'x' })).body;
  const noteRef = { id: note.id, conversationId: inbox.conversationId };
  const inTwoDays = Date.now() + 2 * 24 * 60 * 60_000;
  const deleteExpired = () => db.write((tx) => deleteExpiredFiles(tx, inTwoDays, 100));
  const both = [ada, ben, ada, ben].map((member) => member.act('POST', '/notes', { fileIds: [shared] }));
  expect((await Promise.all(both)).map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
  await db.write(async (tx) => {
    expect(await attachFiles(tx, noteRef, [id], Date.now())).toBe(1);
    // On SQLite one write waits for the other.
    if (db.isShared) expect(await deleteExpired()).toBe(0);
  });
  expect(await deleteExpired()).toBe(0);
  const { notes } = (await ada.act('GET', '/timeline')).body;
  const filesOf = ({ files }: { files: { id: string }[] }) => files.map((file) => file.id);
  expect(notes.flatMap(filesOf).sort()).toEqual([id, shared].sort());
});
