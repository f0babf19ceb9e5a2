// The actions of a member on a conversation: each action sends a request, waits for the response, and reports the result.
import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { InboxRow } from '../../../../protocol/inbox.ts';
import type { Message, Payload } from '../../../../protocol/message.ts';
import { filePayload, messageOfFiles } from '../../../../widget/media/attachments/file-payload.ts';
import { t } from '../../../ui/texts.ts';
import { assigneeOf, describeError, typeOf } from '../api/describe-error.ts';
import type { Colleague, InboxApi } from '../api/inbox-api.ts';
import { createSendOnce, isSamePayload } from '../api/send-once.ts';
import { replyItem } from '../composer/formatting.ts';
import type { Sync } from '../sync/sync.ts';
import type { Attachments } from './attachments.ts';
import type { Drafts, Mode } from './drafts.ts';
import { createNoteActions, describeMention, type NoteActions } from './note-actions.ts';
import type { InboxStore } from './store.ts';
import { emptyTimeline, newestNote } from './timeline.ts';

/** A notice about a conversation. It stays until the next action or until the member dismisses it. */
export interface Notice {
  /** `newer`: a colleague has written since, and the draft waits for the decision of the member. */
  kind: 'error' | 'newer';
  text: string;
}

export interface Actions extends NoteActions {
  /** The notices about failed actions, by conversation. */
  readonly notices: ReadonlySignal<ReadonlyMap<string, Notice>>;
  /** The actions whose results are not known yet, by conversation: one is being sent, and the others wait for it. */
  readonly pending: ReadonlySignal<ReadonlyMap<string, ReadonlySet<string>>>;
  /** Whether this action of a conversation is pending. */
  isPending(id: string, name: string): boolean;
  dismiss(id: string): void;
  /** Each action resolves to whether it succeeded; none rejects. One that is pending is not repeated. */
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
}

interface Dependencies {
  api: InboxApi;
  store: InboxStore;
  sync: Sync;
  drafts: Drafts;
  attachments: Record<Mode, Attachments>;
  /** Colleagues that can be mentioned. */
  colleagues(): readonly Colleague[];
}

/**
 * An id that sorts before the id of each note. It means "no note was read": every note at the same sequence number
 * is then newer.
 */
const beforeAllNotes = 'note_0';

