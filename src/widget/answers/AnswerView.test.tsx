// @vitest-environment jsdom
// Tests the order of the parts of an answer.
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { afterEach, expect, test, vi } from 'vitest';
import type { Row } from '../chat/store/store.ts';
import type { ViewProps } from '../chat/view.ts';
import { AnswerView, type PayloadComponent } from './AnswerView.tsx';
import { readAnswer } from './read-parts.ts';

// An element of its own: other tests in this process use the same document.
const frame = document.body.appendChild(document.createElement('div'));
afterEach(() => render(null, frame));

const text = 'It costs CHF 25.';
const source = { id: 's', at: 0, type: 'source', title: 'Prices' };
const approval = {
  id: 'i',
  at: text.length,
  type: 'interrupt',
  reason: 'tool_call',
  message: 'Shall I book it?',
  input: { day: 'Monday' },
  expiresAt: '2030-01-01T00:00:00.000Z',
  state: 'open',
};
const Payload: PayloadComponent = ({ payload }) => <p>{(payload as { markdown: string }).markdown}</p>;

/** Returns the bubbles and the cards of an answer with their texts, once its cards are loaded. */
async function groupsOf(...parts: { type: string; at: number }[]) {
  const row = {
    id: 'm',
    status: 'received',
    payload: { type: 'markdown', markdown: text },
    parts,
  } as unknown as Row;
  const context = {
    client: { with: () => ({ respondToInterrupt: () => new Promise(() => {}) }) },
    getSignal: () => new AbortController().signal,
    announce() {},
    widget: { adopt() {} },
  };
  const props = {
    session: { context },
    widget: { adopt() {} },
    store: { state: { configuration: {} } },
  } as unknown as ViewProps;
  await act(() => render(<AnswerView {...props} {...{ row, Payload }} answer={readAnswer(row)} />, frame));
  const cards = parts.filter((part) => part.type === 'interrupt').length;
  await vi.waitFor(() => expect(frame.querySelectorAll('fieldset')).toHaveLength(cards));
  return [...(frame.firstElementChild?.children ?? [])].map((group) => [
    group.matches('.words') ? 'bubble' : 'card',
    group.textContent,
  ]);
}

test('the sources of an answer end its text', async () => {
  expect(await groupsOf(source)).toEqual([['bubble', `${text}1 source`]]);
});

test('the sources of an answer that ends with an approval are above its card', async () => {
  const groups = await groupsOf(source, approval);
  expect(groups.map(([kind]) => kind)).toEqual(['bubble', 'card']);
  expect(groups[0]).toEqual(['bubble', `${text}1 source`]);
});

test('the sources of text after an approval are below the text', async () => {
  const groups = await groupsOf({ ...approval, at: 3 }, source);
  expect(groups.map(([kind]) => kind)).toEqual(['bubble', 'card', 'bubble']);
  expect(groups[2]?.[1]).toMatch(/1 source$/);
});
