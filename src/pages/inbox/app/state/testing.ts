// Rows, messages, notes and the order of a list for tests.
import type { InboxRow, Note } from '../../../../protocol/inbox.ts';
import type { Message } from '../../../../protocol/message.ts';
import type { ShownListRef } from '../inbox.ts';

/** A time some seconds after a fixed one. */
export const at = (seconds: number): string => new Date(Date.UTC(2030, 0, 1) + seconds * 1_000).toISOString();

/** A waiting conversation; what is given replaces its fields. */
export const rowOf = (conversationId: string, fields: Partial<InboxRow> = {}): InboxRow => ({
  conversationId,
  botId: 'bot',
  revision: 1,
  state: 'waiting',
  visitor: { id: `user of ${conversationId}` },
  handoff: { id: 'handoff', requestedAt: at(0), requestedBy: 'visitor' },
  sortAt: at(0),
  lastSeq: 1,
  preview: 'Hello',
  lastAuthor: 'visitor',
  tags: [],
  ...fields,
});

/** A message of a visitor. */
export const messageOf = (
  id: string,
  conversationId: string,
  seconds = 0,
  fields: Partial<Message> = {},
): Message => ({
  id,
  conversationId,
  userId: `user of ${conversationId}`,
  createdAt: at(seconds),
  payload: { type: 'text', text: id },
  author: { kind: 'visitor' },
  ...fields,
});

/** A note of the member Ben. */
export const noteOf = (
  id: string,
  conversationId: string,
  seconds = 0,
  fields: Partial<Note> = {},
): Note => ({
  id,
  conversationId,
  afterSeq: 1,
  author: { memberId: 'ben', name: 'Ben' },
  body: id,
  createdAt: at(seconds),
  ...fields,
});

/** A list whose rows are all in the document. */
export const shownListOf = (order: readonly string[]): ShownListRef => ({
  current: {
    order,
    focus: (id) => document.querySelector<HTMLElement>(`.list .row[data-id="${id}"]`)?.focus(),
  },
});
