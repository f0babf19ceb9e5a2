// Types of the Runtime API that the Chat API does not have. Types only.
import type { Conversation } from './conversation.ts';
import type { User } from './user.ts';

/** A conversation as its bot sees it: `owner` is the user who created it, `fid` the id that the application chose. */
export interface RuntimeConversation extends Conversation {
  tags: { owner: string; fid?: string };
}

/** A user as their bot sees them: `fid` is the id that the application chose. */
export interface RuntimeUser extends User {
  tags: { fid?: string; profile?: string };
}

/** An answer that is being written. */
export interface RuntimeStream {
  id: string;
  conversationId: string;
  createdAt: string;
}

/** The position of a streamed answer. */
export interface StreamPosition {
  /** Characters (UTF-16) written so far. */
  position: number;
  /** The visitor stopped it: further writes have no effect, and `end` returns the stored message. */
  stopped: boolean;
}
