// The words of `GET {chat}/webchat`: what a server with our additions can do. Types only; no I/O.
import type { Configuration } from './config.ts';

/** A capability beyond the plain Chat API. */
export type Feature =
  /** `Last-Event-ID` on the stream. */
  | 'replay'
  /** `Idempotency-Key` on creating requests. */
  | 'idempotency'
  /** Answers come piece by piece, and `POST /conversations/{id}/stop` ends one. */
  | 'stream'
  /** `POST /conversations/{id}/typing`, and the signals of it. */
  | 'typing'
  /** `POST /files`. */
  | 'files'
  /** `PUT | DELETE /messages/{id}/feedback`. */
  | 'feedback'
  /** `POST /users/me/key`: issued user keys can be renewed. */
  | 'renewal';

/** The answer of `GET {chat}/webchat`; 404 means a plain Chat API server. */
export interface Webchat {
  /** The dashboard configuration of this bot. */
  configuration: Configuration;
  features: Feature[];
  limits: {
    messageBytes: number;
    /** Bytes of one file. */
    fileBytes: number;
    /** Media types that may be uploaded: `image/*`, `application/pdf`; empty for all. */
    fileTypes: string[];
  };
}
