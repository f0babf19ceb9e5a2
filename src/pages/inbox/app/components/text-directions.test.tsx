// @vitest-environment jsdom
// Tests that texts in scripts from right to left have a direction of their own, apart from the words of the page.
import { signal } from '@preact/signals';
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { expect, test } from 'vitest';
import { Notice } from '../composer/Composer.tsx';
import { useRoot } from '../drawing.testing.ts';
import type { Inbox } from '../inbox.ts';
import { createStore } from '../state/store.ts';
import { noteOf, rowOf } from '../state/testing.ts';
import { ConversationRow } from './ConversationRow.tsx';

const text = 'שלום, איך אפשר לעזור?';
const me = { memberId: 'ada', name: 'Ada' };
const store = createStore(me);
const inbox = {
  ...{ me, store, team: { nameOf: () => undefined } },
  actions: { notices: signal(new Map([['a', { kind: 'newer', text: 'Look at it again.' }]])) },
} as unknown as Inbox;

const root = useRoot();

test.each([
  ['visitor', ''],
  ['person', 'Team: '],
] as const)('the last message of a %s in a row', async (lastAuthor, speaker) => {
  const row = rowOf('a', { lastAuthor, preview: text });
  const fields = { inbox, row, view: { list: 'all', filter: {} } as const, onActive() {} };
  await act(() => render(<ConversationRow {...fields} isCurrent={false} isActive={false} />, root()));
  const preview = root().querySelector('.preview');
  expect(preview?.textContent).toBe(`. ${speaker}${text}`);
  expect([preview?.getAttribute('dir'), preview?.querySelector('bdi')?.textContent]).toEqual([null, text]);
});

test('what a colleague wrote in a notice', async () => {
  store.open('a');
  const page = { messages: [], activities: [], ratings: [], seq: 1 };
  store.receiveTimeline('a', { ...page, notes: [noteOf('n', 'a', 1, { body: text })] });
  await act(() => render(<Notice inbox={inbox} row={rowOf('a')} />, root()));
  const quote = root().querySelector('blockquote');
  expect(quote?.textContent).toBe(`Ben: ${text}`);
  expect(quote?.hasAttribute('dir')).toBe(false);
  expect([...(quote?.querySelectorAll('bdi') ?? [])].map(({ textContent }) => textContent)).toEqual([
    'Ben',
    text,
  ]);
});
