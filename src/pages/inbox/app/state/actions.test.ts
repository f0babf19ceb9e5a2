// Tests of the actions of a member when requests fail, or when their responses are lost.
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { ApiError, NetworkError } from '../../../../client/core/errors.ts';
import type { InboxApi } from '../api/inbox-api.ts';
import type { Sync } from '../sync/sync.ts';
import { createActions } from './actions.ts';
import type { Attachments, UploadedFile } from './attachments.ts';
import { createDrafts } from './drafts.ts';
import { createStore } from './store.ts';
import { messageOf, noteOf, rowOf } from './testing.ts';

const errorOf = (code: number, type: string, message: string) =>
  new ApiError(code, { id: 'err_1', code, type, message });
const missing = errorOf(404, 'ResourceNotFound', 'The conversation does not exist.');

/** The names of the operations that the tests answer. */
const operations = [
  'getInboxConversation',
  'assignConversation',
  'createReply',
  'closeInboxConversation',
  'createNote',
  'updateNote',
  'deleteNote',
] as const;

const me = { memberId: 'ada' };
const row = rowOf('a', { state: 'assigned', assignee: { name: 'Ada', memberId: 'ada' } });

function start() {
  const inbox = Object.fromEntries(operations.map((name) => [name, vi.fn()])) as Record<
    (typeof operations)[number],
    ReturnType<typeof vi.fn>
  >;
  const store = createStore(me);
  store.receiveRows([row]);
  store.receiveTimeline('a', { messages: [], notes: [], activities: [], ratings: [], seq: 1 });
  const drafts = createDrafts('ada', undefined);
  let files: (UploadedFile & { title: string })[] = [];
  const attachments = {
    uploaded: () => files,
    removeSent: (_: string, ids: string[]) => {
      files = files.filter(({ id }) => !ids.includes(id));
    },
  } as unknown as Attachments;
  const actions = createActions({
    api: { inbox, me } as unknown as InboxApi,
    store,
    sync: { refreshTimeline: async () => {}, catchUp: async () => {} } as unknown as Sync,
    drafts,
    attachments: { reply: attachments, note: attachments },
    colleagues: () => [{ memberId: 'ben', name: 'Ben' }],
  });
  const attach = (id: string) => {
    files = [...files, { id, contentType: 'text/plain', title: id }];
  };
  return { inbox, store, drafts, actions, attach, notice: () => actions.notices.value.get('a')?.text };
}

let parts: ReturnType<typeof start>;
beforeEach(() => {
  parts = start();
});

describe('something is missing', () => {
  test.each([
    ['a team', { teamId: 'team' }, 'The team does not exist.'],
    ['a member', { memberId: 'gone' }, 'The member does not exist.'],
  ])('%s that is missing is named, and the conversation stays', async (_, to, message) => {
    const { inbox, store, actions, notice } = parts;
    inbox.assignConversation.mockRejectedValue(errorOf(404, 'ResourceNotFound', message));
    inbox.getInboxConversation.mockResolvedValue({ conversation: row });
    expect(await actions.assign(row, to)).toBe(false);
    expect(inbox.getInboxConversation).toHaveBeenCalledWith({ id: 'a' });
    expect(store.rows.value.has('a')).toBe(true);
    expect(store.isDeleted('a')).toBe(false);
    expect(notice()).toContain(message);
    expect(notice()).not.toContain('conversation');
  });

  test('the conversation is removed if it is missing itself', async () => {
    const { inbox, store, actions, notice } = parts;
    inbox.assignConversation.mockRejectedValue(missing);
    inbox.getInboxConversation.mockRejectedValue(missing);
    expect(await actions.assign(row, { teamId: 'team' })).toBe(false);
    expect(store.rows.value.has('a')).toBe(false);
    expect(notice()).toBe('This conversation does not exist any more.');
  });

  test('the conversation stays if it cannot be asked for', async () => {
    const { inbox, store, actions, notice } = parts;
    inbox.assignConversation.mockRejectedValue(
      errorOf(404, 'ResourceNotFound', 'The member does not exist.'),
    );
    inbox.getInboxConversation.mockRejectedValue(new NetworkError('cut'));
    expect(await actions.assign(row, { memberId: 'gone' })).toBe(false);
    expect(store.rows.value.has('a')).toBe(true);
    expect(notice()).toContain('The member does not exist.');
  });
});

