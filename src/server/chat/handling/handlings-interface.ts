// The interface of the transitions between the states of handling (transitions.ts). Types only.
import type { AuthorKind, Handling, HandoffAnswer, Person, ReadMark } from '../../../protocol/handling.ts';
import type { Rating } from '../../../protocol/types/handling.ts';
import type { MemberRow } from '../../storage/admin/workspaces.ts';
import type { ConversationRow } from '../../storage/chat/conversations.ts';
import type { MessageRow } from '../../storage/chat/messages.ts';
import type { Tx, WriteTx } from '../../storage/database.ts';
import type { HandlingRow } from '../../storage/inbox/handlings.ts';

/** A member to whom a conversation is or will be assigned. */
export interface Answerer {
  memberId: string;
  person: Person;
}

/** The cause why a person begins or stops answering; it is stored with the assignment. */
export type AssignmentCause = 'taken' | 'assigned' | 'accepted' | 'reopened' | 'routed';

/** The outcome of a request for a person. */
export interface HandoffRequest {
  /** False outside of the opening hours: nothing was changed. */
  accepted: boolean;
  row: HandlingRow | undefined;
  /** When somebody answers again, in milliseconds since 1970. */
  opensAt?: number | undefined;
}

/** The rating of a person by a visitor. `rating`: from 1 to 5, or null if they do not want to rate. */
export interface RatingAnswer {
  rating: number | null;
  comment?: string | undefined;
}

/** The recipient of a message of a visitor. */
export interface Recipient {
  handling: HandlingRow | undefined;
  /** `bot`: a normal event; `desk`: an event for the program that connects another help desk; `team`: no event. */
  to: 'bot' | 'desk' | 'team';
}

/** How a person ends a handoff. */
interface Ending {
  revision?: number | undefined;
  /** The name of the person, as visitors see it: not always of who answers. */
  name?: string | undefined;
  memberId?: string | undefined;
}

/**
 * All functions take the lock of the conversation, read the handling, change it and return it. Functions with a
 * `revision` throw StaleRevision if the conversation has another revision.
 */
