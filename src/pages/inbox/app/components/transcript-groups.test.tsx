// @vitest-environment jsdom
// Tests of the groups of a transcript: one name and one face for the messages of an author, and one time a minute.
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { expect, test, vi } from 'vitest';
import type { Message } from '../../../../protocol/message.ts';
import { useRoot } from '../drawing.testing.ts';
import type { Inbox } from '../inbox.ts';
import { createStore } from '../state/store.ts';
import { messageOf, rowOf } from '../state/testing.ts';
import { Transcript } from './Transcript.tsx';

const root = useRoot();

async function draw(messages: readonly Message[]) {
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      disconnect() {}
    },
  );
  const store = createStore({ memberId: 'ada' });
  store.receiveRows([rowOf('a', { visitor: { id: 'a', name: 'Grace' } })]);
  store.open('a');
  store.receiveTimeline('a', { messages: [...messages], notes: [], activities: [], ratings: [] } as never);
  await act(() => render(<Transcript inbox={{ store, sync: {} } as Inbox} id="a" />, root()));
  vi.unstubAllGlobals();
  return [...root().querySelectorAll('.message')].map((message) => ({
    id: message.getAttribute('data-entry'),
    face: message.querySelector('.avatar')?.getAttribute('data-kind'),
    isNamed: !message.querySelector('p')?.classList.contains('visually-hidden'),
    isTimed: !message.querySelector('time')?.classList.contains('visually-hidden'),
  }));
}

const ofBot = { userId: 'bot', author: { kind: 'bot' } } as const;

test('messages of one author in one minute have one name, one face and one time', async () => {
  expect(
    await draw([
      messageOf('1', 'a', 0),
      messageOf('2', 'a', 20),
      messageOf('3', 'a', 70),
      messageOf('4', 'a', 80, ofBot),
    ]),
  ).toEqual([
    { id: '1', face: 'person', isNamed: true, isTimed: false },
    { id: '2', face: undefined, isNamed: false, isTimed: true },
    { id: '3', face: undefined, isNamed: false, isTimed: true },
    { id: '4', face: 'bot', isNamed: true, isTimed: true },
  ]);
});

test('the same author after another one has a name, a face and a time again', async () => {
  const drawn = await draw([messageOf('1', 'a', 0), messageOf('2', 'a', 10, ofBot), messageOf('3', 'a', 20)]);
  expect(drawn.map(({ isNamed, isTimed }) => [isNamed, isTimed])).toEqual([
    [true, true],
    [true, true],
    [true, true],
  ]);
});
