// Tests where an address ends in a text without spaces.
import { expect, test } from 'vitest';
import { addressPattern } from './unspaced-scripts.ts';

const address = new RegExp(`^(?:https?://|www\\.)${addressPattern('\\s')}`, 'iu');
const endAddress = (text: string) => address.exec(text)?.[0] ?? '';

test.each([
  ['https://a.test。谢谢', 'https://a.test'],
  ['https://a.test/b，c', 'https://a.test/b'],
  ['https://a.test/b）', 'https://a.test/b'],
  ['https://a.test」です', 'https://a.test'],
  ['https://a.test/b?c=1&d=2、', 'https://a.test/b?c=1&d=2'],
  ['https://a.test请看', 'https://a.test'],
  ['https://a.test/help查看', 'https://a.test/help'],
  ['https://a.test:3000で', 'https://a.test:3000'],
  ['http://localhost:3000です', 'http://localhost:3000'],
  ['www.a.test를', 'www.a.test'],
  ['https://a.test/b입니다.', 'https://a.test/b'],
  ['https://a.testโปรด', 'https://a.test'],
  ['https://a.test/bៗ', 'https://a.test/b'],
])('the address in %s ends at %s', (text, address) => expect(endAddress(text)).toBe(address));

test.each([
  'https://ja.test/wiki/日本語#歴史',
  'https://a.test/?q=日本&p=1',
  'https://例え.テスト/パス',
  'https://www.abc中文.test/x',
  'https://bücher.test/ä',
  'http://[::1]:3000/x',
])('the address %s is whole', (address) => expect(endAddress(address)).toBe(address));

test.each(['a-.', '/日', 'a.', ':1'])('%s, repeated many times, is read in linear time', (part) => {
  expect(endAddress(`https://a.test${part.repeat(30_000)}`)).toContain('a.test');
});
