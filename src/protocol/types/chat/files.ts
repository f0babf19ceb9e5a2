// Generated from src/protocol/schemas/chat/files.ts by type-modules.test.ts (`npm run generate`). Do not edit.
// biome-ignore-all format: generated
// biome-ignore-all assist/source/organizeImports: generated

/** `upload_pending` until all its bytes have arrived. */
export type FileStatus = 'upload_pending' | 'upload_completed';

/** A file as the server describes it. */
export interface File {
  id: string;
  /** The file name that the visitor sees. Never a path. */
  key: string;
  /** Bytes. */
  size: number;
  /** Media type, such as `image/png`: the declared one, corrected after the server has inspected the bytes. */
  contentType: string;
  status: FileStatus;
  /** Grants read access to everyone who has it; it cannot be guessed. */
  url: string;
  createdAt: string;
  updatedAt: string;
}

/** The body of `POST /files`. */
export interface FileFields {
  key: string;
  size: number;
  /** Default: the type for the extension of `key`. */
  contentType?: string;
}

/**
 * The result of `POST /files`. Bytes are sent to `uploadUrl`, which needs no user key: `PUT` with all bytes, or `PATCH`
 * with `Upload-Offset` to resume an upload; `HEAD` returns the offset (a subset of tus 1.0.0).
 */
export interface NewFile extends File {
  uploadUrl: string;
}
