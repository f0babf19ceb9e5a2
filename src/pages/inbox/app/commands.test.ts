// @vitest-environment jsdom
// Tests what a command does after its response, if the member has moved to something else before it.
import { signal } from '@preact/signals';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { commands } from './commands.ts';
import type { Inbox } from './inbox.ts';
import type { Route } from './state/route.ts';
import { rowOf, shownListOf } from './state/testing.ts';

beforeEach(() => {
  vi.stubGlobal('matchMedia', () => ({ matches: false }));
  // jsdom has none.
  vi.stubGlobal('CSS', { escape: (text: string) => text });
  document.body.innerHTML = `
    <div class="list"><a class="row" data-id="a" href="#a">A</a><a class="row" data-id="b" href="#b">B</a></div>
    <div class="composer"><textarea></textarea></div>
    <input id="other" />`;
});
afterEach(() => {
  vi.unstubAllGlobals();
  document.body.innerHTML = '';
});

/** The conversation `a` is open. `respond` ends the request of each command. */
const start = () => {
  const route = signal<Route>({ list: 'mine', conversationId: 'a', isVisitorShown: false });
  let respond = (_isDone: boolean) => {};
  const ask = () => new Promise<boolean>((resolve) => (respond = resolve));
  const announce = vi.fn();
  const inbox = {
    router: { isShown: signal(true), route, go: (to: Route) => (route.value = to) },
    actions: { take: ask, close: ask, returnToBot: ask },
    announcer: { announce },
    shownList: shownListOf(['a', 'b']),
  } as unknown as Inbox;
  const settled = async () => {
    respond(true);
    // `focusRow` and `focusComposer` wait for a drawing at most.
    for (let i = 0; i < 3; i++) await new Promise(requestAnimationFrame);
  };
  return { inbox, route, announce, settled };
};

const elsewhere: [string, Partial<Route>][] = [
  ['another conversation', { conversationId: 'b' }],
  ['the list', { conversationId: undefined }],
  ['the settings', { settings: 'teams' }],
  ['the reports', { report: { from: '2030-01-01' } as unknown as Route['report'] }],
];

test.each(
  (['close', 'return', 'take'] as const).flatMap((name) =>
    elsewhere.map(([to, part]) => ({ name, to, part })),
  ),
)(
  '$name: a late response changes neither the address nor the focus of a member who has moved to $to',
  async ({ name, part }) => {
    const { inbox, route, announce, settled } = start();
    commands[name].run(inbox, rowOf('a'));
    route.value = { ...route.value, ...part };
    const before = route.value;
    document.querySelector<HTMLElement>('#other')?.focus();
    await settled();
    expect(route.value).toEqual(before);
    expect(document.activeElement?.id).toBe('other');
    expect(announce).toHaveBeenCalledTimes(name === 'take' ? 0 : 1);
  },
);

test.each(['close', 'return'] as const)(
  '%s: a member who has stayed gets the next conversation of the list',
  async (name) => {
    const { inbox, route, settled } = start();
    commands[name].run(inbox, rowOf('a'));
    await settled();
    expect(route.value.conversationId).toBeUndefined();
    expect((document.activeElement as HTMLElement).dataset.id).toBe('b');
  },
);

test('take: a member who has stayed continues in the composer', async () => {
  const { inbox, settled } = start();
  commands.take.run(inbox, rowOf('a'));
  await settled();
  expect(document.activeElement?.tagName).toBe('TEXTAREA');
});
