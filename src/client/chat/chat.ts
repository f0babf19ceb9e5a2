// The typed client of one Chat API: every operation as a method, the stream as `listen`, lists as iterables.
import type { Message } from '../../protocol/message.ts';
import type { Conversation, Invitation } from '../../protocol/types/chat.ts';
import type { User } from '../../protocol/user.ts';
import type { CallOptions } from '../core/http.ts';
import { type Items, paginate } from '../core/pages.ts';
import { ChatOperations } from './chat-operations.ts';

/**
 * A client of one chat. Every method rejects with ApiError (the server refused) or NetworkError (no usable response).
 * Runs in browsers and in Node 20.
 */
export class ChatClient extends ChatOperations {
  /** Lists as async iterables over all pages, with `.collect({limit})`. */
  readonly list = {
    conversations: (options?: CallOptions): Items<Conversation> =>
      paginate(async (nextToken) => {
        const { conversations: items, meta } = await this.listConversations(paged(nextToken), options);
        return { items, meta };
      }),
    messages: (input: { conversationId: string }, options?: CallOptions): Items<Message> =>
      paginate(async (nextToken) => {
        const { messages: items, meta } = await this.listMessages({ ...input, ...paged(nextToken) }, options);
        return { items, meta };
      }),
    participants: (input: { conversationId: string }, options?: CallOptions): Items<User> =>
      paginate(async (nextToken) => {
        const page = await this.listParticipants({ ...input, ...paged(nextToken) }, options);
        return { items: page.participants, meta: page.meta };
      }),
    invitations: (options?: CallOptions): Items<Invitation> =>
      paginate(async (nextToken) => {
        const { invitations: items, meta } = await this.listInvitations(paged(nextToken), options);
        return { items, meta };
      }),
  };
}

const paged = (nextToken: string | undefined) => (nextToken === undefined ? {} : { nextToken });
