// @vitest-environment jsdom
// Tests that the transcript is drawn again for changes of its conversation only.
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { afterEach, expect, test, vi } from 'vitest';
import type { Inbox } from '../inbox.ts';
import { createStore } from '../state/store.ts';
import { rowOf } from '../state/testing.ts';
import { Transcript } from './Transcript.tsx';

const root = document.createElement('div');
afterEach(() => {
  render(null, root);
  vi.unstubAllGlobals();
});

test('a change of another conversation does not draw the transcript again', async () => {
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe() {}
      disconnect() {}
    },
  );
  const store = createStore({ memberId: 'ada' });
  store.receiveRows([rowOf('a', { visitor: { id: 'a', name: 'Grace' } }), rowOf('b')]);
  let renders = 0;
  const inbox = {
    store,
    get sync() {
      renders += 1;
      return {};
    },
  } as Inbox;
  const draw = (id: string) => act(() => render(<Transcript inbox={inbox} id={id} />, root));
  const label = () => root.querySelector('section')?.getAttribute('aria-label');
  await draw('a');
  expect([label(), renders]).toEqual(['Messages with Grace', 1]);
  await act(() => {
    store.receiveRows([rowOf('b', { revision: 2 }), rowOf('c')]);
    store.open('b');
  });
  expect(renders).toBe(1);
  await act(() => store.receiveRows([rowOf('a', { revision: 2, visitor: { id: 'a', name: 'Ada' } })]));
  expect(label()).toBe('Messages with Ada');
  await draw('b');
  expect(label()).toBe('Messages with Visitor of b');
});
