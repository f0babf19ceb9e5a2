// The actions of a member on the notes of a conversation.
import { ApiError } from '../../../../client/core/errors.ts';
import type { Note } from '../../../../protocol/inbox.ts';
import { t } from '../../../ui/texts.ts';
import { typeOf } from '../api/describe-error.ts';
import type { Colleague, InboxApi } from '../api/inbox-api.ts';
import { createSendOnce } from '../api/send-once.ts';
import { mentionedAfter, mentionedIn, moveChosen } from '../composer/mentions.ts';
import type { Sync } from '../sync/sync.ts';
import type { Attachments } from './attachments.ts';
import type { Drafts } from './drafts.ts';
import type { InboxStore } from './store.ts';

/** Each resolves to whether it succeeded; none rejects. */
export interface NoteActions {
  /** Stores the draft of the note with its files. */
  addNote(id: string): Promise<boolean>;
  /** Stores the changed text of a note, if it has changed. */
  updateNote(note: Note, body: string): Promise<boolean>;
  deleteNote(id: string, noteId: string): Promise<boolean>;
}

interface Dependencies {
  api: InboxApi;
  store: InboxStore;
  sync: Sync;
  drafts: Drafts;
  /** The files of notes. */
  attachments: Attachments;
  /** Colleagues that can be mentioned. */
  colleagues(): readonly Colleague[];
  /** Runs one action of a conversation at a time. */
  run(id: string, name: string, work: () => Promise<unknown>): Promise<boolean>;
  setError(id: string, text: string): void;
  /** Removes the notice about an error. */
  dismissError(id: string, error: unknown): void;
}

/** Says who cannot be mentioned; undefined for other errors. */
export function describeMention(error: unknown, colleagues: readonly Colleague[]): string | undefined {
  const { memberId } = (error instanceof ApiError && error.metadata ? error.metadata : {}) as {
    memberId?: unknown;
  };
  if (typeOf(error) !== 'ReferenceConstraint' || !memberId) return undefined;
  const name = colleagues.find((colleague) => colleague.memberId === memberId)?.name ?? t('A colleague');
  return t('{name} cannot see this conversation, so you cannot mention them. Nothing was stored.', { name });
}

export function createNoteActions({
  api: { inbox, me },
  store,
  sync,
  drafts,
  attachments,
  colleagues,
  run,
  setError,
  dismissError,
}: Dependencies): NoteActions {
  type NoteRequest = Parameters<typeof inbox.createNote>[0];
  const sendNoteOnce = createSendOnce<NoteRequest, Omit<NoteRequest, 'id'>, Note>('note', {
    conversations: store.conversations,
    entriesIn: ({ notes }) => notes,
    isOwn: ({ author, body, files = [] }, content) =>
      author.memberId === me.memberId &&
      body === (content.body ?? '') &&
      files.map(({ id }) => id).join() === (content.fileIds ?? []).join(),
  });

  /** A request about a note. Returns false if the note does not exist any more: then it is removed, not the conversation. */
  const ofNote = async (id: string, noteId: string, ask: () => Promise<unknown>): Promise<boolean> => {
    try {
      await ask();
      return true;
    } catch (error) {
      if (typeOf(error) !== 'ResourceNotFound') throw error;
      // Rejects if it is the conversation that is missing.
      await inbox.getInboxConversation({ id });
      store.removeEntry(id, noteId);
      return false;
    }
  };

  return {
    addNote(id) {
      const text = drafts.textOf(id, 'note');
      const body = text.trim();
      const fileIds = attachments.uploaded(id).map((file) => file.id);
      if (!body && fileIds.length === 0) return Promise.resolve(false);
      const chosen = moveChosen(drafts.chosenIn(id, 'note'), text, text.trimStart(), 0);
      const mentions = mentionedIn(body, colleagues(), { chosen });
      return run(id, 'note', async () => {
        const content = {
          ...(body && { body }),
          ...(mentions.length > 0 && { mentions }),
          ...(fileIds.length > 0 && { fileIds }),
        };
        const removeSent = () => {
          drafts.removeSent(id, 'note', text);
          attachments.removeSent(id, fileIds);
        };
        const note = await sendNoteOnce({
          ...{ id, content, request: { id, ...content } },
          ask: async (request, idempotencyKey) => (await inbox.createNote(request, { idempotencyKey })).note,
          onStored(error) {
            dismissError(id, error);
            if (drafts.textOf(id, 'note') === text) removeSent();
          },
        });
        store.receiveSignal({ type: 'inbox_note', data: { note } });
        removeSent();
        void sync.refreshTimeline(id);
      });
    },
    updateNote(note, body) {
      const { conversationId: id, id: noteId, body: before } = note;
      if (!body.trim()) return Promise.resolve(false);
      return run(id, noteId, async () => {
        if (body.trim() !== before) {
          const isThere = await ofNote(id, noteId, async () => {
            const chosen = drafts.chosenIn(noteId, 'edit');
            const response = await inbox.updateNote({
              ...{ id, noteId, body },
              // Before the colleagues are known, the mentions stay as they are.
              ...(colleagues().length > 0 && { mentions: mentionedAfter(body, colleagues(), note, chosen) }),
            });
            store.receiveSignal({ type: 'inbox_note', data: { note: response.note } });
          });
          if (!isThere) {
            setError(id, t('A colleague has deleted this note meanwhile.'));
            return;
          }
        }
        drafts.setText(noteId, 'edit', '');
      });
    },
    deleteNote: (id, noteId) =>
      run(id, noteId, async () => {
        await ofNote(id, noteId, () => inbox.deleteNote({ id, noteId }));
        store.removeEntry(id, noteId);
      }),
  };
}