describe('a reply', () => {
  const sentPayload = async (draft: string, file?: string) => {
    const { inbox, drafts, actions, attach } = parts;
    inbox.createReply.mockResolvedValue({ message: messageOf('message', 'a') });
    drafts.setText('a', 'reply', draft);
    if (file) attach(file);
    expect(await actions.sendReply(row)).toBe(true);
    return inbox.createReply.mock.lastCall?.[0].payload;
  };
  const file = { type: 'file', fileUrl: '', fileId: 'file_1', title: 'file_1' };

  test('is Markdown if it has marks, and a text otherwise', async () => {
    expect(await sentPayload(' **Important** ')).toEqual({ type: 'markdown', markdown: '**Important**' });
    expect(await sentPayload('Hello')).toEqual({ type: 'text', text: 'Hello' });
  });

  test('comes after its files', async () => {
    expect(await sentPayload('_Here_', 'file_1')).toEqual({
      type: 'bloc',
      items: [file, { type: 'markdown', markdown: '_Here_' }],
    });
    expect(await sentPayload('', 'file_1')).toEqual(file);
  });
});

describe('a response is lost', () => {
  const cut = new NetworkError('cut');
  const note = noteOf('note', 'a', 1, { author: { memberId: 'ada', name: 'Ada' } });
  const keysOf = (operation: ReturnType<typeof vi.fn>) =>
    operation.mock.calls.map(
      ([, options]) => (options as { idempotencyKey?: string } | undefined)?.idempotencyKey,
    );

  test('a note that is sent again is the same request, with its mentions and files', async () => {
    const { inbox, drafts, actions, attach, notice } = parts;
    drafts.setText('a', 'note', 'Look, @Ben');
    attach('file_1');
    inbox.createNote.mockRejectedValueOnce(cut).mockResolvedValue({ note });
    expect(await actions.addNote('a')).toBe(false);
    // It may have been stored.
    expect(notice()).toMatch(/cannot be reached/);
    expect(notice()).not.toMatch(/nothing was/i);
    expect(await actions.addNote('a')).toBe(true);
    const [first, second] = keysOf(inbox.createNote);
    expect(first).toEqual(expect.any(String));
    expect(second).toBe(first);
    expect(inbox.createNote.mock.calls[1]?.[0]).toEqual(inbox.createNote.mock.calls[0]?.[0]);
    expect(drafts.textOf('a', 'note')).toBe('');
  });

  test('a note is the same request after a proxy has answered instead of the server', async () => {
    const { inbox, drafts, actions } = parts;
    drafts.setText('a', 'note', 'Called');
    inbox.createNote.mockRejectedValueOnce(new ApiError(504, 'Gateway Timeout')).mockResolvedValue({ note });
    await actions.addNote('a');
    await actions.addNote('a');
    expect(new Set(keysOf(inbox.createNote)).size).toBe(1);
  });

  test.each([
    ['its text', () => parts.drafts.setText('a', 'note', 'Look, @Ben!')],
    ['whom it mentions', () => parts.drafts.setText('a', 'note', 'Look, Ben')],
    ['its files', () => parts.attach('file_2')],
  ])('a note is another request after %s has changed', async (_, change) => {
    const { inbox, drafts, actions, attach } = parts;
    drafts.setText('a', 'note', 'Look, @Ben');
    attach('file_1');
    inbox.createNote.mockRejectedValueOnce(cut).mockResolvedValue({ note });
    await actions.addNote('a');
    change();
    await actions.addNote('a');
    expect(new Set(keysOf(inbox.createNote)).size).toBe(2);
  });

  test('the same text is another note after the first one was answered, and after it was refused', async () => {
    const { inbox, drafts, actions } = parts;
    inbox.createNote
      .mockResolvedValueOnce({ note })
      .mockRejectedValueOnce(errorOf(403, 'Forbidden', 'No'))
      .mockResolvedValue({ note });
    for (let i = 0; i < 3; i++) {
      drafts.setText('a', 'note', 'Called');
      await actions.addNote('a');
    }
    expect(new Set(keysOf(inbox.createNote)).size).toBe(3);
  });

  test('a reply that is sent again is the same request, and a note with the same text is another one', async () => {
    const { inbox, store, drafts, actions } = parts;
    drafts.setText('a', 'reply', 'Hello');
    drafts.setText('a', 'note', 'Hello');
    inbox.createReply.mockRejectedValueOnce(cut).mockResolvedValue({ message: messageOf('message', 'a') });
    inbox.createNote.mockResolvedValue({ note });
    await actions.sendReply(row);
    await actions.addNote('a');
    // The page has read the stored reply meanwhile. The server refuses the key with another request.
    store.receiveTimeline('a', { messages: [], notes: [], activities: [], ratings: [], seq: 2 });
    await actions.sendReply(row);
    expect(inbox.createReply.mock.calls[1]?.[0]).toEqual(inbox.createReply.mock.calls[0]?.[0]);
    const [first, second] = keysOf(inbox.createReply);
    expect(second).toBe(first);
    expect(keysOf(inbox.createNote)).not.toContain(first);
  });

  const own = { memberId: 'ada', name: 'Ada' };
  /** The kinds of content, and how what was stored arrives at the page. */
  const arrivals = [
    {
      kind: 'note' as const,
      operation: 'createNote' as const,
      send: () => parts.actions.addNote('a'),
      arrive: (body = 'Called', author = own) =>
        parts.store.receiveSignal({
          type: 'inbox_note',
          data: { note: noteOf('stored', 'a', 9, { author, body }) },
        }),
      response: { note },
    },
    {
      kind: 'reply' as const,
      operation: 'createReply' as const,
      send: () => parts.actions.sendReply(row),
      arrive(text = 'Called', assignee = own) {
        // Messages do not tell which member has written them: who has the conversation has.
        parts.store.receiveRows([{ ...row, assignee, revision: row.revision + 1 }]);
        parts.store.receiveTimeline('a', {
          messages: [
            messageOf('stored', 'a', 9, { author: { kind: 'person' }, payload: { text, type: 'text' } }),
          ],
          ...{ notes: [], activities: [], ratings: [], seq: 2 },
        });
      },
      response: { message: messageOf('message', 'a', 10) },
    },
  ];

  test.each(arrivals)(
    'a $kind that arrives is sent: the same text is another one',
    async ({ kind, operation, send, arrive, response }) => {
      const { inbox, drafts, notice } = parts;
      drafts.setText('a', kind, 'Called');
      inbox[operation].mockRejectedValueOnce(cut).mockResolvedValue(response);
      expect(await send()).toBe(false);
      expect(notice()).toMatch(/cannot be reached/);
      arrive();
      expect(drafts.textOf('a', kind)).toBe('');
      expect(notice()).toBeUndefined();
      drafts.setText('a', kind, 'Called');
      expect(await send()).toBe(true);
      expect(new Set(keysOf(inbox[operation])).size).toBe(2);
    },
  );

  test.each(arrivals)(
    'a $kind that arrives before its response is lost is sent',
    async ({ kind, operation, send, arrive }) => {
      const { inbox, drafts, notice } = parts;
      drafts.setText('a', kind, 'Called');
      inbox[operation].mockImplementation(async () => {
        arrive();
        throw cut;
      });
      expect(await send()).toBe(true);
      expect(drafts.textOf('a', kind)).toBe('');
      expect(notice()).toBeUndefined();
    },
  );

  test.each(arrivals)(
    'a $kind of a colleague, or with another text, is not the one whose response was lost',
    async ({ kind, operation, send, arrive, response }) => {
      const { inbox, drafts } = parts;
      drafts.setText('a', kind, 'Called');
      inbox[operation].mockRejectedValueOnce(cut).mockResolvedValue(response);
      await send();
      arrive('Called', { memberId: 'ben', name: 'Ben' });
      arrive('Called twice');
      expect(drafts.textOf('a', kind)).toBe('Called');
      await send();
      expect(new Set(keysOf(inbox[operation])).size).toBe(1);
    },
  );

  test('a reply that is refused is not sent because an equal one arrives', async () => {
    const { inbox, drafts, actions, notice } = parts;
    drafts.setText('a', 'reply', 'Called');
    inbox.createReply.mockImplementation(async () => {
      arrivals[1]?.arrive();
      throw errorOf(409, 'AssignedToOther', 'Taken.');
    });
    expect(await actions.sendReply(row)).toBe(false);
    expect(drafts.textOf('a', 'reply')).toBe('Called');
    expect(notice()).toBeDefined();
  });

  test('the notice of another action stays when what was sent arrives, also if it has the same text', async () => {
    const { inbox, drafts, actions, notice } = parts;
    drafts.setText('a', 'reply', 'Called');
    for (const name of ['createReply', 'closeInboxConversation'] as const)
      inbox[name].mockRejectedValueOnce(new NetworkError('cut'));
    await actions.sendReply(row);
    const text = notice();
    await actions.close(row);
    expect(notice()).toBe(text);
    arrivals[1]?.arrive();
    expect([drafts.textOf('a', 'reply'), notice()]).toEqual(['', text]);
  });

  test.each(arrivals)('a draft that was changed after it was sent stays: $kind', async (arrival) => {
    const { inbox, drafts } = parts;
    drafts.setText('a', arrival.kind, 'Called');
    inbox[arrival.operation].mockRejectedValueOnce(cut);
    await arrival.send();
    drafts.setText('a', arrival.kind, 'Called again');
    arrival.arrive();
    expect(drafts.textOf('a', arrival.kind)).toBe('Called again');
  });

  test('an older note with the same text, which is read later, is not the one whose response was lost', async () => {
    const { inbox, store, drafts, actions } = parts;
    const page = { messages: [], activities: [], ratings: [], seq: 1 };
    store.receiveTimeline('a', { ...page, notes: [noteOf('newest', 'a', 5)] });
    drafts.setText('a', 'note', 'Called');
    inbox.createNote.mockRejectedValueOnce(cut).mockResolvedValue({ note });
    await actions.addNote('a');
    store.receiveTimeline('a', {
      ...page,
      notes: [noteOf('older', 'a', 4, { author: own, body: 'Called' })],
    });
    await actions.addNote('a');
    expect(new Set(keysOf(inbox.createNote)).size).toBe(1);
  });

  test('a note with a file is known by the file', async () => {
    const { inbox, store, drafts, actions, attach } = parts;
    attach('file_1');
    inbox.createNote.mockRejectedValueOnce(cut);
    drafts.setText('a', 'note', 'Called');
    await actions.addNote('a');
    const stored = (fields: object) =>
      store.receiveSignal({
        type: 'inbox_note',
        data: { note: noteOf('stored', 'a', 9, { author: own, body: 'Called', ...fields }) },
      });
    stored({});
    expect(drafts.textOf('a', 'note')).toBe('Called');
    stored({ files: [{ id: 'file_1', key: 'file_1', contentType: 'text/plain', size: 1 }] });
    expect(drafts.textOf('a', 'note')).toBe('');
  });
});

