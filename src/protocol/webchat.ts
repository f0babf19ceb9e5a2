// The capabilities of a server with our additions, of which `GET {chat}/webchat` lists those that it has.
export type { EmbedType, Feature, Webchat } from './types/chat.ts';

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
  /** `POST /conversations/{id}/page`. */
  'page',
] as const;
