// Range requests (RFC 9110, 14) for one range of bytes. For several ranges the whole content is sent.
// Why not `range-parser`: it reads several ranges, of which none is sent, and would replace ten lines (decision 152).

export interface ByteRange {
  first: number;
  /** The last byte, inclusive. */
  last: number;
}

/**
 * Returns the requested range within `size` bytes; undefined if everything is sent; `unsatisfiable` if the range begins
 * beyond the content.
 */
export function readRange(header: string | null, size: number): ByteRange | 'unsatisfiable' | undefined {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/i.exec(header?.trim() ?? '') ?? [];
  if (from === '' && to === '') return undefined;
  if (from === '') {
    return Number(to) === 0 || size === 0
      ? 'unsatisfiable'
      : { first: Math.max(0, size - Number(to)), last: size - 1 };
  }
  const first = Number(from);
  // An end before the beginning makes the header invalid, so it is ignored.
  if (to !== '' && Number(to) < first) return undefined;
  if (first >= size) return 'unsatisfiable';
  return { first, last: to === '' ? size - 1 : Math.min(Number(to), size - 1) };
}

/** True when an If-None-Match header contains this ETag, by the weak comparison. */
export function matchesEtag(ifNoneMatch: string | null, etag: string): boolean {
  const weak = (tag: string): string => tag.trim().replace(/^W\//, '');
  return (ifNoneMatch ?? '').split(',').some((tag) => tag.trim() === '*' || weak(tag) === weak(etag));
}
