// Operations of the Chat API: conversations, their participants, invitations, events and typing indicators.
import * as v from 'valibot';
import { localeHeader } from '../../headers.ts';
import { schemas } from '../../schemas/chat.ts';
import { handlingSchemas } from '../../schemas/handling.ts';
import { maybe } from '../../schemas/values.ts';
import { preChatSchemas, visitorPage } from '../../schemas/visitors.ts';
import { mutation, operations, query, subscription } from '../operation.ts';

const participantResponse = v.object({ participant: schemas.user });

export const participants = operations({
  addParticipant: mutation({
    route: 'POST /conversations/{conversationId}/participants',
    summary:
      'Invites a user to a conversation. The user becomes a participant after accepting the invitation. The ' +
      'response contains the id and the time of the invitation, whether or not the user exists; for a user who ' +
      'already is a participant, it contains their profile. Inviting again changes nothing. If the server adds ' +
      'participants directly, the user becomes a participant immediately.',
    auth: 'user',
    limitedKeys: false,
    errors: ['Forbidden', 'ResourceNotFound', 'QuotaExceeded'],
    // An id of another format cannot exist.
    input: v.object({ userId: schemas.foreignUserId }),
    output: participantResponse,
    examples: [{ conversationId: '<<conversation>>', userId: '<<other>>' }],
  }),

  listParticipants: query({
    route: 'GET /conversations/{conversationId}/participants',
    isHeavy: true,
    summary: 'Lists the participants of a conversation. Invited users are not participants yet.',
    auth: 'user',
    limitedKeys: true,
    errors: ['Forbidden', 'InvalidQuery'],
    input: schemas.page,
    output: v.object({ participants: v.array(schemas.user), meta: schemas.meta }),
    examples: [{ conversationId: '<<conversation>>' }],
  }),

  getParticipant: query({
    route: 'GET /conversations/{conversationId}/participants/{userId}',
    summary: 'Returns one participant of a conversation of the caller.',
    auth: 'user',
    limitedKeys: false,
    errors: ['Forbidden', 'ResourceNotFound'],
    output: participantResponse,
    examples: [{ conversationId: '<<conversation>>', userId: '<<other>>' }],
  }),

  removeParticipant: mutation({
    route: 'DELETE /conversations/{conversationId}/participants/{userId}',
    summary:
      'Removes a participant from a conversation of the caller, or withdraws an invitation. A participant may remove ' +
      'themselves. Open streams of that user in this conversation are closed.',
    auth: 'user',
    limitedKeys: false,
    errors: ['InvalidPayload', 'Forbidden', 'ResourceNotFound'],
    output: schemas.nothing,
    examples: [{ conversationId: '<<conversation>>', userId: '<<other>>' }],
  }),
});

export const invitations = operations({
  listInvitations: query({
    route: 'GET /invitations',
    summary: 'Lists the open invitations of the caller, newest conversation first.',
    auth: 'user',
    limitedKeys: false,
    errors: ['InvalidQuery'],
    input: schemas.page,
    output: v.object({ invitations: v.array(schemas.invitation), meta: schemas.meta }),
  }),

  acceptInvitation: mutation({
    route: 'POST /invitations/{conversationId}',
    summary:
      'Accepts an invitation: the caller becomes a participant of the conversation. Accepting again changes ' +
      'nothing.',
    auth: 'user',
    limitedKeys: false,
    errors: ['ResourceNotFound'],
    output: v.object({ conversation: schemas.conversation }),
    examples: [{ conversationId: '<<conversation>>' }],
  }),

  declineInvitation: mutation({
    route: 'DELETE /invitations/{conversationId}',
    summary: 'Declines an invitation. The owner of the conversation is not notified.',
    auth: 'user',
    limitedKeys: false,
    errors: ['ResourceNotFound'],
    output: schemas.nothing,
    examples: [{ conversationId: '<<invitation>>' }],
  }),
});

/** Milliseconds after which the typing indicator of a visitor ends by itself. */
export const typingTimeoutMs = 10_000;

export const presence = operations({
  setTyping: query({
    route: 'POST /conversations/{id}/typing',
    summary: `Notifies the other participants that the caller is typing, for ${typingTimeoutMs} ms, or has stopped.`,
    auth: 'user',
    limitedKeys: true,
    errors: ['Forbidden'],
    input: v.object({ typing: v.boolean() }),
    output: schemas.nothing,
    examples: [
      { id: '<<conversation>>', typing: true },
      { id: '<<conversation>>', typing: false },
    ],
  }),

  setPage: query({
    route: 'POST /conversations/{id}/page',
    summary:
      'Says on which page the visitor is, for the team, as long as a stream of the caller in this conversation is open. ' +
      '`null`: it is shared no more. Only the owner of the conversation can call it. Nothing of it is stored.',
    auth: 'user',
    limitedKeys: true,
    errors: ['Forbidden', 'ResourceNotFound'],
    input: v.object({ page: v.nullable(visitorPage) }),
    output: schemas.nothing,
    examples: [
      { id: '<<conversation>>', page: { url: 'https://shop.example/cart', title: 'Cart' } },
      { id: '<<conversation>>', page: null },
    ],
  }),

  stopStream: query({
    route: 'POST /conversations/{id}/stop',
    summary:
      'Ends an answer that is being streamed; the part that was sent stays as a message. Responds with 200 also ' +
      'if no answer with this id is being streamed, because the answer may just have ended.',
    auth: 'user',
    limitedKeys: true,
    errors: ['Forbidden'],
    input: v.object({ streamId: schemas.id }),
    output: schemas.nothing,
    sample: { id: '<<conversation>>', streamId: '<<stream>>' },
    examples: [{ id: '<<conversation>>', streamId: 'stream_1' }],
  }),
});