/** Creates the actions of the member. */
export function createActions({ api, store, sync, drafts, attachments, colleagues }: Dependencies): Actions {
  const { inbox, me } = api;
  const notices = signal<ReadonlyMap<string, Notice>>(new Map());
  const pending = signal<ReadonlyMap<string, ReadonlySet<string>>>(new Map());
  const sendReplyOnce = createSendOnce<Parameters<typeof inbox.createReply>[0], Payload, Message>('reply', {
    conversations: store.conversations,
    entriesIn: ({ messages }) => messages,
    // Only the person who has the conversation can reply.
    isOwn({ author, payload, conversationId }, content) {
      const row = store.rows.peek().get(conversationId);
      return author?.kind === 'person' && !!row && isOfMe(row) && isSamePayload(payload, content);
    },
  });

  const put = <T>(target: Signal<ReadonlyMap<string, T>>, id: string, value: T | undefined) => {
    const next = new Map(target.peek());
    if (value === undefined) next.delete(id);
    else next.set(id, value);
    target.value = next;
  };

  /** The notices by the errors that they are about. */
  const noticeOf = new WeakMap<object, Notice>();
  const setError = (id: string, text: string, error: object = {}) => {
    const notice = { kind: 'error', text } as const;
    noticeOf.set(error, notice);
    put<Notice>(notices, id, notice);
  };
  /** Removes the notice about this error, and none about another one. */
  const dismissError = (id: string, error: unknown) => {
    if (notices.peek().get(id) === noticeOf.get(Object(error))) put(notices, id, undefined);
  };

  const askWhetherGone = (id: string): Promise<boolean> =>
    inbox.getInboxConversation({ id }).then(
      () => false,
      (error) => typeOf(error) === 'ResourceNotFound',
    );

  const fail = async (id: string, error: unknown) => {
    const type = typeOf(error);
    if (type === 'Unauthorized') store.signOut();
    // The missing resource can also be a team or a member that the request names.
    const isOther = type === 'ResourceNotFound' && !(await askWhetherGone(id));
    const all = colleagues();
    setError(id, describeMention(error, all) ?? describeError(error, isOther, all), Object(error));
    // A colleague was quicker: show what they did.
    if (['AlreadyTaken', 'AssignedToOther', 'StaleRevision'].includes(type ?? '')) void sync.catchUp();
    // Deleted, or not visible any more: the response is the same.
    if (type === 'ResourceNotFound' && !isOther) store.receiveHidden([id]);
  };

  const send = async (id: string, work: () => Promise<unknown>): Promise<boolean> => {
    try {
      return (await work()) !== false;
    } catch (error) {
      await fail(id, error);
      return false;
    }
  };

  const lastSent = new Map<string, Promise<boolean>>();
  /**
   * Sends the actions of a conversation one after the other, in the order in which the member chose them. After a failure
   * those that wait are not sent: a conversation is not closed if the reply before it was refused.
   * @param work resolves to false if a notice tells why it was not done.
   */
  const run = async (id: string, name: string, work: () => Promise<unknown>): Promise<boolean> => {
    const names = pending.peek().get(id);
    if (names?.has(name)) return false;
    put(pending, id, new Set([...(names ?? []), name]));
    if (!names) put(notices, id, undefined);
    const before = lastSent.get(id);
    const sent = before === undefined ? send(id, work) : before.then((isDone) => isDone && send(id, work));
    lastSent.set(id, sent);
    const isDone = await sent;
    const remaining = new Set(pending.peek().get(id));
    remaining.delete(name);
    put(pending, id, remaining.size > 0 ? remaining : undefined);
    if (remaining.size === 0) lastSent.delete(id);
    return isDone;
  };

  /** The revision that the last action of this member has made of the one that they saw. */
  const changed = new Map<string, { from: number; to: number }>();

  /** The row as the member saw it, or as their own actions have changed it while this one waited. */
  const currentOf = ({ conversationId: id, revision }: InboxRow) => {
    const own = changed.get(id);
    return { id, revision: own?.from === revision ? own.to : revision };
  };

  const change = (row: InboxRow, name: string, ask: () => Promise<{ conversation: InboxRow }>) =>
    run(row.conversationId, name, async () => {
      const { conversation } = await ask();
      // More than one step: a colleague has changed it, too.
      if (conversation.revision === currentOf(row).revision + 1) {
        changed.set(row.conversationId, { from: row.revision, to: conversation.revision });
      }
      // A member who gives a conversation to a team that they do not see gets its row once more.
      if (!store.hidden.peek().has(row.conversationId)) store.receiveRows([conversation]);
    });

  /** After what the member has done before, for example taken the conversation. */
  const isOfMe = (row: InboxRow) => {
    const { assignee, state } = store.rows.peek().get(row.conversationId) ?? row;
    return assignee?.memberId === me.memberId && state === 'assigned';
  };

  const reply = (id: string, payload: Payload, take: boolean, onStored: (error: unknown) => void) => {
    const { timeline = emptyTimeline, olderToken } = store.conversations.peek().get(id) ?? {};
    const seenNoteId = newestNote(timeline) ?? (olderToken ? undefined : beforeAllNotes);
    const input = {
      id,
      payload,
      seenSeq: timeline.seq,
      ...(seenNoteId && { seenNoteId }),
      ...(take && { take }),
    };
    return sendReplyOnce({
      ...{ id, content: payload, request: input, onStored },
      ask: async (request, idempotencyKey) => (await inbox.createReply(request, { idempotencyKey })).message,
    });
  };

  return {
    notices,
    pending,
    isPending: (id, name) => pending.value.get(id)?.has(name) ?? false,
    dismiss: (id) => put(notices, id, undefined),
    // Sent without the revision: the member takes the conversation in any state, and the server decides who was first.
    take: (row) => change(row, 'take', () => inbox.takeConversation({ id: row.conversationId })),
    release: (row) => change(row, 'release', () => inbox.releaseConversation(currentOf(row))),
    close: (row) => change(row, 'close', () => inbox.closeInboxConversation(currentOf(row))),
    reopen: (row) => change(row, 'reopen', () => inbox.reopenConversation(currentOf(row))),
    returnToBot: (row) => change(row, 'return', () => inbox.returnConversation(currentOf(row))),
    snooze: (row, until) =>
      change(row, 'snooze', () => inbox.snoozeConversation({ ...currentOf(row), ...(until && { until }) })),
    unsnooze: (row) => change(row, 'unsnooze', () => inbox.unsnoozeConversation({ id: row.conversationId })),
    assign: (row, to) => change(row, 'assign', () => inbox.assignConversation({ ...currentOf(row), ...to })),
    setTags: (row, tags) =>
      change(row, 'tags', () => inbox.setInboxTags({ id: row.conversationId, tags: [...tags] })),
    async sendReply(row, { isAnyway = false } = {}) {
      const id = row.conversationId;
      const draft = drafts.textOf(id, 'reply');
      const text = draft.trim();
      const uploaded = attachments.reply.uploaded(id);
      const files = uploaded.map(({ id: fileId, contentType, url = '', title }) =>
        filePayload(contentType, { url, fileId, title }),
      );
      if (!text && files.length === 0) return false;
      const payload: Payload =
        text && files.length > 0
          ? { type: 'bloc', items: [...files, replyItem(text)] }
          : (messageOfFiles(files, '') ?? replyItem(text));
      return run(id, 'reply', async () => {
        const take = !isOfMe(row);
        const removeSent = () => {
          drafts.removeSent(id, 'reply', draft);
          attachments.reply.removeSent(
            id,
            uploaded.map((file) => file.id),
          );
        };
        try {
          const message = await reply(id, payload, take, (error) => {
            dismissError(id, error);
            if (drafts.textOf(id, 'reply') === draft) removeSent();
          });
          if (take) changed.set(id, { from: row.revision, to: currentOf(row).revision + 1 });
          store.addReply(message);
          removeSent();
        } catch (error) {
          if (typeOf(error) !== 'NewerReply') throw error;
          await sync.refreshTimeline(id);
          const by = assigneeOf(error, colleagues()) ?? t('A colleague');
          const text = isAnyway
            ? t('{name} has written again.', { name: by })
            : t('{name} has written since you read this.', { name: by });
          put(notices, id, { kind: 'newer', text: `${text} ${t('Your reply was not sent.')}` });
          return false;
        }
        if (take) void sync.catchUp();
        else void sync.refreshTimeline(id);
        return true;
      });
    },
    ...createNoteActions({
      ...{ api, store, sync, drafts, colleagues, run, setError, dismissError },
      attachments: attachments.note,
    }),
  };
}
