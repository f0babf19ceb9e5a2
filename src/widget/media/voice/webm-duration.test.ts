// Tests the duration of WebM files with the head of a real recording, with other forms, and with any bytes.
import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { durationBytes, withDuration } from './webm-duration.ts';

/** The beginning of a recording of Chromium: header, segment of unknown size, information, tracks. */
const before = '1a45dfa39f4286810142f7810142f2810442f381084282847765626d428781044285810218538067';
const unknownSize = '01ffffffffffffff';
const children = '2ad7b1830f42404d80864368726f6d655741864368726f6d65';
const after = '1654ae6bbfaebdd7810173c5878534e11160638e8381028686415f4f505553';
const bytesOf = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'));
const blobOf = (...hex: string[]) => new Blob([bytesOf(hex.join(''))]);
const hexOf = async (blob: Blob) => Buffer.from(await blob.arrayBuffer()).toString('hex');
const size = (hex: string, length: number) =>
  (BigInt(hex.length / 2) | (1n << BigInt(7 * length))).toString(16).padStart(2 * length, '0');
/** 1,234.5 milliseconds as a float of eight bytes. */
const field = '44898840934a0000000000';

test.each([1, 2, 3, 4, 8])(
  'a recording gets the duration as the last field of its information, whose size has %i bytes',
  async (length) => {
    const made = blobOf(before, unknownSize, '1549a966', size(children, length), children, after);
    const result = await withDuration(made, 1_234.5);
    expect(await hexOf(result)).toBe(
      [before, unknownSize, '1549a966', size(children + field, 8), children, field, after].join(''),
    );
    expect(result.size - made.size).toBeLessThanOrEqual(durationBytes);
    // A second time there is nothing to do.
    expect(await withDuration(result, 5)).toBe(result);
  },
);

test.each([
  ['an empty file', ''],
  ['MP4', '000000206674797069736f6d'],
  ['Ogg', '4f67675300020000000000000000'],
  ['a segment of a known size', `${before}900000000000000000001549a96680`],
  ['a directory of positions before the information', `${before}${unknownSize}114d9b7480`],
  ['an information of an unknown size', `${before}${unknownSize}1549a966ff`],
  ['other units of time', `${before}${unknownSize}1549a966872ad7b1830f4241`],
  ['an information that is cut', `${before}${unknownSize}1549a966b92ad7b1830f4240`],
])('%s stays as it is', async (_, hex) => {
  const made = blobOf(hex);
  expect(await withDuration(made, 1_000)).toBe(made);
});

test('any change of the bytes gives a file that has at most the field more, and never an error', async () => {
  const whole = bytesOf([before, unknownSize, '1549a966', size(children, 8), children, after].join(''));
  const change = fc.tuple(fc.nat({ max: whole.length - 1 }), fc.integer({ min: 0, max: 255 }));
  await fc.assert(
    fc.asyncProperty(
      fc.array(change, { maxLength: 8 }),
      fc.nat({ max: whole.length }),
      async (changes, length) => {
        const bytes = whole.slice();
        for (const [at, value] of changes) bytes[at] = value;
        const made = new Blob([bytes.slice(0, length)]);
        const result = await withDuration(made, 1_000);
        expect(result.size).toBeGreaterThanOrEqual(made.size);
        expect(result.size).toBeLessThanOrEqual(made.size + durationBytes);
      },
    ),
    { numRuns: 2_000 },
  );
});
