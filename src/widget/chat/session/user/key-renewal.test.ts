// Tests when the key of an anonymous visitor is renewed: by its age, at most once per interval even if the clock is wrong,
// and never a key that the page has set.
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { StoredSession } from '../../../launcher-chat-interface.ts';
import type { SessionInternals } from '../context.ts';
import { renewUserKey } from './key-renewal.ts';

const start = Date.parse('2026-01-01T00:00:00Z');
const hour = 3_600_000;
const day = 24 * hour;

beforeEach(() => {
  vi.useFakeTimers({ now: start });
});
afterEach(() => {
  vi.useRealTimers();
});

const keyOf = (claims: object) => `x.${btoa(JSON.stringify(claims)).replace(/=/g, '')}.x`;

/** A tab with a record, and a server that renews; its clock is `ahead` of the browser's, in milliseconds. */
function tab(stored: StoredSession, { lifetime = 0, isOffered = true, isFailing = false, ahead = 0 } = {}) {
  let count = 0;
  const issue = () => {
    const iat = (Date.now() + ahead) / 1_000;
    return keyOf({ id: 'user_1', jti: `${++count}`, iat, ...(lifetime ? { exp: iat + lifetime } : {}) });
  };
  const renewKey = vi.fn(async () => ({ key: issue() }));
  if (isFailing) renewKey.mockRejectedValue(new Error('offline'));
  const syncFromStorage = vi.fn();
  const storage = {
    read: () => ({ ...stored }),
    write: (fields: object) => void Object.assign(stored, fields),
  };
  const internals = {
    widget: { storage },
    store: { has: () => isOffered },
    client: { with: () => ({ renewKey }) },
    syncFromStorage,
  } as unknown as SessionInternals;
  const scope = new AbortController();
  renewUserKey(internals, scope.signal);
  return { stored, renewKey, syncFromStorage, scope, issue };
}
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

test.each([
  ['a key of an earlier version', { id: 'user_1' }, 1],
  ['a new key', { iat: start / 1_000 }, 0],
  ['a key of almost a day', { iat: (start - day) / 1_000 + 1 }, 0],
  ['a key of a day', { iat: (start - day) / 1_000 }, 1],
  ['a key before half of its life', { iat: (start - hour) / 1_000, exp: (start + hour) / 1_000 + 1 }, 0],
  ['a key at half of its life', { iat: (start - hour) / 1_000, exp: (start + hour) / 1_000 }, 1],
  ['a key from the future, where the clock is late', { iat: start / 1_000 + 60 }, 1],
])('%s', async (_, claims, renewals) => {
  const renewal = tab({ userKey: keyOf(claims) });
  await pass(0);
  expect(renewal.renewKey).toHaveBeenCalledTimes(renewals);
  expect(renewal.syncFromStorage).toHaveBeenCalledTimes(renewals);
  renewal.scope.abort();
});

test('a page that stays open renews before each key expires, until the scope ends', async () => {
  const renewal = tab(
    { userKey: keyOf({ iat: start / 1_000, exp: start / 1_000 + 7_200 }) },
    { lifetime: 7_200 },
  );
  await pass(hour - 1);
  expect(renewal.renewKey).toHaveBeenCalledTimes(0);
  await pass(1);
  expect(renewal.renewKey).toHaveBeenCalledTimes(1);
  await pass(5 * hour);
  expect(renewal.renewKey).toHaveBeenCalledTimes(6);
  renewal.scope.abort();
  await pass(5 * hour);
  expect(renewal.renewKey).toHaveBeenCalledTimes(6);
});

test.each([-365 * day, 365 * day])(
  'a clock that is %i ms wrong causes only one additional renewal',
  async (ahead) => {
    const renewal = tab({ userKey: keyOf({ iat: (start + ahead) / 1_000 }) }, { ahead });
    await pass(2 * day + hour);
    expect(renewal.renewKey).toHaveBeenCalledTimes(3);
    renewal.scope.abort();
  },
);

test('a failure is silent and retried', async () => {
  const before = keyOf({ id: 'user_1' });
  const renewal = tab({ userKey: before }, { isFailing: true });
  await pass(day);
  expect(renewal.renewKey).toHaveBeenCalledTimes(5);
  expect(renewal.stored.userKey).toBe(before);
  renewal.renewKey.mockResolvedValue({ key: renewal.issue() });
  await pass(day / 4);
  expect(renewal.stored.userKey).not.toBe(before);
  renewal.scope.abort();
});

test.each([
  ['a key that the page has given', { userKey: keyOf({ id: 'customer-7' }), isNamed: true }, {}],
  ['no key', {}, {}],
  ['a key that is not a token', { userKey: 'opaque' }, {}],
  ['a server that renews none', { userKey: keyOf({ id: 'user_1' }) }, { isOffered: false }],
])('%s is not renewed', async (_, stored, options) => {
  const renewal = tab(stored, options);
  await pass(3 * day);
  expect(renewal.renewKey).not.toHaveBeenCalled();
  renewal.scope.abort();
});

test('invalid claims cause no repeated requests', async () => {
  const renewal = tab({ userKey: keyOf({ iat: 'now', exp: 'never' }) }, { isFailing: true });
  await pass(day);
  expect(renewal.renewKey.mock.calls.length).toBeLessThan(10);
  renewal.scope.abort();
});

test('fields that another tab has written meanwhile are kept', async () => {
  const renewal = tab({ userKey: keyOf({ id: 'user_1' }) });
  const theirs = keyOf({ id: 'user_2', iat: start / 1_000 });
  renewal.stored.userKey = theirs;
  await pass(0);
  expect(renewal.stored.userKey).toBe(theirs);
  expect(renewal.syncFromStorage).not.toHaveBeenCalled();
  renewal.scope.abort();
});

test('if another tab has renewed first, its key is used', async () => {
  const renewal = tab({ userKey: keyOf({ iat: (start - day + hour) / 1_000 }) });
  await pass(hour - 1);
  renewal.stored.userKey = keyOf({ iat: Date.now() / 1_000 });
  await pass(hour);
  expect(renewal.renewKey).not.toHaveBeenCalled();
  renewal.scope.abort();
});
