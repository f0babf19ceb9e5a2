// @vitest-environment jsdom
// Tests which record is kept when the page changes the location of the record.
import { afterEach, expect, test } from 'vitest';
import { createStorage } from '../../launcher/storage.ts';
import type { StoredSession, Widget } from '../../launcher-chat-interface.ts';
import { clearEverywhere, moveRecord } from './move-record.ts';

const storageKey = 'platform-webchat:https://chat.test';
afterEach(() => {
  createStorage(() => 'memory', storageKey).clear();
});

/** Moves a record to localStorage, where there is another one, and returns the result. */
function toLocalStorage(present: StoredSession, stored: StoredSession | string): unknown {
  const configuration: { storageLocation: 'memory' | 'localStorage' } = { storageLocation: 'memory' };
  const storage = createStorage(() => configuration.storageLocation, storageKey);
  storage.write(present);
  localStorage.setItem(storageKey, typeof stored === 'string' ? stored : JSON.stringify(stored));
  configuration.storageLocation = 'localStorage';
  moveRecord({ storage, storageKey, configuration } as unknown as Widget);
  expect(storage.read()).toEqual(JSON.parse(localStorage.getItem(storageKey) ?? 'null'));
  return storage.read();
}

const ada = { userKey: 'a', userId: 'ada', conversationId: 'c-ada' };
const bob = { userKey: 'b', userId: 'bob', conversationId: 'c-bob', readAt: 'r' };

test.each([
  ['without a stored record the one in memory goes on', ada, {}, ada],
  ['a record that is not ours is replaced', ada, 'not JSON', ada],
  ['a list is replaced', ada, '[]', ada],
  [
    'a stored visitor is resumed',
    { ...ada, draft: 'd', isMuted: true },
    bob,
    { ...bob, draft: 'd', isMuted: true },
  ],
  ['a stored draft is kept', { ...ada, draft: 'd' }, { ...bob, draft: 'e' }, { ...bob, draft: 'e' }],
  [
    'the conversation in memory never belongs to the stored user',
    { ...ada, readAt: 'x' },
    { userKey: 'b', userId: 'bob' },
    { userKey: 'b', userId: 'bob' },
  ],
  [
    'what was dismissed is kept without a user',
    { isGreeted: true },
    { isMuted: true },
    { isGreeted: true, isMuted: true },
  ],
  [
    'a user that the page has identified replaces an anonymous one',
    { ...ada, isNamed: true },
    bob,
    { ...ada, isNamed: true },
  ],
  [
    'a user that the page has identified earlier is not resumed',
    ada,
    { ...bob, isNamed: true },
    { ...ada, named: { ...bob, isNamed: true } },
  ],
] as [string, StoredSession, StoredSession | string, StoredSession][])(
  '%s',
  (_, present, stored, expected) => {
    expect(toLocalStorage(present, stored)).toEqual(expected);
  },
);

test.each(['localStorage', 'sessionStorage', 'memory'] as const)(
  'clear removes the record from everywhere, with the location %s',
  (place) => {
    for (const other of ['localStorage', 'sessionStorage'] as const)
      window[other].setItem(storageKey, '{"userKey":"k"}');
    const storage = createStorage(() => place, storageKey);
    storage.write({ draft: 'd' });
    clearEverywhere({ storage, storageKey } as unknown as Widget);
    storage.clear();
    expect(localStorage.length + sessionStorage.length).toBe(0);
    expect(storage.read()).toEqual({});
  },
);