export interface Handlings {
  find(tx: WriteTx, conversation: ConversationRow): Promise<HandlingRow | undefined>;
  /**
   * Asks for a person; does nothing if this was already requested, or outside of the opening hours. `note`: the note of the bot. `team`: an id or a
   * name. `leavesMessage`: the conversation waits outside of the opening hours, too. Throws ReferenceConstraint for an unknown team.
   */
  request(
    tx: WriteTx,
    conversation: ConversationRow,
    by: AuthorKind,
    request: {
      reason?: string | undefined;
      note?: string | undefined;
      team?: string | undefined;
      leavesMessage?: boolean | undefined;
    },
  ): Promise<HandoffRequest>;
  /** Throws AlreadyTaken if another person answers. */
  take(
    tx: WriteTx,
    conversation: ConversationRow,
    by: Answerer,
    revision?: number | undefined,
  ): Promise<HandlingRow>;
  /** A person at another desk answers. Throws AlreadyTaken, and StaleRevision unless the conversation waits. */
  accept(tx: WriteTx, conversation: ConversationRow, person: Person): Promise<HandlingRow>;
  assign(
    tx: WriteTx,
    conversation: ConversationRow,
    to: Answerer,
    revision?: number | undefined,
  ): Promise<HandlingRow>;
  /** A member of the team of a conversation that waits answers from now on, because it is their turn. */
  route(tx: WriteTx, conversation: ConversationRow, to: Answerer): Promise<HandlingRow>;
  /** Nobody answers any more: the conversation waits in the queue of a team. */
  assignTeam(
    tx: WriteTx,
    conversation: ConversationRow,
    teamId: string,
    revision?: number | undefined,
  ): Promise<HandlingRow>;
  /** Removes the assignment: the conversation waits again. */
  release(
    tx: WriteTx,
    conversation: ConversationRow,
    by: AuthorKind | 'system',
    revision?: number | undefined,
  ): Promise<HandlingRow>;
  /** Returns the conversation to the bot; does nothing if the bot already answers. */
  returnToBot(
    tx: WriteTx,
    conversation: ConversationRow,
    by: AuthorKind,
    ending?: Ending,
  ): Promise<HandlingRow | undefined>;
  /** Ends the handoff; does nothing if there is none. */
  close(
    tx: WriteTx,
    conversation: ConversationRow,
    by: AuthorKind,
    ending?: Ending,
  ): Promise<HandlingRow | undefined>;
  /**
   * Stores the rating of a handoff. The same one again has no further effect. Throws ResourceNotFound if the visitor was not
   * asked, and AlreadyExists if they have given another one.
   */
  rate(tx: WriteTx, conversation: ConversationRow, handoffId: string, answer: RatingAnswer): Promise<Rating>;
  /**
   * Records that somebody has read the conversation up to a sequence number. An earlier one has no effect. Returns the newest
   * message up to it, if there is one.
   */
  markRead(
    tx: WriteTx,
    conversation: ConversationRow,
    reader: { id: string; kind: 'visitor' | 'person' },
    seq: number,
  ): Promise<ReadMark | undefined>;
  /** `until`: null until the visitor writes. */
  snooze(
    tx: WriteTx,
    conversation: ConversationRow,
    until: number | null,
    revision?: number | undefined,
  ): Promise<HandlingRow>;
  /**
   * Ends the snoozing. Does nothing if the conversation is not snoozed, or, with `at`, if its time is not over then. It returns
   * to the queue if who has it is away and the visitor has no answer, unless it is they who end it (`memberId`).
   */
  endSnooze(
    tx: WriteTx,
    conversation: ConversationRow,
    by?: { at?: number; memberId?: string | undefined },
  ): Promise<HandlingRow | undefined>;
  /** Before a message of a visitor is stored: opens a closed conversation again, ends snoozing. */
  beforeMessage(tx: WriteTx, conversation: ConversationRow): Promise<Recipient>;
  /** After a message of any author is stored in a conversation with this handling. */
  afterMessage(tx: WriteTx, handling: HandlingRow, message: MessageRow): Promise<void>;
  /**
   * After the payload of a message is changed, or the message is deleted, at this place: neither the row nor the pages of the
   * team keep what it was.
   */
  afterChange(
    tx: WriteTx,
    conversationId: string,
    place: { seq: number; at: number },
    cause: { deletedMessageId: string } | { changedMessageId: string },
  ): Promise<void>;
  /**
   * Returns the handling of a conversation in which the bot is about to write. Throws HandledByPerson unless it may.
   * `isEnd`: of an answer that it had begun.
   */
  ofBot(tx: WriteTx, conversation: ConversationRow, isEnd: boolean): Promise<HandlingRow | undefined>;
  /**
   * Stores a change of what the team sees about a visitor, such as their name, by calling `store` under the locks of their
   * conversations; the team is notified after the commit. Returns what `store` returns.
   */
  changeVisitor<T>(tx: WriteTx, userId: string, store: () => Promise<T>): Promise<T>;
  /** Publishes a stored change of a visitor to the team, for these conversations, whose locks are held. */
  publishVisitor(tx: WriteTx, conversationIds: readonly string[]): Promise<void>;
  /**
   * Stores another name, picture, address or role of a member by calling `store`, under the locks of the conversations that they
   * answer: visitors and colleagues see it there. No write comes before it.
   */
  changeMember(tx: WriteTx, before: MemberRow, after: MemberRow, store: () => Promise<void>): Promise<void>;
  /** Notifies the team that members were added, removed or changed. `memberId`: notifies only this member. */
  publishMembers(tx: WriteTx, workspaceId: string, memberId?: string): void;
  /**
   * Notifies the team that the visitor of an open conversation types, for `timeout` milliseconds, or has stopped (0). In a
   * conversation that the bot answers, only while a member watches.
   */
  publishTyping(tx: Tx, conversation: ConversationRow, timeout: number): Promise<void>;
  /** Notifies the visitor of a waiting conversation of its place in the queue. */
  notifyPlace(tx: WriteTx, conversation: ConversationRow): Promise<void>;
  /** The response to a request. */
  answer(
    tx: WriteTx,
    conversation: ConversationRow,
    request: HandoffRequest,
  ): Promise<HandoffAnswer & { handling: Handling }>;
}