describe('text that is inserted while a draft is being sent', () => {
  const kinds = ['reply', 'note'] as const;

  /** Sends the draft, and changes it before the response. Returns what is left. */
  async function leftOf(kind: (typeof kinds)[number], before: string, after: string): Promise<string> {
    const { inbox, drafts, actions } = parts;
    let respond = () => {};
    const responded = new Promise<void>((resolve) => (respond = resolve));
    inbox.createReply.mockImplementation(() =>
      responded.then(() => ({ message: messageOf('message', 'a') })),
    );
    inbox.createNote.mockImplementation(() => responded.then(() => ({ note: noteOf('note', 'a', 1) })));
    drafts.setText('a', kind, before);
    const sent = kind === 'reply' ? actions.sendReply(row) : actions.addNote('a');
    drafts.setText('a', kind, after);
    respond();
    expect(await sent).toBe(true);
    return drafts.textOf('a', kind);
  }

  test.each(
    kinds.flatMap((kind) => [
      { kind, before: ' Hello ', after: ' Hello ', left: '' },
      { kind, before: 'Hello ', after: 'Hello\nHow can I help?', left: 'How can I help?' },
      { kind, before: 'Hello', after: '', left: '' },
      { kind, before: 'Hello', after: 'Good morning', left: 'Good morning' },
    ]),
  )('$kind: "$before" is sent, "$after" is there, "$left" is left', async ({ kind, before, after, left }) => {
    expect(await leftOf(kind, before, after)).toBe(left);
  });

  test('names that were chosen in it keep their members', async () => {
    const { drafts, actions, inbox } = parts;
    inbox.createNote.mockImplementation(async () => {
      const chosen = [{ from: 7, to: 11, memberId: 'ben' }];
      drafts.setText('a', 'note', 'Called\n@Ben?', chosen);
      return { note: noteOf('note', 'a', 1) };
    });
    drafts.setText('a', 'note', 'Called');
    await actions.addNote('a');
    expect(drafts.textOf('a', 'note')).toBe('@Ben?');
    expect(drafts.chosenIn('a', 'note')).toEqual([{ from: 0, to: 4, memberId: 'ben' }]);
  });
});
