// The tables of the protocol and of the server are one: what a client calls is what is answered.
import { expect, test } from 'vitest';
import { adminOperations as words } from '../../../protocol/admin-operations.ts';
import { adminOperations } from './index.ts';

test('the table has the operations of the protocol', () => {
  const table = adminOperations.map(({ id, method, path }) => [id, `${method} /v1/admin${path}`]);
  expect(Object.fromEntries(table)).toMatchObject(words);
});
