// Tests the search in canned answers.
import { expect, test } from 'vitest';
import type { CannedAnswer } from '../../../../protocol/handling/inbox.ts';
import { findAnswers } from './canned-answers.ts';

const answer = (id: string, name: string, text: string) => ({ id, name, text }) as CannedAnswer;
const answers = [
  answer('street', 'Address', 'Hauptstraße 5, Łódź'),
  answer('refund', '返金', 'ご返金について'),
  answer('note', 'Note', '关于订单的说明'),
];

test.each([
  ['hauptstrasse', ['street']],
  ['LODZ', ['street']],
  ['返金', ['refund']],
  ['订单', ['note']],
  ['add haupt', ['street']],
  ['x', []],
])('%s finds %j', (search, found) => {
  expect(findAnswers(answers, search).map(({ id }) => id)).toEqual(found);
});
