// The cases of notes, which only the team can read, for inbox.contract.ts.
import { describe, expect, test } from 'vitest';
import { refusal } from './fixture.contract.ts';
import type { ContractMember, InboxFixture } from './inbox-fixture.contract.ts';

export function inboxNotesContract({ client, fetch, member, asked, rowOf, send }: InboxFixture): void {
  describe('a note', () => {
    test('is written, changed and deleted by its author, and deleted by a manager', async () => {
      const [ada, ben, mia] = [await member(), await member(), await member('manager')];
      const { id, visitor } = await asked();
      const notesOf = async () => (await ben.inbox.getInboxTimeline({ id })).notes;
      const { seq } = await ada.inbox.getInboxTimeline({ id });
      const { note } = await ada.inbox.createNote({ id, body: ' Call back on Monday ' });
      expect(note).toMatchObject({ conversationId: id, body: 'Call back on Monday', afterSeq: seq });
      expect(note.author).toEqual({ memberId: ada.id, name: ada.name });
      expect(note).not.toHaveProperty('editedAt');
      expect(await notesOf()).toEqual([note]);

      const at = { id, noteId: note.id };
      const { note: edited } = await ada.inbox.updateNote({ ...at, body: 'Call back on Tuesday' });
      expect(edited).toEqual({ ...note, body: 'Call back on Tuesday', editedAt: expect.any(String) });
      expect(await notesOf()).toEqual([edited]);
      expect(await refusal(ben.inbox.updateNote({ ...at, body: 'Mine' }))).toBe('404 ResourceNotFound');
      expect(await refusal(mia.inbox.updateNote({ ...at, body: 'Mine' }))).toBe('404 ResourceNotFound');
      expect(await refusal(ben.inbox.deleteNote(at))).toBe('404 ResourceNotFound');
      expect(await refusal((await member('viewer')).inbox.deleteNote(at))).toBe('403 Forbidden');
      for (const body of ['', '  ', 'x'.repeat(10_001)]) {
        expect(await refusal(ada.inbox.createNote({ id, body }))).toBe('400 InvalidPayload');
        expect(await refusal(ada.inbox.updateNote({ ...at, body }))).toBe('400 InvalidPayload');
      }
      expect(await notesOf()).toEqual([edited]);
      // Neither the visitor nor the bot can read it.
      const seen = [
        await visitor.listMessages({ conversationId: id }),
        await visitor.listActivities({ id }),
        await client().listMessages({ conversationId: id }),
        await client().getHandling({ id }),
      ];
      expect(JSON.stringify(seen)).not.toContain('Call back');

      expect(await ada.inbox.deleteNote(at)).toEqual({});
      expect(await notesOf()).toEqual([]);
      expect(await refusal(ada.inbox.deleteNote(at))).toBe('404 ResourceNotFound');
      expect(await refusal(ada.inbox.updateNote({ ...at, body: 'Back' }))).toBe('404 ResourceNotFound');
      const { note: second } = await ada.inbox.createNote({ id, body: 'Second' });
      expect(await mia.inbox.deleteNote({ id, noteId: second.id })).toEqual({});
      expect(await notesOf()).toEqual([]);
    });

    test('is found in its own conversation only', async () => {
      const ada = await member();
      const [first, second] = [await asked(), await asked()];
      const { note } = await ada.inbox.createNote({ id: first.id, body: 'Here' });
      const there = { id: second.id, noteId: note.id };
      expect(await refusal(ada.inbox.updateNote({ ...there, body: 'x' }))).toBe('404 ResourceNotFound');
      expect(await refusal(ada.inbox.deleteNote(there))).toBe('404 ResourceNotFound');
      expect((await ada.inbox.getInboxTimeline({ id: first.id })).notes).toEqual([note]);
      expect((await ada.inbox.getInboxTimeline({ id: second.id })).notes).toEqual([]);
    });

    test('mentions members who see the conversation, which is in a list of theirs', async () => {
      const [ada, ben] = [await member(), await member()];
      const billing = await member('billing');
      const { id } = await asked();
      const listed = async (of: ContractMember) => {
        const found = await of.inbox.list.inboxConversations({ list: 'mentioned' }).collect();
        expect((await of.inbox.getInboxCounts()).counts.mentioned).toBe(found.length);
        return found.map(({ conversationId }) => conversationId);
      };
      const { note } = await ada.inbox.createNote({ id, body: 'Please look', mentions: [ben.id] });
      expect(note.mentions).toEqual([ben.id]);
      expect((await rowOf(ben, id)).mentions).toEqual([ben.id]);
      expect([await listed(ada), await listed(ben)]).toEqual([[], [id]]);
      // Seen by who has read up to it.
      expect((await rowOf(ben, id)).unseenMentions).toEqual([ben.id]);
      await ben.inbox.setInboxRead({ id, seq: (await ben.inbox.getInboxTimeline({ id })).seq });
      expect(await rowOf(ben, id)).not.toHaveProperty('unseenMentions');
      expect((await ben.inbox.getInboxCounts()).counts.mentioned).toBe(0);
      const at = { id, noteId: note.id };
      // A change of the text leaves the mentions as they are.
      expect((await ada.inbox.updateNote({ ...at, body: 'Please' })).note.mentions).toEqual([ben.id]);
      for (const memberId of [billing.id, 'member_none']) {
        const input = { id, body: 'x', mentions: [memberId] };
        expect(await refusal(ada.inbox.createNote(input))).toBe('409 ReferenceConstraint');
        expect(await refusal(ada.inbox.updateNote({ ...at, ...input }))).toBe('409 ReferenceConstraint');
      }
      expect((await ben.inbox.getInboxTimeline({ id })).notes).toMatchObject([
        { body: 'Please', mentions: [ben.id] },
      ]);
      const { note: changed } = await ada.inbox.updateNote({ ...at, body: 'Please', mentions: [] });
      expect(changed).not.toHaveProperty('mentions');
      expect(await rowOf(ben, id)).not.toHaveProperty('mentions');
      expect(await listed(ben)).toEqual([]);
      await ada.inbox.updateNote({ ...at, body: 'Please', mentions: [ben.id] });
      expect(await listed(ben)).toEqual([id]);
    });

    test('has files that members read, and that are deleted with it', async () => {
      const [ada, ben] = [await member(), await member()];
      const { id } = await asked();
      const content = 'Zürich 👍';
      const { length } = new TextEncoder().encode(content);
      const fields = { key: 'map.txt', size: length, contentType: 'text/plain' };
      const { file } = await ada.inbox.createNoteFile({ id, ...fields });
      const { id: fileId, uploadUrl } = file;
      expect(file).toEqual({ ...fields, id: fileId, uploadUrl });
      const ofFile = { id, fileIds: [fileId] };
      expect(await refusal(ada.inbox.createNote(ofFile))).toBe('409 ReferenceConstraint');
      expect(await refusal(ada.inbox.getNoteFile({ id, fileId }))).toBe('404 ResourceNotFound');
      await send(uploadUrl, content);
      const { note } = await ada.inbox.createNote(ofFile);
      expect(note).toMatchObject({ body: '', files: [{ ...fields, id: fileId }] });
      expect((await ben.inbox.getInboxTimeline({ id })).notes).toEqual([note]);
      const { url } = (await ben.inbox.getNoteFile({ id, fileId })).file;
      expect(await (await fetch(url, { method: 'GET' })).text()).toBe(content);
      // It belongs to one note of its conversation.
      expect(await refusal(ada.inbox.createNote(ofFile))).toBe('409 ReferenceConstraint');
      const { id: other } = await asked();
      expect(await refusal(ada.inbox.getNoteFile({ id: other, fileId }))).toBe('404 ResourceNotFound');
      const large = { id, key: 'film.txt', size: 10_000_000_000 };
      expect(await refusal(ada.inbox.createNoteFile(large))).toBe('413 LimitExceeded');
      expect(await refusal(ada.inbox.createNote({ id }))).toBe('400 InvalidPayload');
      await ada.inbox.deleteNote({ id, noteId: note.id });
      expect((await fetch(url, { method: 'GET' })).status).toBe(404);
      expect(await refusal(ben.inbox.getNoteFile({ id, fileId }))).toBe('404 ResourceNotFound');
    });
  });
}
