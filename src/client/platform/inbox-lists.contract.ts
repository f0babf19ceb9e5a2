// The cases of the lists of the inbox, its changes and its stream, for inbox.contract.ts.
import { describe, expect, test } from 'vitest';
import { refusal } from './fixture.contract.ts';
import type { InboxFixture } from './inbox-fixture.contract.ts';

export function inboxListsContract({ member, ownBot, asked, server }: InboxFixture): void {
  describe('a list', () => {
    test('is in the order of the last changes, in pages, and in the opposite order', async () => {
      const ada = await member();
      const bot = await ownBot();
      const ids: string[] = [];
      for (const content of ['One', 'Two', 'Three']) ids.push((await asked({ bot, content })).id);
      const of = async (input: Parameters<typeof ada.inbox.list.inboxConversations>[0]) =>
        (await ada.inbox.list.inboxConversations({ bot: bot.botId, pageSize: 2, ...input }).collect()).map(
          ({ conversationId }) => conversationId,
        );
      const newest = ids.toReversed();
      for (const list of ['all', 'unassigned'] as const) {
        expect(await of({ list })).toEqual(newest);
        expect(await of({ list, sort: 'oldest' })).toEqual(ids);
      }
      // Who waits longest is first.
      expect(await of({ list: 'waiting' })).toEqual(ids);
      expect(await of({ list: 'waiting', sort: 'newest' })).toEqual(newest);
      for (const list of ['mine', 'closed', 'snoozed'] as const) expect(await of({ list })).toEqual([]);
      const { meta } = await ada.inbox.listInboxConversations({ list: 'all', pageSize: 1 });
      const other = { list: 'all', sort: 'oldest', pageSize: 1, nextToken: meta.nextToken ?? '' } as const;
      expect(await refusal(ada.inbox.listInboxConversations(other))).toBe('400 InvalidQuery');
      for (const wrong of [{}, { list: 'odd' }, { list: 'all', sort: 'odd' }, { list: 'all', pageSize: 0 }]) {
        const call = ada.inbox.listInboxConversations(wrong as { list: 'all' });
        expect(await refusal(call), JSON.stringify(wrong)).toBe('400 InvalidQuery');
      }
    });

    test('contains what a search and each filter find', async () => {
      const [ada, mia] = [await member(), await member('manager')];
      const bot = await ownBot();
      const { team } = await mia.inbox.createTeam({ name: `Team of ${mia.name}`, mode: 'manual' });
      const plain = await asked({ bot, content: 'Where is my parcel?' });
      const reasoned = await asked({ bot, content: 'Hello', reason: 'Rückerstattung' });
      const tagged = await asked({ bot, content: 'Hello', team: team.name });
      await ada.inbox.setInboxTags({ id: tagged.id, tags: ['vip'] });
      await ada.inbox.takeConversation({ id: plain.id });
      const find = async (input: object) =>
        (await ada.inbox.list.inboxConversations({ list: 'all', bot: bot.botId, ...input }).collect()).map(
          ({ conversationId }) => conversationId,
        );
      expect(await find({ q: 'PARC where' })).toEqual([plain.id]);
      expect(await find({ q: 'ruckerst' })).toEqual([reasoned.id]);
      expect(await find({ q: 'vip hello' })).toEqual([tagged.id]);
      expect(await find({ q: tagged.user.name ?? 'nobody' })).toEqual([tagged.id]);
      expect(await find({ q: 'parcel vip' })).toEqual([]);
      expect(await find({ tag: 'vip' })).toEqual([tagged.id]);
      expect(await find({ tag: 'vi' })).toEqual([]);
      expect(await find({ assignee: ada.id })).toEqual([plain.id]);
      expect(await find({ team: team.id })).toEqual([tagged.id]);
      expect(await find({ bot: server().botId, tag: 'vip', team: team.id })).toEqual([]);
      expect(await refusal(ada.inbox.listInboxConversations({ list: 'all', q: 'x'.repeat(201) }))).toBe(
        '400 InvalidQuery',
      );
      await mia.inbox.deleteTeam({ id: team.id });
    });
  });

  test('the changes since a cursor contain changed rows, and the ids of deleted conversations', async () => {
    const ada = await member();
    const first = await ada.inbox.getInboxChanges();
    expect(first).toEqual({
      ...{ conversations: [], deleted: [], isComplete: true, cursor: expect.any(String) },
    });
    const { id, visitor } = await asked();
    const { conversation } = await ada.inbox.takeConversation({ id });
    const changed = await ada.inbox.getInboxChanges({ since: first.cursor });
    expect(changed.conversations).toContainEqual(conversation);
    expect(changed).toMatchObject({ isComplete: true });
    expect(changed.deleted).not.toContain(id);
    await visitor.deleteConversation({ id });
    const deleted = await ada.inbox.getInboxChanges({ since: changed.cursor });
    expect(deleted.deleted).toContain(id);
    expect(deleted.hidden ?? []).not.toContain(id);
    expect(deleted.conversations.map(({ conversationId }) => conversationId)).not.toContain(id);
    expect(await refusal(ada.inbox.getInboxConversation({ id }))).toBe('404 ResourceNotFound');
    expect(await refusal(ada.inbox.getInboxChanges({ since: 'garbage' }))).toBe('400 InvalidQuery');
  });

  describe('the stream', () => {
    test('has the rows, notes, counts and colleagues of the inbox, and what was deleted', async () => {
      const [ada, ben] = [await member(), await member()];
      await using stream = await ada.listen();
      const { counts } = await ada.inbox.getInboxCounts();
      await stream.until('inbox_counts', (data) => data.all === counts.all);
      const { id, visitor } = await asked();
      const isHere = ({ conversationId }: { conversationId: string }) => conversationId === id;
      const { row } = await stream.until('inbox_row', (data) => isHere(data.row));
      expect(row.state).toBe('waiting');
      await stream.until('inbox_counts', ({ all }) => all === counts.all + 1);
      const { conversation } = await ben.inbox.takeConversation({ id });
      const taken = await stream.until('inbox_row', (data) => isHere(data.row) && data.row.revision === 2);
      expect(taken).toEqual({ row: conversation });

      const { note } = await ben.inbox.createNote({ id, body: 'A good customer' });
      expect(await stream.until('inbox_note', (data) => data.note.id === note.id)).toEqual({ note });
      await ben.inbox.deleteNote({ id, noteId: note.id });
      const gone = await stream.until('inbox_note_deleted', isHere);
      expect(gone).toEqual({ conversationId: id, noteId: note.id });

      // Members do not see themselves.
      await ada.inbox.setInboxPresence({ id, state: 'viewing' });
      await ben.inbox.setInboxPresence({ id, state: 'noting' });
      const present = await stream.until('inbox_presence', ({ members }) => members.length > 0);
      const members = [{ memberId: ben.id, name: ben.name, state: 'noting' }];
      expect(present).toEqual({ conversationId: id, members });

      await visitor.deleteConversation({ id });
      expect(await stream.until('inbox_deleted', isHere)).toEqual({ conversationId: id });
      await stream.until('inbox_counts', () => {
        const last = stream.signals.findLast(({ type }) => type === 'inbox_counts');
        return last?.type === 'inbox_counts' && last.data.all === counts.all;
      });
    });

    test('is refused to callers who may not read the inbox', async () => {
      const billing = await member('billing');
      expect(await refusal(billing.listen())).toBe('403 Forbidden');
      expect(await refusal(billing.inbox.getInboxCounts())).toBe('403 Forbidden');
      const ada = await member();
      await using _ = await ada.listen();
      await ada.inbox.deleteToken({ id: 'current' });
      expect(await refusal(ada.listen())).toBe('401 Unauthorized');
    });
  });
}
