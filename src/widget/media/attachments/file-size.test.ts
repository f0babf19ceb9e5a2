// Tests the format of file sizes.
import { expect, test } from 'vitest';
import { formatFileSize } from './file-size.ts';

test.each([
  [0, /^0 bytes?$/],
  [1, /^1 byte$/],
  [999, /^999 bytes$/],
  [1_000, /^1 kB$/],
  [1_234_567, /^1\.2 MB$/],
  [100_000_000, /^100 MB$/],
  [1_000_000_000, /^1 GB$/],
  [5e15, /GB$/],
])('%d', (bytes, expected) => expect(formatFileSize(bytes)).toMatch(expected));
