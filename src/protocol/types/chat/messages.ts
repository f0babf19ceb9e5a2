// Generated from src/protocol/schemas/chat/messages.ts by type-modules.test.ts (`npm run generate`). Do not edit.
// biome-ignore-all format: generated
// biome-ignore-all assist/source/organizeImports: generated
import type { MessageAuthor } from '../handling.ts';
import type { Part } from '../parts.ts';
import type { Payload } from '../../payloads.ts';

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
