// The response of `GET {chat}/webchat`: what a server with our additions supports.
import type { Configuration } from './page-api/config.ts';

/** The capabilities beyond the plain Chat API, in the order in which a server lists them. */
export const features = [
  /** `Last-Event-ID` on the stream. */
  'replay',
  /** `Idempotency-Key` on creating requests. */
  'idempotency',
  /** Answers are streamed, and `POST /conversations/{id}/stop` ends one. */
  'stream',
  /** `POST /conversations/{id}/typing`, and its signals. */
  'typing',
  /** `POST /files`. */
  'files',
  /** `PUT | DELETE /messages/{id}/feedback`. */
  'feedback',
  /** `firstConversation` on `POST /users`. */
  'firstConversation',
  /** `POST /users/me/key`: issued user keys can be renewed. */
  'renewal',
  /** `supersedes` on `POST /messages`. */
  'supersedes',
  /** `GET /conversations/{id}/activities` and its signal: people can answer. */
  'handoff',
  /** `GET /conversations` has what was said and is unread, and `GET /messages/search` exists. */
  'conversations',
  /** `POST /conversations/{id}/transcript-mail`. */
  'transcriptMail',
  /** `preChatForm` on `POST /users` and `POST /conversations`. */
  'preChatForm',
  /** The header `x-visitor-locale`. */
  'locale',
] as const;

export type Feature = (typeof features)[number];

/** The response of `GET {chat}/webchat`; 404 means a plain Chat API server. */
export interface Webchat {
  /** The dashboard configuration of this bot. */
  configuration: Configuration;
  /** The id of the user who is the author of the bot's messages: other authors are participants or people who answer. */
  botUserId?: string;
  features: Feature[];
  limits: {
    messageBytes: number;
    /** Bytes of one file. */
    fileBytes: number;
    /** Media types that may be uploaded, such as `image/*` or `application/pdf`; empty for all. */
    fileTypes: string[];
    /** Files in one message, if the bot limits them. */
    filesPerMessage?: number;
  };
  /** The origin in which apps of the bot run; without it, they are shown as text. */
  sandboxOrigin?: string;
}
