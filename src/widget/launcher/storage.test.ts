// @vitest-environment jsdom
// Tests the stored record: reading does not write, and it works in memory when the browser blocks storage.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createStorage } from './storage.ts';

const key = 'platform-webchat:https://chat.test';
beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});
afterEach(() => {
  vi.restoreAllMocks();
  // Values in memory last as long as the page.
  createStorage(() => 'localStorage', key).clear();
});

test('reading writes nothing', () => {
  const write = vi.spyOn(Storage.prototype, 'setItem');
  expect(createStorage(() => 'localStorage', key).read()).toEqual({});
  expect(write).not.toHaveBeenCalled();
  expect(localStorage.length).toBe(0);
});

test.each(['localStorage', 'sessionStorage'] as const)(
  '%s contains one record, and no other entry is changed',
  (location) => {
    createStorage(() => location, key).write({ userKey: 'k', draft: 'd' });
    expect(JSON.parse(window[location].getItem(key) ?? '')).toEqual({ userKey: 'k', draft: 'd' });
    expect(localStorage.length + sessionStorage.length).toBe(1);
    expect(createStorage(() => location, key).read()).toEqual({ userKey: 'k', draft: 'd' });
  },
);

test('writing merges, undefined removes', () => {
  const storage = createStorage(() => 'localStorage', key);
  storage.write({ userKey: 'k', conversationId: 'c' });
  storage.write({ conversationId: undefined, readAt: 'r' });
  expect(storage.read()).toEqual({ userKey: 'k', readAt: 'r' });
});

test.each(['localStorage', 'sessionStorage', 'memory'] as const)(
  '%s: clearing also removes what the tab has stored about tools of the page',
  (location) => {
    sessionStorage.setItem(`${key} page-tools`, '{}');
    sessionStorage.setItem('of the page', 'stays');
    createStorage(() => location, key).clear();
    expect(Object.keys(sessionStorage)).toEqual(['of the page']);
  },
);

test('two chats have separate records', () => {
  createStorage(() => 'localStorage', `${key}/a`).write({ userKey: 'a' });
  expect(createStorage(() => 'localStorage', `${key}/b`).read()).toEqual({});
});

test('fields that another tab has written are read', () => {
  const [mine, theirs] = [createStorage(() => 'localStorage', key), createStorage(() => 'localStorage', key)];
  mine.write({ userKey: 'k' });
  theirs.write({ draft: 'd' });
  expect(mine.read()).toEqual({ userKey: 'k', draft: 'd' });
});

test.each(['', '{', 'null', '5', '"text"', 'undefined', '<html>'])(
  'not our JSON (%j): starts with an empty record',
  (text) => {
    localStorage.setItem(key, text);
    const storage = createStorage(() => 'localStorage', key);
    expect(storage.read()).toEqual({});
    storage.write({ userKey: 'k' });
    expect(createStorage(() => 'localStorage', key).read()).toEqual({ userKey: 'k' });
    // Nothing that was read before comes back.
    localStorage.setItem(key, text);
    expect(storage.read()).toEqual({});
  },
);

describe('when the browser blocks storage, the record is kept in memory', () => {
  const refusals: [string, () => void][] = [
    [
      'the getter throws',
      () =>
        vi.spyOn(window, 'localStorage', 'get').mockImplementation(() => {
          throw new DOMException('The document is sandboxed.', 'SecurityError');
        }),
    ],
    [
      'storage is full',
      () =>
        vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
          throw new DOMException('Full.', 'QuotaExceededError');
        }),
    ],
  ];
  test.each(refusals)('%s', (_, refuse) => {
    refuse();
    const storage = createStorage(() => 'localStorage', key);
    expect(storage.read()).toEqual({});
    storage.write({ userKey: 'k' });
    storage.write({ draft: 'd' });
    expect(storage.read()).toEqual({ userKey: 'k', draft: 'd' });
    storage.write({ draft: undefined });
    expect(storage.read().draft).toBeUndefined();
    expect(storage.read().userKey).toBe('k');
  });

  test('a record that was read or written before storage is blocked is kept, and merged with what follows', () => {
    localStorage.setItem(key, '{"userKey":"k"}');
    const storage = createStorage(() => 'localStorage', key);
    storage.write({ draft: 'd' });
    refusals[0]?.[1]();
    expect(storage.read()).toEqual({ userKey: 'k', draft: 'd' });
    storage.write({ readAt: 'r' });
    expect(storage.read()).toEqual({ userKey: 'k', draft: 'd', readAt: 'r' });
    storage.clear();
    expect(storage.read()).toEqual({});
  });

  test('after a temporary failure, the next write stores everything', () => {
    const storage = createStorage(() => 'localStorage', key);
    storage.write({ userKey: 'k' });
    const full = vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('Full.', 'QuotaExceededError');
    });
    storage.write({ draft: 'd' });
    expect(storage.read()).toEqual({ userKey: 'k', draft: 'd' });
    full.mockRestore();
    storage.write({ readAt: 'r' });
    expect(createStorage(() => 'localStorage', key).read()).toEqual({
      userKey: 'k',
      draft: 'd',
      readAt: 'r',
    });
    // From here on the browser's record is used again, which another tab may change.
    createStorage(() => 'localStorage', key).write({ draft: 'theirs' });
    expect(storage.read().draft).toBe('theirs');
  });
});

describe('memory', () => {
  test('nothing is written, and another storage of the same page and key reads the record', () => {
    const write = vi.spyOn(Storage.prototype, 'setItem');
    createStorage(() => 'memory', key).write({ userKey: 'k', draft: 'd' });
    expect(createStorage(() => 'memory', key).read()).toEqual({ userKey: 'k', draft: 'd' });
    expect(createStorage(() => 'memory', `${key} other`).read()).toEqual({});
    expect(write).not.toHaveBeenCalled();
  });

  test('a record of the browser is not read', () => {
    localStorage.setItem(key, '{"userKey":"k"}');
    expect(createStorage(() => 'memory', key).read()).toEqual({});
  });

  test('once the page wants memory nothing is written, and the record of before can be read until it is moved', () => {
    let location: 'localStorage' | 'memory' = 'localStorage';
    const storage = createStorage(() => location, key);
    storage.write({ userKey: 'k' });
    location = 'memory';
    const write = vi.spyOn(Storage.prototype, 'setItem');
    expect(storage.read()).toEqual({ userKey: 'k' });
    storage.write({ draft: 'd' });
    expect(storage.read()).toEqual({ userKey: 'k', draft: 'd' });
    expect(write).not.toHaveBeenCalled();
  });

  test.each(['localStorage', 'sessionStorage', 'memory'] as const)(
    'clear removes the record from where it is, also if nothing was read before: %s',
    (location) => {
      createStorage(() => location, key).write({ userKey: 'k' });
      createStorage(() => location, key).clear();
      expect(localStorage.length + sessionStorage.length).toBe(0);
      expect(createStorage(() => location, key).read()).toEqual({});
    },
  );
});
