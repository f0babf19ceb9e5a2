// Finds in the metadata of a JPEG (EXIF) how it is to be turned. Pure.
// Why not `exifr`: it reads all metadata and writes none (decision 152).
export interface Orientation {
  /** 1 to 8; 1 is upright. */
  value: number;
  /** A copy of the bytes that says upright. */
  upright: Uint8Array<ArrayBuffer>;
}

/** @param head the beginning of the file. Throws a RangeError if the metadata is broken. */
export function readOrientation(head: Uint8Array): Orientation {
  const upright = new Uint8Array(head);
  const view = new DataView(upright.buffer);
  // Segments: a marker, then a length that includes itself. 0xffda begins the image.
  for (let at = 2; at + 4 <= head.length; at += 2 + view.getUint16(at + 2)) {
    const marker = view.getUint16(at);
    if (marker < 0xff00 || marker === 0xffda) break;
    // `Exif`, and two zero bytes.
    if (marker !== 0xffe1 || view.getUint32(at + 4) !== 0x45786966) continue;
    const start = at + 10;
    const isLittle = view.getUint16(start) === 0x4949;
    const table = start + view.getUint32(start + 4, isLittle);
    for (let row = view.getUint16(table, isLittle) - 1; row >= 0; row--) {
      const entry = table + 2 + 12 * row;
      if (view.getUint16(entry, isLittle) !== 0x112) continue;
      const value = view.getUint16(entry + 8, isLittle);
      view.setUint16(entry + 8, 1, isLittle);
      return { value, upright };
    }
    break;
  }
  return { value: 1, upright };
}

/** The transformation of a canvas that draws an image of `width` by `height` as it is to be seen. */
export function transformOf(value: number, width: number, height: number): DOMMatrix2DInit {
  const rows = [
    [-1, 0, 0, 1, width, 0],
    [-1, 0, 0, -1, width, height],
    [1, 0, 0, -1, 0, height],
    [0, 1, 1, 0, 0, 0],
    [0, 1, -1, 0, height, 0],
    [0, -1, -1, 0, height, width],
    [0, -1, 1, 0, 0, width],
  ];
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = rows[value - 2] ?? [];
  return { a, b, c, d, e, f };
}

/** Whether width and height change places. */
export const isTurned = (value: number): boolean => value >= 5 && value <= 8;
