// @vitest-environment jsdom
// Tests that a conversation with the bot has a button to take it over in place of the reply, for who may do that.
import { signal } from '@preact/signals';
import { render } from 'preact';
import { beforeEach, expect, test, vi } from 'vitest';
import { useRoot } from '../drawing.testing.ts';
import type { Inbox } from '../inbox.ts';
import { rowOf } from '../state/testing.ts';
import { Composer } from './Composer.tsx';

const root = useRoot();
const take = vi.fn(async () => true);
const mayTakeOver = ['inbox.read', 'inbox.write', 'inbox.takeover'];

beforeEach(() => {
  take.mockClear();
  vi.stubGlobal('matchMedia', () => ({ matches: false }));
});

/** Draws the composer of a conversation with the bot for a member with these permissions. */
function draw(
  permissions: readonly string[],
  row = rowOf('a', { state: 'bot' }),
  pending = new Set<string>(),
) {
  const inbox = {
    me: { memberId: 'ada', permissions },
    drafts: { modeOf: () => 'reply', textOf: () => '' },
    store: { conversations: signal(new Map()) },
    actions: {
      take,
      notices: signal(new Map()),
      pending: signal(new Map(pending.size > 0 ? [['a', pending]] : [])),
    },
    router: { isShown: signal(true), route: signal({ conversationId: 'a' }) },
  } as unknown as Inbox;
  render(<Composer inbox={inbox} row={row} />, root());
  return root().querySelector('button.main') as HTMLButtonElement | null;
}

test('the button takes over, and there is no box to write in', () => {
  const button = draw(mayTakeOver);
  expect(root().textContent).toContain('The bot answers. Take over to write.');
  expect(root().querySelector('textarea')).toBeNull();
  button?.click();
  expect(take).toHaveBeenCalledTimes(1);
});

test('a conversation that was never handed over has no notes', () => {
  const { handoff: _, ...row } = rowOf('a', { state: 'bot' });
  expect(draw(mayTakeOver, row)?.textContent).toBe('Take over');
  expect(root().querySelector('input[type="radio"]')).toBeNull();
});

test('a second press while the first one is sent does nothing', () => {
  const button = draw(mayTakeOver, undefined, new Set(['take']));
  expect(button?.getAttribute('aria-disabled')).toBe('true');
  button?.click();
  expect(take).not.toHaveBeenCalled();
});

test.each([
  ['inbox.takeover', ['inbox.read', 'inbox.write']],
  ['inbox.write', ['inbox.read']],
])('without %s there is no button, and the reason', (missing, permissions) => {
  expect(draw(permissions)).toBeNull();
  expect(root().textContent).toContain(`This needs the permission ${missing}.`);
});
