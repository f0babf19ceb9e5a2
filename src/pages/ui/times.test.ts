// Tests of sizes in words.
import { expect, test } from 'vitest';
import { sizeText } from './times.ts';

test.each([
  [0, '0 bytes'],
  [999, '999 bytes'],
  [1_000, '1 kB'],
  [1_260_000, '1.3 MB'],
  [79_400_000_000, '79 GB'],
  [5_000_000_000_000_000, '5,000 TB'],
])('%i bytes are %s', (bytes, text) => {
  expect(sizeText(bytes)).toBe(text);
});
