// Writes the duration into a recorded WebM file. Browsers record without it, and their players then show no length and
// cannot seek (https://crbug.com/642012). Pure, except for reading the blob.
// Why not `fix-webm-duration`: it parses and writes the whole file for one field (decision 45).

/** Bytes at the beginning that contain the header in every browser. */
const headBytes = 1_024;
/** Bytes that are added at most: the field, and a longer size. */
export const durationBytes = 18;
const ids = { header: 0x1a45dfa3, segment: 0x18538067, info: 0x1549a966, scale: 0x2ad7b1, duration: 0x4489 };

/** @returns the same sound, or `content` itself if it is not WebM or has another form than browsers write. */
export async function withDuration(content: Blob, durationMs: number): Promise<Blob> {
  const view = new DataView(await content.slice(0, headBytes).arrayBuffer());
  try {
    const header = readElement(view, 0);
    if (header.id !== ids.header) return content;
    const segment = readElement(view, header.end);
    // A segment of a known size, and positions before the information, would have to be changed too.
    if (segment.id !== ids.segment || !segment.isOpen) return content;
    const info = readElement(view, segment.start);
    if (info.id !== ids.info || info.isOpen) return content;
    for (let at = info.start; at < info.end; ) {
      const { id, start, end } = readElement(view, at);
      if (id === ids.duration) return content;
      // Units of a millisecond: the only ones that browsers use.
      if (id === ids.scale && (end - start !== 3 || view.getUint32(start - 1) % 2 ** 24 !== 1_000_000))
        return content;
      at = end;
    }
    const field = new DataView(new ArrayBuffer(11));
    field.setUint16(0, ids.duration);
    field.setUint8(2, 0x88);
    field.setFloat64(3, durationMs);
    const size = new DataView(new ArrayBuffer(12));
    size.setUint32(0, ids.info);
    // A size of eight bytes; the first byte contains this length.
    size.setUint32(4, 0x01_00_00_00);
    size.setUint32(8, info.end - info.start + field.byteLength);
    return new Blob([
      content.slice(0, segment.start),
      size,
      content.slice(info.start, info.end),
      field,
      content.slice(info.end),
    ]);
  } catch {
    // It ends early.
    return content;
  }
}

/** Reads the head of an EBML element (RFC 8794, 4). Throws a RangeError behind the end. */
function readElement(view: DataView, at: number) {
  const idLength = Math.clz32(view.getUint8(at)) - 23;
  let id = 0;
  for (let i = 0; i < idLength; i++) id = id * 256 + view.getUint8(at + i);
  const first = view.getUint8(at + idLength);
  const sizeLength = Math.clz32(first) - 23;
  let size = first % 2 ** (8 - sizeLength);
  for (let i = 1; i < sizeLength; i++) size = size * 256 + view.getUint8(at + idLength + i);
  const start = at + idLength + sizeLength;
  return { id, start, end: start + size, isOpen: size >= 2 ** (7 * sizeLength) - 1 };
}
