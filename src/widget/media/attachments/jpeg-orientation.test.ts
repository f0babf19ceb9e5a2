// Tests the reader of the orientation of a JPEG with both byte orders, without metadata, and with any bytes.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isTurned, readOrientation, transformOf } from './jpeg-orientation.ts';

/** A JPEG that has a segment before its metadata, and another row before the orientation. */
function jpeg(orientation: number, isLittle: boolean): Uint8Array {
  const view = new DataView(new ArrayBuffer(64));
  const big = (at: number, ...values: number[]) => {
    values.forEach((value, i) => {
      view.setUint16(at + 2 * i, value);
    });
  };
  const put = (at: number, value: number) => view.setUint16(at, value, isLittle);
  big(0, 0xffd8, 0xffe0, 4, 0, 0xffe1, 50, 0x4578, 0x6966, 0);
  big(18, isLittle ? 0x4949 : 0x4d4d);
  put(20, 42);
  view.setUint32(22, 8, isLittle);
  put(26, 2);
  put(28, 0x10f);
  put(40, 0x112);
  put(48, orientation);
  return new Uint8Array(view.buffer);
}

test.each([
  [1, true],
  [3, true],
  [6, false],
  [8, true],
  [9, false],
])('orientation %i, little-endian %s: is found, and the copy is upright', (value, isLittle) => {
  const bytes = jpeg(value, isLittle);
  const orientation = readOrientation(bytes);
  expect(orientation.value).toBe(value);
  expect(readOrientation(orientation.upright).value).toBe(1);
  // The bytes that were passed are not changed.
  expect(readOrientation(bytes).value).toBe(value);
});

test.each([[[]], [[0xff, 0xd8]], [[0xff, 0xd8, 0xff, 0xda, 0, 8, 0, 0]], [[0xff, 0xd8, 0x00, 0x00, 0, 0]]])(
  'bytes without metadata are upright: %j',
  (bytes) => {
    const head = new Uint8Array(bytes);
    expect(readOrientation(head)).toEqual({ value: 1, upright: head });
  },
);

test('any bytes give an orientation or a RangeError', () => {
  const anywhere = fc.tuple(fc.constantFrom(...jpeg(6, true).keys()), fc.integer({ min: 0, max: 255 }));
  fc.assert(
    fc.property(fc.array(anywhere, { maxLength: 20 }), fc.nat({ max: 64 }), (changes, length) => {
      const bytes = jpeg(6, true);
      for (const [at, value] of changes) bytes[at] = value;
      try {
        expect(readOrientation(bytes.slice(0, length)).upright.length).toBe(length);
      } catch (error) {
        expect(error).toBeInstanceOf(RangeError);
      }
    }),
    { numRuns: 5_000 },
  );
});

test('each transformation maps the corners of the image to the corners of the canvas', () => {
  for (let value = 0; value <= 9; value++) {
    const { a = 0, b = 0, c = 0, d = 0, e = 0, f = 0 } = transformOf(value, 40, 30);
    const corners = [
      [0, 0],
      [40, 0],
      [0, 30],
      [40, 30],
    ].map(([x = 0, y = 0]) => `${a * x + c * y + e},${b * x + d * y + f}`);
    const [width, height] = isTurned(value) ? [30, 40] : [40, 30];
    expect(corners.toSorted()).toEqual(['0,0', `${width},0`, `0,${height}`, `${width},${height}`].toSorted());
  }
});
