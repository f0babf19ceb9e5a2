// Tests which change of the record by another tab is a logout.
import { expect, test } from 'vitest';
import { isLogoutElsewhere, parseRecord } from './parse-record.ts';

const ada = { userKey: 'k', userId: 'ada', isNamed: true, conversationId: 'v1' };

test.each<[string, unknown, unknown, boolean]>([
  ['an emptied record', ada, {}, true],
  ['an emptied record of nobody', {}, {}, false],
  ['a draft', ada, { ...ada, draft: 'a' }, false],
  ['another user', ada, { ...ada, userId: 'bob' }, false],
  ['a named user who is set aside', ada, { named: ada }, false],
  ['a refused user whose conversation is still there', ada, { conversationId: 'v1' }, false],
  ['a refused user', ada, { lostConversationId: 'v1' }, false],
])('%s', (_, before, now, expected) => {
  expect(isLogoutElsewhere(JSON.stringify(before), JSON.stringify(now))).toBe(expected);
});

test.each([null, '', 'nonsense', '7', 'null'])('%j is read as an object', (text) => {
  expect(typeof parseRecord(text)).toBe('object');
  expect(isLogoutElsewhere(text, '{}')).toBe(false);
});
