// Tests of the names of attributes in words.
import { expect, test } from 'vitest';
import { labelOf } from './attribute-labels.ts';

test.each([
  ['plan', 'Plan'],
  ['signed_up_at', 'Signed up at'],
  ['accountId', 'Account ID'],
  ['HTTPStatus', 'HTTP status'],
  ['order-number', 'Order number'],
  ['billing.city', 'Billing city'],
  ['VAT', 'VAT'],
  ['address2Line', 'Address2 line'],
  ['Order number', 'Order number'],
  ['customer since', 'Customer since'],
  ['état', 'État'],
  ['会社', '会社'],
  ['__', '__'],
  ['', ''],
])('the key %j is %j in words', (key, label) => expect(labelOf(key)).toBe(label));
