// Tests of what a member reads about an error.
import { expect, test } from 'vitest';
import { ApiError } from '../../../../client/core/errors.ts';
import { describeError } from './describe-error.ts';

const taken = (assignee: object) =>
  new ApiError(409, {
    ...{ id: 'err_1', code: 409, type: 'AlreadyTaken', message: 'Support answers this conversation.' },
    metadata: { assignee },
  });

test('a colleague without a public name has the name that colleagues see', () => {
  const colleagues = [{ memberId: 'ben', name: 'ben@example.com' }];
  const error = taken({ memberId: 'ben', name: 'Support' });
  expect(describeError(error, false, colleagues)).toBe('ben@example.com has taken this conversation.');
});

test('a person of another desk has their own name', () => {
  expect(describeError(taken({ name: 'Cy' }), false, [])).toBe('Cy has taken this conversation.');
});
