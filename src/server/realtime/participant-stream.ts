// A participant, and the message that is streamed in the participant's name. Types only.
import type { Message } from '../../protocol/message.ts';
import type { PartChange } from '../../protocol/parts.ts';

/** A participant in a conversation: server ids for lookups, public ids for signals. */
export interface ParticipantRef {
  conversation: { id: string; publicId: string };
  user: { id: string; publicId: string };
}

/** The ids of a stream as signals have them, and the time when it began. */
export interface StreamIds {
  streamId: string;
  conversationId: string;
  userId: string;
  createdAt: string;
}

/** A message that is being streamed. */
export interface MessageStream {
  id: string;
  /** The text written so far. */
  readonly text: string;
  write(delta: string): void;
  /** Publishes a change of a part; soon, unless it is a new part or a new state, because many small ones are gathered. */
  changePart(change: PartChange): void;
  complete(message: Message): void;
  abort(): void;
}
