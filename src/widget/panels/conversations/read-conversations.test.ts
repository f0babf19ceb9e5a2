// Tests what is read of the list and of the search: values of any shape from the wire never throw.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readConversations, readFound } from './read-conversations.ts';

const at = '2026-01-01T00:00:00.000Z';
const conversation = { id: 'conv_1', createdAt: at, updatedAt: at };

test('a conversation has its first words as title and its last ones below, or the last ones as title', () => {
  const row = { key: 'conv_1', conversationId: 'conv_1', at, unread: 0 };
  expect(readConversations([{ ...conversation, title: 'First', preview: 'Last', unread: 3 }])).toEqual([
    { ...row, title: 'First', text: 'Last', unread: 3 },
  ]);
  expect(readConversations([{ ...conversation, preview: 'Hello!' }])).toEqual([
    { ...row, title: 'Hello!', text: '' },
  ]);
  // A server without these fields.
  expect(readConversations([conversation])).toEqual([{ ...row, title: '', text: '' }]);
});

test('wrong values are left out, and long ones cut', () => {
  for (const unread of [-1, '3', Number.NaN, null])
    expect(readConversations([{ ...conversation, unread }])[0]?.unread).toBe(0);
  expect(readConversations([{ ...conversation, createdAt: 'soon' }, { id: 5, createdAt: at }, null])).toEqual(
    [],
  );
  expect(readConversations([{ ...conversation, title: 'x'.repeat(5_000) }])[0]?.title).toHaveLength(160);
});

test('a found message is shown from some letters before the word', () => {
  const message = (text: string) => ({
    id: 'msg_1',
    conversationId: 'c',
    createdAt: at,
    payload: { type: 'text', text },
  });
  expect(readFound([message('Where is my ORDER?')], 'order')[0]?.title).toBe('Where is my ORDER?');
  const [row] = readFound([message(`${'x '.repeat(200)}needle ${'y '.repeat(200)}`)], 'needle');
  expect(row?.title).toMatch(/^….*needle/);
  expect(row?.title.length).toBeLessThan(170);
  // Where letters have another form, and the text another length.
  const [german] = readFound([message(`${'ßİﬁ '.repeat(200)}Hauptstraße ${'y '.repeat(200)}`)], 'STRASSE');
  expect(german?.title).toMatch(/^….*Hauptstraße/);
  // No halves of characters.
  for (const text of [`${'😀'.repeat(30)} needle`, `needle${'😀'.repeat(100)}`])
    expect(readFound([message(text)], 'needle')[0]?.title).not.toMatch(/\p{Surrogate}/u);
  expect(
    readConversations([{ id: 'c', createdAt: at, title: `x${'😀'.repeat(100)}` }])[0]?.title,
  ).not.toMatch(/\p{Surrogate}/u);
});

test('a value of any shape does not throw', () => {
  fc.assert(
    fc.property(fc.anything(), fc.anything(), (one, other) => {
      readConversations(one);
      readConversations([one, { id: 'c', createdAt: at, title: one, preview: other, unread: one }]);
      readFound(one, 'a');
      readFound([one, other], 'a');
    }),
  );
});
