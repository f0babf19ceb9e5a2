// @vitest-environment jsdom
// Tests when what the tab has stored about tools of the page needs their code, and that it is removed without it.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Widget } from '../../launcher-chat-interface.ts';
import { forgetTools, hasBegunTool } from './stored-tools.ts';

const forgetOfCode = vi.fn();
const widget = { storageKey: 'chat', pageTools: { forget: forgetOfCode } } as unknown as Widget;
const forget = () => forgetTools(widget);
const name = 'chat page-tools';
beforeEach(() => sessionStorage.clear());
afterEach(() => vi.restoreAllMocks());

test.each([
  ['nothing', undefined, false],
  ['no calls', { id: 'a', begun: {} }, false],
  ['a call that has begun', { id: 'a', begun: { i1: { claim: 'c1' } } }, true],
])('with %s stored', (_, stored, expected) => {
  if (stored) sessionStorage.setItem(name, JSON.stringify(stored));
  expect(hasBegunTool(widget)).toBe(expected);
  forget();
  expect(sessionStorage.length).toBe(0);
});

test('a browser that blocks storage has begun nothing', () => {
  vi.spyOn(window, 'sessionStorage', 'get').mockImplementation(() => {
    throw new Error('blocked');
  });
  expect(hasBegunTool(widget)).toBe(false);
  forgetOfCode.mockClear();
  forget();
  expect(forgetOfCode).toHaveBeenCalledOnce();
});
