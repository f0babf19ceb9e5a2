// Generated from src/protocol/schemas/chat.ts by type-modules.test.ts (`npm run generate`). Do not edit.
// biome-ignore-all format: generated
// biome-ignore-all assist/source/organizeImports: generated
import type { Configuration } from '../page-api/config.ts';
import type { MessageAuthor } from './handling.ts';
import type { Part } from './parts.ts';
import type { Payload } from '../payloads.ts';

/** A user as the Chat API returns it. Timestamps are ISO 8601 UTC ending in `Z`. */
export interface User {
  id: string;
  name?: string;
  pictureUrl?: string;
  /** Opaque text of the application, at most 1,000 characters. The widget stores `data` here, as JSON. */
  profile?: string;
  createdAt: string;
  updatedAt: string;
}

/** The fields of a user that a client may set. */
export interface UserFields {
  name?: string;
  pictureUrl?: string;
  profile?: string;
}

/** A conversation as the Chat API returns it. Timestamps are ISO 8601 UTC ending in `Z`. */
export interface Conversation {
  id: string;
  createdAt: string;
  updatedAt: string;
}

/** A conversation in the list of its owner. Other servers leave out the fields that they do not know. */
export interface ListedConversation extends Conversation {
  /** The beginning of the first message of the owner, as plain text; left out until there is one. */
  title?: string;
  /** The beginning of the last message, as plain text. */
  preview?: string;
  lastMessageAt?: string;
  /** Messages of others after the last one that the owner has read, up to 99. 0 until a client has told what was read. */
  unread?: number;
  /** The present state of the handling. */
  state?: 'bot' | 'waiting' | 'assigned' | 'closed';
}

/** An invitation to a conversation, as the invited user sees it. */
export interface Invitation {
  conversationId: string;
  /** The id of the owner of the conversation. Their profile is not included; an application can verify the id. */
  invitedBy: string;
  invitedAt: string;
}

/** A custom event as the Chat API returns it. */
export interface Event {
  id: string;
  createdAt: string;
  payload: Record<string, unknown>;
  conversationId: string;
  userId: string;
}

/** A message as the Chat API returns it. `metadata` is next to `payload`, never inside it. */
export interface Message {
  id: string;
  createdAt: string;
  payload: Payload;
  userId: string;
  conversationId: string;
  metadata?: Record<string, unknown>;
  /** The author, if it is a person who answers; in the Inbox API of every message. */
  author?: MessageAuthor;
  /** The visitor's feedback on a message of the bot, if any. */
  feedback?: Feedback;
  /** Content that is shown with the text of an answer: steps, sources, suggestions. Only messages of a bot have parts. */
  parts?: Part[];
  /**
   * The earlier message of the same author whose place this one takes. It and all messages between them are superseded:
   * they stay in lists, and are not shown.
   */
  supersedes?: string;
  /** The message that has taken the place of this one, or of one before it. */
  supersededBy?: string;
}

/** The visitor's feedback on a message. A plain server never sends it. */
export interface Feedback {
  value: 'positive' | 'negative';
  comment?: string;
}

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

export type Feature =
  | 'replay'
  | 'idempotency'
  | 'stream'
  | 'typing'
  | 'files'
  | 'feedback'
  | 'firstConversation'
  | 'renewal'
  | 'supersedes'
  | 'handoff'
  | 'conversations'
  | 'transcriptMail'
  | 'preChatForm'
  | 'locale'
  | 'page';

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

/** The form in which a bot's chat is embedded: HTML for pages, or the address of a separate page. */
export type EmbedType = 'preconfigured' | 'configurable' | 'fullscreen' | 'sharableUrl';
