// Range requests (RFC 9110, 14): one range of bytes. Several at once are not served; then all is sent.

export interface ByteRange {
  first: number;
  /** The last byte, included. */
  last: number;
}

/** The one range that is asked for, within `size` bytes; undefined: send all; `unsatisfiable`: nothing of it is there. */
export function readRange(header: string | null, size: number): ByteRange | 'unsatisfiable' | undefined {
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/i.exec(header?.trim() ?? '') ?? [];
  if (from === '' && to === '') return undefined;
  if (from === '') {
    return Number(to) === 0 || size === 0
      ? 'unsatisfiable'
      : { first: Math.max(0, size - Number(to)), last: size - 1 };
  }
  const first = Number(from);
  // The end before the beginning is not a range at all.
  if (to !== '' && Number(to) < first) return undefined;
  if (first >= size) return 'unsatisfiable';
  return { first, last: to === '' ? size - 1 : Math.min(Number(to), size - 1) };
}

/** True when an If-None-Match header names this ETag, by the weak comparison. */
export function matchesEtag(ifNoneMatch: string | null, etag: string): boolean {
  const weak = (tag: string): string => tag.trim().replace(/^W\//, '');
  return (ifNoneMatch ?? '').split(',').some((tag) => tag.trim() === '*' || weak(tag) === weak(etag));
}
