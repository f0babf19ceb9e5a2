// @vitest-environment jsdom
// Tests what a tab remembers: after a reload, and after its visitor has gone.
import { beforeEach, expect, test } from 'vitest';
import { openTab } from './tab.ts';

beforeEach(() => sessionStorage.clear());
const stored = () => sessionStorage.getItem('chat page-tools');
const open = () => openTab('chat', () => true);

test('a tab stores nothing before its id is used', () => {
  open();
  expect(stored()).toBeNull();
});

test('its id and its calls survive a reload', () => {
  const first = open();
  const id = first.keepId();
  first.note('i1', { claim: 'c1' });
  const second = open();
  expect(second.id).toBe(id);
  expect(second.begunOf('i1')).toEqual({ claim: 'c1' });
});

test('a tab that forgets has another id and no calls, and stores nothing until it is used again', () => {
  const tab = open();
  const before = tab.keepId();
  tab.note('i1', { claim: 'c1', answer: { result: 'a secret' } });
  tab.forget();
  expect(stored()).toBeNull();
  expect(tab.id).not.toBe(before);
  expect(tab.begunOf('i1')).toBeUndefined();
  tab.note('i2', { claim: 'c2' });
  expect(stored()).not.toContain('a secret');
  expect(open().id).toBe(tab.id);
});

test('a page that may not store anything removes what is there when it forgets, and writes nothing', () => {
  open().keepId();
  const tab = openTab('chat', () => false);
  tab.note('i1', { claim: 'c1' });
  tab.forget();
  expect(stored()).toBeNull();
  expect(tab.begunOf('i1')).toBeUndefined();
});
