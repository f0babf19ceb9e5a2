// Changes of the row of an upload that are not stored yet: the parts, pieces or object with its bytes, and the objects
// that become garbage.
import type { UploadGarbage, UploadRow } from '../../storage/files/uploads.ts';

/** The bytes of the parts, and of the pieces after them. */
export const partsSize = ({ parts }: UploadRow): number => parts.reduce((sum, [, , size]) => sum + size, 0);
export const piecesSize = ({ pieces }: UploadRow): number => pieces.reduce((sum, [, size]) => sum + size, 0);

/** The row of a file without bytes. */
export const newUpload = (contentId: string, fence: string): UploadRow => ({
  contentId,
  fence,
  object: null,
  uploadId: null,
  nextPart: 1,
  parts: [],
  pieces: [],
  garbage: [],
  size: 0,
  isWhole: false,
});

const namesOf = (pieces: UploadRow['pieces']): UploadGarbage[] => pieces.map(([name]) => [name]);

/** The pieces became a part. */
export function addPart(row: UploadRow, number: number, etag: string, size: number): void {
  row.parts.push([number, etag, size]);
  row.garbage.push(...namesOf(row.pieces));
  row.pieces = [];
}

/**
 * A new piece with the last `received` of `size` bytes replaces the smaller ones before it, so that there are only a few.
 * Returns the number of pieces that are kept, and the place of the new one among these bytes.
 */
export function beginOfPiece(
  { pieces }: UploadRow,
  size: number,
  received: number,
): { pieceCount: number; from: number } {
  let from = size - received;
  let pieceCount = pieces.length;
  for (const [, before] of [...pieces].reverse()) {
    if (before > size - from) break;
    from -= before;
    pieceCount -= 1;
  }
  return { pieceCount, from };
}

/** A new piece replaces those after the first `kept`. */
export function replacePieces(row: UploadRow, count: number, name: string, size: number): void {
  row.garbage.push(...namesOf(row.pieces.slice(count)));
  row.pieces = [...row.pieces.slice(0, count), [name, size]];
}

/** All bytes are in one object. */
export function becomeWhole(row: UploadRow, object: string | null, size: number): void {
  row.garbage.push(...namesOf(row.pieces));
  Object.assign(row, { object, uploadId: null, parts: [], pieces: [], size, isWhole: true });
}

/** All bytes are garbage; the file begins again at 0. */
export function discardBytes(row: UploadRow): void {
  const { object, uploadId } = row;
  if (object !== null && uploadId !== null) row.garbage.push([object, uploadId]);
  if (object !== null) row.garbage.push([object]);
  row.garbage.push(...namesOf(row.pieces));
  Object.assign(row, { object: null, uploadId: null, parts: [], pieces: [], size: 0, isWhole: false });
}

/** Returns a function that discards the bytes that are added from now on. The number of the next part is kept. */
export function markOf(row: UploadRow): () => void {
  const parts = [...row.parts];
  const pieces = [...row.pieces];
  return () => {
    const currentNames = new Set(pieces.map(([name]) => name));
    row.garbage = row.garbage.filter(([name]) => !currentNames.has(name));
    Object.assign(row, { parts, pieces });
  };
}
