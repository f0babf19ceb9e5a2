// The words for a file that a visitor sends: its record, and how it is announced. Types only; no I/O.

/** `upload_pending` until all its bytes have arrived. */
export type FileStatus = 'upload_pending' | 'upload_completed';

/** A file as the server describes it. */
export interface File {
  id: string;
  /** Its name, as the visitor knows it. Never a path. */
  key: string;
  /** Bytes. */
  size: number;
  /** Media type, such as `image/png`: what was declared, corrected by what the bytes turned out to be. */
  contentType: string;
  status: FileStatus;
  /** Where it can be read, by anybody who has this address; nobody can guess it. */
  url: string;
  createdAt: string;
  updatedAt: string;
}

/** What `POST /files` takes. */
export interface FileFields {
  key: string;
  size: number;
  /** Left out: by the extension of `key`. */
  contentType?: string;
}

/**
 * What `POST /files` gives. Bytes go to `uploadUrl`, which needs no user key: `PUT` all of them, or `PATCH` with
 * `Upload-Offset` where an earlier upload was cut; `HEAD` tells the offset (a subset of tus 1.0.0).
 */
export interface NewFile extends File {
  uploadUrl: string;
}
