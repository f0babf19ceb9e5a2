// Tests which addresses of a message may be loaded or followed.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { anyText } from '../../../protocol/any-text.testing.ts';
import { followable, loadable, nameOf } from './addresses.ts';

const refused = [
  'javascript:alert(1)',
  ' javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'java\tscript:alert(1)',
  'java\nscript:alert(1)',
  '\u0001javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:msgbox(1)',
  'blob:https://a.test/1',
  'file:///etc/passwd',
  'intent://scan/#Intent;end',
  'ws://a.test',
  'x',
  '/relative',
  '//a.test/x',
  '',
  'https://',
  undefined,
  null,
  5,
  {},
  ['https://a.test'],
];

describe('followable and loadable', () => {
  test.each(refused)('%j is neither', (address) => {
    expect(followable(address)).toBeUndefined();
    expect(loadable(address)).toBeUndefined();
  });
  test.each(['https://a.test/x', 'http://a.test/', 'HTTPS://A.TEST/x'])('%s is both', (address) => {
    expect(followable(address)).toBe(new URL(address).href);
    expect(loadable(address)).toBe(new URL(address).href);
  });
  test.each(['mailto:me@a.test', 'tel:+123'])('%s may be followed, not loaded', (address) => {
    expect(followable(address)).toBe(address);
    expect(loadable(address)).toBeUndefined();
  });
  test('whatever the input, the result has an allowed scheme', () => {
    fc.assert(
      fc.property(fc.oneof(anyText(), fc.webUrl(), fc.anything()), (input) => {
        expect(followable(input) ?? 'https:').toMatch(/^(https?|mailto|tel):/);
        expect(loadable(input) ?? 'https:').toMatch(/^https?:/);
      }),
    );
  });
});

test.each([
  ['https://a.test/x/guide.pdf', 'guide.pdf'],
  ['https://a.test/gu%C3%ADde.txt?x=1#y', 'guíde.txt'],
  ['https://a.test/%E0%A4%A', '%E0%A4%A'],
  ['https://a.test/', 'a.test'],
  ['https://a.test/folder/', 'folder'],
])('the name of %s is %s', (address, name) => expect(nameOf(address)).toBe(name));
