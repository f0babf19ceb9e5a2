// The actions of a member on a conversation: each action sends a request, waits for the response, and reports the
// result.
import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import { ApiError, NetworkError } from '../../../../client/core/errors.ts';
import type { InboxRow, Note } from '../../../../protocol/handling/inbox.ts';
import type { Message, Payload } from '../../../../protocol/message.ts';
import { filePayload, messageOfFiles } from '../../../../widget/extras/attachments/file-payload.ts';
import { assigneeOf, describeError, typeOf } from '../api/describe-error.ts';
import type { Colleague, InboxApi } from '../api/inbox-api.ts';
import { mentionedIn } from '../mentions/mentions.ts';
import type { Attachments } from './attachments.ts';
import type { Drafts, Mode } from './drafts.ts';
import type { InboxStore } from './store.ts';
import type { Sync } from './sync.ts';
import { emptyTimeline, newestNote } from './timeline.ts';

/** A notice about a conversation. It stays until the next action or until the member dismisses it. */
export interface Notice {
  /** `newer`: a colleague has written since, and the draft waits for the decision of the member. */
  kind: 'error' | 'newer';
  text: string;
}

export interface Actions {
  /** The notices about failed actions, by conversation. */
  readonly notices: ReadonlySignal<ReadonlyMap<string, Notice>>;
  /** The action that waits for the server, by conversation. */
  readonly pending: ReadonlySignal<ReadonlyMap<string, string>>;
  dismiss(id: string): void;
  /** Each action resolves to whether it succeeded; none rejects. */
  take(row: InboxRow): Promise<boolean>;
  release(row: InboxRow): Promise<boolean>;
  close(row: InboxRow): Promise<boolean>;
  reopen(row: InboxRow): Promise<boolean>;
  returnToBot(row: InboxRow): Promise<boolean>;
  /** `until`: ISO 8601; undefined until the visitor writes. */
  snooze(row: InboxRow, until: string | undefined): Promise<boolean>;
  unsnooze(row: InboxRow): Promise<boolean>;
  assign(row: InboxRow, to: { memberId: string } | { teamId: string }): Promise<boolean>;
  setTags(row: InboxRow, tags: readonly string[]): Promise<boolean>;
  /** Sends the draft of the reply with its files. With `isAnyway` also if a colleague has written since. */
  sendReply(row: InboxRow, options?: { isAnyway?: boolean }): Promise<boolean>;
  addNote(id: string): Promise<boolean>;
  /** Stores the changed text of a note, if it has changed. */
  updateNote(note: Note, body: string): Promise<boolean>;
  deleteNote(id: string, noteId: string): Promise<boolean>;
}

interface Parts {
  api: InboxApi;
  store: InboxStore;
  sync: Sync;
  drafts: Drafts;
  attachments: Record<Mode, Attachments>;
  /** Who can be mentioned. */
  colleagues(): readonly Colleague[];
}

/**
 * An id that sorts before the id of each note. It stands for "no note was read": every note at the same sequence number
 * is then newer.
 */
const beforeAllNotes = 'note_0';

const idsOf = (files: readonly { id: string }[]): string[] => files.map(({ id }) => id);

/** Pages without TLS have no `randomUUID`. */
const createKey = (): string => `reply-${crypto.getRandomValues(new Uint32Array(4)).join('-')}`;