const eventResponse = v.object({ event: schemas.event });

export const events = operations({
  createEvent: mutation({
    route: 'POST /events',
    summary: 'Sends a custom event to the bot and to all listeners of a conversation.',
    auth: 'user',
    limitedKeys: true,
    quota: 'messages',
    status: 201,
    errors: ['Forbidden', 'QuotaExceeded'],
    headers: [localeHeader],
    input: v.object({ payload: schemas.data, conversationId: schemas.id }),
    output: eventResponse,
    sample: { conversationId: '<<conversation>>', payload: { type: 'cart_changed', items: 2 } },
    examples: [{ conversationId: '<<conversation>>', payload: { color: '#0a7a5a', a: [1] } }],
  }),

  getEvent: query({
    route: 'GET /events/{id}',
    summary: 'Returns a custom event of a conversation in which the caller is a participant.',
    auth: 'user',
    limitedKeys: true,
    errors: ['Forbidden', 'ResourceNotFound'],
    output: eventResponse,
    examples: [{ id: '<<event>>' }],
  }),
});

const conversationResponse = v.object({ conversation: schemas.conversation });

export const conversations = operations({
  createConversation: mutation({
    route: 'POST /conversations',
    summary:
      'Creates a conversation; the caller becomes its owner and participant. `preChatForm`: the answers to the form before it. ' +
      'Name and e-mail address are stored for the caller, the others with the conversation.',
    auth: 'user',
    limitedKeys: false,
    quota: 'conversations',
    status: 201,
    errors: ['AlreadyExists'],
    headers: [localeHeader],
    input: v.object({
      id: maybe(schemas.foreignId),
      preChatForm: maybe(preChatSchemas.answers),
    }),
    output: conversationResponse,
    sample: { id: 'order-4711' },
    examples: [
      {},
      { id: 'room/of-<<user>>' },
      {
        preChatForm: {
          name: 'Ann',
          email: 'ann@example.com',
          topic: 'Order',
          consent: 'I agree to the privacy policy.',
          fields: { order: '1234' },
        },
      },
    ],
  }),

  listConversations: query({
    route: 'GET /conversations',
    isHeavy: true,
    summary:
      'Lists the conversations that the caller owns, newest first, with what was said first and last and the number of unread ' +
      'messages.',
    auth: 'user',
    limitedKeys: true,
    errors: ['InvalidQuery'],
    input: schemas.page,
    output: v.object({ conversations: v.array(schemas.listedConversation), meta: schemas.meta }),
  }),

  getOrCreateConversation: mutation({
    route: 'POST /conversations/get-or-create',
    summary:
      'Returns the conversation with this id and creates it if necessary. Refused if another user owns it.',
    auth: 'user',
    limitedKeys: false,
    status: 201,
    errors: ['Forbidden'],
    headers: [localeHeader],
    input: v.object({ id: schemas.foreignId }),
    output: conversationResponse,
    sample: { id: 'order-4711' },
    examples: [{ id: 'home/of-<<user>>' }],
  }),

  getConversation: query({
    route: 'GET /conversations/{id}',
    summary: 'Returns a conversation in which the caller is a participant.',
    auth: 'user',
    limitedKeys: true,
    errors: ['Forbidden', 'ResourceNotFound'],
    output: conversationResponse,
    examples: [{ id: '<<conversation>>' }],
  }),

  setRead: mutation({
    route: 'PUT /conversations/{id}/read',
    summary:
      'Records that the caller has read the conversation up to a message: the number of unread messages of the list counts ' +
      'from there. It only rises: an earlier message has no effect. Where the bot has `readReceipts`, the others are told.',
    auth: 'user',
    limitedKeys: true,
    errors: ['Forbidden', 'ResourceNotFound'],
    input: v.object({ messageId: schemas.id }),
    output: v.object({ read: handlingSchemas.readMark }),
    examples: [{ id: '<<conversation>>', messageId: '<<botMessage>>' }],
  }),

  deleteConversation: mutation({
    route: 'DELETE /conversations/{id}',
    summary: 'Deletes a conversation with all its data. Its open streams are closed.',
    auth: 'user',
    limitedKeys: false,
    errors: ['Forbidden', 'ResourceNotFound'],
    output: schemas.nothing,
    examples: [{ id: '<<conversation>>' }],
  }),

  listenConversation: subscription({
    route: 'GET /conversations/{id}/listen',
    summary:
      'Streams the signals of a conversation as server-sent events. To continue a stream, send the id of the ' +
      'last frame as Last-Event-ID. The response repeats this id if nothing was missed; otherwise list the ' +
      'messages.',
    auth: 'user',
    limitedKeys: true,
    errors: ['Forbidden'],
    examples: [{ id: '<<conversation>>' }],
  }),
});
