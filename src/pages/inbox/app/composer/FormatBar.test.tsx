// @vitest-environment jsdom
// Tests of the buttons and keys that format a reply, and that notes have none.
import { signal } from '@preact/signals';
import { render } from 'preact';
import { beforeEach, expect, test, vi } from 'vitest';
import { useRoot } from '../drawing.testing.ts';
import type { Inbox } from '../inbox.ts';
import { createDrafts, type Mode } from '../state/drafts.ts';
import { rowOf } from '../state/testing.ts';
import { Composer } from './Composer.tsx';

const root = useRoot();
const row = rowOf('a', { state: 'assigned', assignee: { name: 'Ada', memberId: 'ada' } });

beforeEach(() => vi.stubGlobal('matchMedia', () => ({ matches: false })));

/** Draws the composer with a selected text. */
function draw(mode: Mode = 'reply', isBusy = false): HTMLTextAreaElement {
  const drafts = createDrafts('ada', undefined);
  drafts.setMode('a', mode);
  drafts.setText('a', mode, 'Hello');
  const inbox = {
    me: { memberId: 'ada', permissions: ['inbox.read', 'inbox.write'] },
    drafts,
    presence: { write: () => {}, stop: () => {} },
    store: { conversations: signal(new Map()) },
    attachments: { reply: { of: () => [] }, note: { of: () => [] } },
    team: { colleagues: signal([]) },
    actions: { notices: signal(new Map()), isPending: () => isBusy },
  } as unknown as Inbox;
  render(<Composer inbox={inbox} row={row} />, root());
  const box = root().querySelector('textarea') as HTMLTextAreaElement;
  box.setSelectionRange(0, 5);
  return box;
}

const button = (name: string) => root().querySelector<HTMLButtonElement>(`.formats [aria-label="${name}"]`);
const press = (target: Element, key: string, options: KeyboardEventInit = {}) => {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...options });
  target.dispatchEvent(event);
  return event;
};

test.each([
  ['Bold', '**Hello**'],
  ['Italic', '*Hello*'],
  ['Link', '[Hello](https://)'],
  ['List', '- Hello'],
  ['Code', '`Hello`'],
])('the button %s formats the selection', (name, text) => {
  const box = draw();
  button(name)?.click();
  expect(box.value).toBe(text);
  expect(document.activeElement).toBe(box);
});

test.each([
  ['b', { ctrlKey: true }, '**Hello**'],
  ['i', { metaKey: true }, '*Hello*'],
  ['k', { ctrlKey: true }, '[Hello](https://)'],
])('the key %s formats it, too', (key, options, text) => {
  const box = draw();
  expect(press(box, key, options).defaultPrevented).toBe(true);
  expect(box.value).toBe(text);
});

test('other keys do nothing, and so do all while the reply is sent', () => {
  const box = draw();
  for (const options of [{}, { ctrlKey: true, shiftKey: true }, { ctrlKey: true, altKey: true }])
    expect(press(box, 'b', options).defaultPrevented).toBe(false);
  expect(press(box, 'u', { ctrlKey: true }).defaultPrevented).toBe(false);
  const busy = draw('reply', true);
  press(busy, 'b', { ctrlKey: true });
  button('Bold')?.click();
  expect(busy.value).toBe('Hello');
});

test('Tab reaches one button, and the arrow keys the others', () => {
  draw();
  const reached = () =>
    [...root().querySelectorAll<HTMLButtonElement>('.formats button')].map((one) => one.tabIndex);
  expect(reached()).toEqual([0, -1, -1, -1, -1]);
  button('Bold')?.focus();
  press(document.activeElement as Element, 'ArrowLeft');
  expect(document.activeElement).toBe(button('Code'));
});

test('a button shows and hides them on a phone', async () => {
  draw();
  const toggle = root().querySelector<HTMLButtonElement>('.to-formats');
  expect(toggle?.getAttribute('aria-expanded')).toBe('false');
  toggle?.click();
  await vi.waitFor(() => expect(toggle?.getAttribute('aria-expanded')).toBe('true'));
  expect(root().querySelector<HTMLElement>('.formats')?.dataset.open).toBe('true');
});

test('a note has no formats', () => {
  const box = draw('note');
  expect(button('Bold')).toBeNull();
  expect(press(box, 'b', { ctrlKey: true }).defaultPrevented).toBe(false);
});
