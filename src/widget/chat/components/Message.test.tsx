// @vitest-environment jsdom
// Tests which options, times and names the messages of a conversation have, drawn from its store.
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Message as StoredMessage } from '../../../protocol/message.ts';
import { resolveConfiguration } from '../../../protocol/page-api/config-layers.ts';
import type { Widget } from '../../launcher-chat-interface.ts';
import type { ShownHandling } from '../store/state.ts';
import { createStore } from '../store/store.ts';
import type { ViewProps } from '../view.ts';
import { Transcript } from './Transcript.tsx';

// An element of its own: other tests in this process use the same document.
const frame = document.createElement('div');
beforeEach(() => {
  vi.stubGlobal('matchMedia', () => ({ matches: false }));
});
afterEach(() => {
  render(null, frame);
  vi.unstubAllGlobals();
});

const text = { type: 'text', text: 'Hello' } as const;
const question = (label: string) => ({
  type: 'choice' as const,
  text: `${label}?`,
  options: [
    { label, value: label },
    { label: 'Other', value: 'other' },
  ],
});
const at = (second: number) => new Date(Date.UTC(2025, 0, 1, 9, 0, second)).toISOString();

/** Draws the messages of a plain server: of the visitor (`me`), the bot, or a person. */
function draw(...messages: [userId: string, payload: StoredMessage['payload'], more?: object][]) {
  const store = createStore(resolveConfiguration({ botName: 'Bot' }));
  const add = (...added: typeof messages) => {
    const first = store.state.rows.length;
    store.receive(
      added.map(([userId, payload, more], i) => ({
        id: `msg_${first + i}`,
        conversationId: 'c',
        createdAt: at(first + i),
        userId,
        payload,
        ...more,
      })),
      ({ userId }) => (userId === 'me' ? 'visitor' : 'bot'),
    );
  };
  add(...messages);
  store.setHistory('complete');
  const props: Partial<ViewProps> = { store, widget: { frame } as Partial<Widget> as Widget };
  render(<Transcript {...(props as ViewProps)} />, frame);
  return { store, add: (...added: typeof messages) => act(() => add(...added)) };
}
const options = () => [...frame.querySelectorAll('.option')].map((option) => option.textContent);
const content = () => frame.querySelector<HTMLElement>('[data-live]');

test('in loaded history an answered question shows its answer, one that was passed over nothing', async () => {
  draw(
    ['bot', question('A')],
    ['me', { type: 'text', text: 'A', value: 'A' } as never],
    ['bot', question('B')],
    ['me', text],
    ['bot', question('C')],
  );
  expect(options()).toEqual(['A', 'C', 'Other']);
  expect([...frame.querySelectorAll('[aria-pressed="true"]')].map((e) => e.textContent)).toEqual(['A']);
});

test('while the visitor waits for a person, the options of the bot are gone; they return with the bot', async () => {
  const { store } = draw(['bot', question('A')]);
  expect(options()).toEqual(['A', 'Other']);
  for (const state of ['waiting', 'assigned']) {
    await act(() => store.setHandling({ state } as ShownHandling));
    expect(options(), state).toEqual([]);
  }
  await act(() => store.setHandling({ state: 'bot' } as ShownHandling));
  expect(options()).toEqual(['A', 'Other']);
});

test('in one minute each side has one time and one receipt, below its last message', async () => {
  const { add } = draw(['me', text], ['bot', text], ['me', text], ['bot', text]);
  const timed = () =>
    [...frame.querySelectorAll('.row')].map((row) => row.querySelectorAll('time, .status').length);
  expect(timed()).toEqual([0, 0, 2, 1]);
  await add(['me', text]);
  expect(timed()).toEqual([0, 0, 0, 1, 2]);
});

test('only messages that arrive after the history move in', async () => {
  const { add } = draw(['bot', text]);
  expect(content()?.dataset.live).toBe('false');
  await add(['bot', text]);
  expect(content()?.dataset.live).toBe('true');
});

test('a person has a circle, and the bot a square', () => {
  draw(['bot', text], ['ada', text, { author: { kind: 'person', name: 'Ada' } }]);
  const faces = [...frame.querySelectorAll<HTMLElement>('.line .avatar')];
  expect(faces.map((face) => [face.textContent, face.dataset.person])).toEqual([
    ['B', 'false'],
    ['A', 'true'],
  ]);
});