/** Creates the actions of the member. */
export function createActions({ api, store, sync, drafts, attachments, colleagues }: Parts): Actions {
  const { inbox, me } = api;
  const notices = signal<ReadonlyMap<string, Notice>>(new Map());
  const pending = signal<ReadonlyMap<string, string>>(new Map());
  /**
   * The idempotency key and the content of a reply whose response was lost, so that it is not stored twice if it is sent
   * again.
   */
  const unanswered = new Map<string, { content: string; idempotencyKey: string }>();

  const put = <T>(target: Signal<ReadonlyMap<string, T>>, id: string, value: T | undefined) => {
    const next = new Map(target.peek());
    if (value === undefined) next.delete(id);
    else next.set(id, value);
    target.value = next;
  };

  /** The name of the colleague who cannot be mentioned, if that is the error. */
  const refusedMention = (error: unknown): string | undefined => {
    const { memberId } = (error instanceof ApiError && error.metadata ? error.metadata : {}) as {
      memberId?: unknown;
    };
    return typeOf(error) === 'ReferenceConstraint' && memberId
      ? colleagues().find((one) => one.memberId === memberId)?.name
      : undefined;
  };

  const fail = (id: string, error: unknown) => {
    const type = typeOf(error);
    if (type === 'Unauthorized') store.signOut();
    const refused = refusedMention(error);
    const text = refused
      ? `${refused} cannot see this conversation, so you cannot mention them. Nothing was stored.`
      : describeError(error);
    put(notices, id, { kind: 'error', text });
    // A colleague was quicker: show what they did.
    if (['AlreadyTaken', 'AssignedToOther', 'StaleRevision'].includes(type ?? '')) void sync.catchUp();
    if (type === 'ResourceNotFound') store.receiveDeleted([id]);
  };

  /** One action of a conversation at a time. */
  const run = async (id: string, name: string, work: () => Promise<unknown>): Promise<boolean> => {
    if (pending.peek().has(id)) return false;
    put(pending, id, name);
    put(notices, id, undefined);
    try {
      await work();
      return true;
    } catch (error) {
      fail(id, error);
      return false;
    } finally {
      put(pending, id, undefined);
    }
  };

  const change = (row: InboxRow, name: string, ask: () => Promise<{ conversation: InboxRow }>) =>
    run(row.conversationId, name, async () => store.receiveRows([(await ask()).conversation]));
  const known = ({ conversationId: id, revision }: InboxRow) => ({ id, revision });

  const isOfMe = ({ assignee, state }: InboxRow) =>
    assignee?.memberId === me.memberId && state === 'assigned';

  const reply = async (row: InboxRow, payload: Payload): Promise<Message> => {
    const id = row.conversationId;
    const content = JSON.stringify(payload);
    const last = unanswered.get(id);
    const { timeline = emptyTimeline, olderToken } = store.conversations.peek().get(id) ?? {};
    const seenNoteId = newestNote(timeline) ?? (olderToken ? undefined : beforeAllNotes);
    const idempotencyKey = last?.content === content ? last.idempotencyKey : createKey();
    unanswered.set(id, { content, idempotencyKey });
    try {
      const { message } = await inbox.createReply(
        {
          ...{ id, payload, seenSeq: timeline.seq },
          ...(seenNoteId && { seenNoteId }),
          ...(!isOfMe(row) && { take: true as const }),
        },
        { idempotencyKey },
      );
      unanswered.delete(id);
      return message;
    } catch (error) {
      // A refused reply was not stored: the next attempt is a new request.
      if (!(error instanceof NetworkError)) unanswered.delete(id);
      throw error;
    }
  };

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
    notices,
    pending,
    dismiss: (id) => put(notices, id, undefined),
    // Sent without the revision: the member takes the conversation in any state, and the server decides who was first.
    take: (row) => change(row, 'take', () => inbox.takeConversation({ id: row.conversationId })),
    release: (row) => change(row, 'release', () => inbox.releaseConversation(known(row))),
    close: (row) => change(row, 'close', () => inbox.closeInboxConversation(known(row))),
    reopen: (row) => change(row, 'reopen', () => inbox.reopenConversation(known(row))),
    returnToBot: (row) => change(row, 'return', () => inbox.returnConversation(known(row))),
    snooze: (row, until) =>
      change(row, 'snooze', () => inbox.snoozeConversation({ ...known(row), ...(until && { until }) })),
    unsnooze: (row) => change(row, 'unsnooze', () => inbox.unsnoozeConversation({ id: row.conversationId })),
    assign: (row, to) => change(row, 'assign', () => inbox.assignConversation({ ...known(row), ...to })),
    setTags: (row, tags) =>
      change(row, 'tags', () => inbox.setInboxTags({ id: row.conversationId, tags: [...tags] })),
    async sendReply(row, { isAnyway = false } = {}) {
      const id = row.conversationId;
      const text = drafts.textOf(id, 'reply').trim();
      const uploaded = attachments.reply.uploaded(id);
      const files = uploaded.map(({ id: fileId, contentType, url = '', title }) =>
        filePayload(contentType, { url, fileId, title }),
      );
      if (!text && files.length === 0) return false;
      const payload = messageOfFiles(files, text) ?? { type: 'text', text };
      return run(id, 'reply', async () => {
        try {
          const message = await reply(row, payload);
          store.addReply(message);
          drafts.setText(id, 'reply', '');
          attachments.reply.removeSent(id, idsOf(uploaded));
        } catch (error) {
          if (typeOf(error) !== 'NewerReply') throw error;
          await sync.refreshTimeline(id);
          const by = assigneeOf(error) ?? 'A colleague';
          const text = isAnyway ? `${by} has written again.` : `${by} has written since you read this.`;
          put(notices, id, { kind: 'newer', text: `${text} Your reply was not sent.` });
          return;
        }
        if (isOfMe(row)) void sync.refreshTimeline(id);
        else void sync.catchUp();
      }).then((isDone) => isDone && !notices.peek().has(id));
    },
    addNote(id) {
      const body = drafts.textOf(id, 'note').trim();
      const fileIds = idsOf(attachments.note.uploaded(id));
      if (!body && fileIds.length === 0) return Promise.resolve(false);
      const mentions = mentionedIn(body, colleagues());
      return run(id, 'note', async () => {
        const { note } = await inbox.createNote({
          id,
          ...(body && { body }),
          ...(mentions.length > 0 && { mentions }),
          ...(fileIds.length > 0 && { fileIds }),
        });
        store.receiveSignal({ type: 'inbox_note', data: { note } });
        drafts.setText(id, 'note', '');
        attachments.note.removeSent(id, fileIds);
        void sync.refreshTimeline(id);
      });
    },
    updateNote({ conversationId: id, id: noteId, body: before }, body) {
      if (!body.trim()) return Promise.resolve(false);
      return run(id, 'note', async () => {
        if (body.trim() !== before) {
          const isThere = await ofNote(id, noteId, async () => {
            const { note } = await inbox.updateNote({
              ...{ id, noteId, body },
              mentions: mentionedIn(body, colleagues()),
            });
            store.receiveSignal({ type: 'inbox_note', data: { note } });
          });
          if (!isThere) {
            put(notices, id, { kind: 'error', text: 'A colleague has deleted this note meanwhile.' });
            return;
          }
        }
        drafts.setText(noteId, 'edit', '');
      });
    },
    deleteNote: (id, noteId) =>
      run(id, 'note', async () => {
        await ofNote(id, noteId, () => inbox.deleteNote({ id, noteId }));
        store.removeEntry(id, noteId);
      }),
  };
}
