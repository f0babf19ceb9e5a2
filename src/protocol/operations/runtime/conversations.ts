// Operations of the Runtime API: conversations, their participants, handoffs and events.
import * as v from 'valibot';
import { limits } from '../../limits.ts';
import { schemas } from '../../schemas/chat.ts';
import { handlingSchemas } from '../../schemas/handling.ts';
import { runtimeSchemas } from '../../schemas/runtime.ts';
import { boundedArray, maybe } from '../../schemas/values.ts';
import { mutation, operations, query } from '../operation.ts';

const participantResponse = v.object({ participant: runtimeSchemas.user });

export const participants = operations({
  listParticipants: query({
    id: 'listBotParticipants',
    route: 'GET /conversations/{id}/participants',
    isHeavy: true,
    summary: 'Lists the participants of a conversation, newest user first.',
    auth: 'bot',
    permission: 'chat.read',
    errors: ['InvalidQuery', 'ResourceNotFound'],
    input: v.object(schemas.sizedPage),
    output: v.object({ participants: v.array(runtimeSchemas.user), meta: schemas.meta }),
    examples: [{ id: '<<conversation>>', pageSize: 2 }],
  }),

  addParticipant: mutation({
    id: 'addBotParticipant',
    route: 'POST /conversations/{id}/participants',
    summary:
      'Adds a user of the bot to a conversation immediately, without an invitation. Adding a participant again ' +
      'changes nothing.',
    auth: 'bot',
    permission: 'chat.write',
    errors: ['ResourceNotFound'],
    input: v.object({ userId: schemas.id }),
    output: participantResponse,
    examples: [{ id: '<<conversation>>', userId: '<<other>>' }],
  }),

  getParticipant: query({
    id: 'getBotParticipant',
    route: 'GET /conversations/{id}/participants/{userId}',
    summary: 'Returns one participant of a conversation.',
    auth: 'bot',
    permission: 'chat.read',
    errors: ['ResourceNotFound'],
    output: participantResponse,
    examples: [{ id: '<<conversation>>', userId: '<<other>>' }],
  }),

  removeParticipant: mutation({
    id: 'removeBotParticipant',
    route: 'DELETE /conversations/{id}/participants/{userId}',
    summary:
      'Removes a participant who is not the owner of the conversation; their open streams of this conversation are closed.',
    auth: 'bot',
    permission: 'chat.write',
    errors: ['InvalidPayload', 'ResourceNotFound'],
    output: schemas.nothing,
    examples: [{ id: '<<conversation>>', userId: '<<other>>' }],
  }),
});

const handling = v.object({
  handling: handlingSchemas.handling,
  handoff: maybe(handlingSchemas.handoff),
});

export const handoffs = operations({
  requestHandoff: mutation({
    id: 'requestBotHandoff',
    route: 'POST /conversations/{id}/handoff',
    summary:
      'Asks for a person. Until the conversation is returned, the bot receives no messages of the visitor and can send ' +
      'none. `note` is for the team; the visitor never sees it. `team`: the id or the name of the team whose members are to ' +
      'answer. Asking twice has no further effect. Outside of the opening hours it is not accepted (`opensAt`).',
    auth: 'bot',
    permission: 'handoff.write',
    errors: ['ResourceNotFound', 'ReferenceConstraint'],
    input: v.object({
      reason: maybe(handlingSchemas.reason),
      note: maybe(handlingSchemas.note),
      team: maybe(handlingSchemas.reason),
    }),
    output: v.object({ ...handlingSchemas.answer.entries, ...handling.entries }),
    examples: [{ id: '<<conversation>>', reason: 'refund', note: 'The order is A-1.' }],
  }),

  acceptHandoff: mutation({
    route: 'POST /conversations/{id}/handoff/accept',
    summary:
      'A person at another desk answers from now on: messages that are created with `as: person` are theirs, and the bot ' +
      'receives the messages of the visitor as events of the type `message_for_person`. `AlreadyTaken` if another person ' +
      'answers, whose name is in `metadata.assignee`.',
    auth: 'bot',
    permission: 'handoff.write',
    errors: ['ResourceNotFound', 'AlreadyTaken', 'StaleRevision'],
    input: v.object({ person: handlingSchemas.newPerson }),
    output: handling,
    examples: [
      { id: '<<conversation>>', person: { name: 'Ada', pictureUrl: 'https://example.com/ada.png' } },
    ],
  }),

  closeHandoff: mutation({
    route: 'DELETE /conversations/{id}/handoff',
    summary:
      'Ends the handoff: the bot answers again, or with `to: closed` the conversation is closed. `AlreadyTaken` if a member ' +
      'answers. Has no effect if there is no open handoff.',
    auth: 'bot',
    permission: 'handoff.write',
    errors: ['ResourceNotFound', 'AlreadyTaken'],
    input: v.object({ to: maybe(v.picklist(['bot', 'closed'])) }),
    output: handling,
    examples: [{ id: '<<conversation>>', to: 'closed' }],
  }),

  getHandling: query({
    route: 'GET /conversations/{id}/handling',
    summary: 'Returns who answers a conversation, and its last handoff.',
    auth: 'bot',
    permission: 'chat.read',
    errors: ['ResourceNotFound'],
    output: handling,
    examples: [{ id: '<<conversation>>' }],
  }),
});

const eventResponse = v.object({ event: runtimeSchemas.event });
const noWorkflows = runtimeSchemas.refused('This server has no workflows.');

export const events = operations({
  createEvent: mutation({
    id: 'createBotEvent',
    route: 'POST /events',
    summary:
      'Sends a custom event of the bot to the page of a conversation. With an `Idempotency-Key` it is sent once. ' +
      '`userId`: the bot (the default) or a participant.',
    auth: 'bot',
    permission: 'chat.write',
    status: 201,
    errors: ['ResourceNotFound'],
    input: v.object({
      payload: schemas.data,
      conversationId: schemas.id,
      type: maybe(runtimeSchemas.name),
      userId: maybe(schemas.id),
      messageId: maybe(schemas.id),
      workflowId: noWorkflows,
      schedule: runtimeSchemas.refused('Events cannot be scheduled. Send the event when it is due.'),
    }),
    output: eventResponse,
    sample: { conversationId: '<<conversation>>', payload: { type: 'order_shipped', order: '4711' } },
    examples: [
      { conversationId: '<<conversation>>', payload: { color: '#0a7a5a', a: [1] } },
      { conversationId: '<<conversation>>', type: 'order', userId: '<<user>>', payload: {} },
    ],
  }),

  getEvent: query({
    id: 'getBotEvent',
    route: 'GET /events/{id}',
    summary: 'Returns a custom event of a conversation of the bot.',
    auth: 'bot',
    permission: 'chat.read',
    errors: ['ResourceNotFound'],
    output: eventResponse,
    examples: [{ id: '<<event>>' }],
  }),

  listEvents: query({
    id: 'listBotEvents',
    route: 'GET /events',
    isHeavy: true,
    summary: 'Lists the custom events of a conversation, newest first: by type, author, message or status.',
    auth: 'bot',
    permission: 'chat.read',
    errors: ['InvalidQuery', 'ResourceNotFound'],
    input: v.object({
      ...schemas.sizedPage,
      conversationId: schemas.id,
      type: maybe(schemas.id),
      userId: maybe(schemas.id),
      messageId: maybe(schemas.id),
      status: maybe(v.picklist(['pending', 'processed', 'ignored', 'failed', 'scheduled'])),
      workflowId: noWorkflows,
    }),
    output: v.object({ events: v.array(runtimeSchemas.event), meta: schemas.meta }),
    examples: [{ conversationId: '<<conversation>>', type: 'custom', status: 'processed', pageSize: 2 }],
  }),
});

const { newTags, name, integrationName, discriminateByTags, tagQuery, date } = runtimeSchemas;
const conversationResponse = v.object({ conversation: runtimeSchemas.conversation });
const count = maybe(schemas.wholeNumber(0, 1_000_000_000));

export const conversations = operations({
  createConversation: mutation({
    id: 'createBotConversation',
    route: 'POST /conversations',
    summary:
      'Creates a conversation of the bot. The first user who is added as a participant becomes its owner.',
    auth: 'bot',
    permission: 'chat.write',
    status: 201,
    errors: ['QuotaExceeded'],
    input: v.object({
      channel: maybe(name),
      tags: maybe(newTags),
      properties: maybe(newTags),
      integrationName,
    }),
    output: conversationResponse,
    examples: [
      {
        channel: 'channel',
        tags: { topic: 'refund' },
        properties: { order: 'A-1' },
        integrationName: 'chat',
      },
    ],
  }),

  getOrCreateConversation: mutation({
    id: 'getOrCreateBotConversation',
    route: 'POST /conversations/get-or-create',
    summary:
      'Returns the conversation of this channel with exactly these tags, or creates it. `discriminateByTags` names ' +
      'the tags that decide instead of all; the others are then set.',
    auth: 'bot',
    permission: 'chat.write',
    errors: ['QuotaExceeded'],
    input: v.object({
      channel: maybe(name),
      tags: newTags,
      properties: maybe(newTags),
      integrationName,
      discriminateByTags,
    }),
    output: v.object({ conversation: runtimeSchemas.conversation, meta: runtimeSchemas.created }),
    examples: [
      { channel: 'channel', tags: { ticket: '17', topic: 'refund' }, discriminateByTags: ['ticket'] },
    ],
  }),

  getConversation: query({
    id: 'getBotConversation',
    route: 'GET /conversations/{id}',
    summary: 'Returns a conversation of the bot.',
    auth: 'bot',
    permission: 'chat.read',
    errors: ['ResourceNotFound'],
    output: conversationResponse,
    examples: [{ id: '<<conversation>>' }],
  }),

  listConversations: query({
    id: 'listBotConversations',
    route: 'GET /conversations',
    summary:
      'Lists conversations of the bot, newest first: with all of these tags, with all of these participants ' +
      '(`userId` is one more), of a channel, by the time of their creation, or by the number of messages.',
    auth: 'bot',
    permission: 'chat.read',
    errors: ['InvalidQuery'],
    input: v.object({
      ...schemas.sizedPage,
      userId: maybe(schemas.id),
      participantIds: maybe(boundedArray(schemas.id, limits.filterIds)),
      tags: tagQuery,
      channel: maybe(schemas.id),
      integrationName: maybe(schemas.id),
      afterDate: maybe(date),
      beforeDate: maybe(date),
      minMessageCount: count,
      maxMessageCount: count,
      sortField: maybe(v.picklist(['createdAt', 'updatedAt'])),
      sortDirection: maybe(v.picklist(['asc', 'desc'])),
    }),
    output: v.object({ conversations: v.array(runtimeSchemas.conversation), meta: schemas.meta }),
    examples: [
      { userId: '<<user>>' },
      {
        participantIds: ['<<user>>'],
        tags: { topic: 'refund' },
        channel: 'channel',
        integrationName: 'chat',
        afterDate: '2020-01-01T00:00:00Z',
        minMessageCount: 1,
        sortField: 'updatedAt',
        sortDirection: 'asc',
      },
    ],
  }),

  updateConversation: mutation({
    id: 'updateBotConversation',
    route: 'PUT /conversations/{id}',
    summary: 'Sets tags and properties of a conversation; null or an empty text removes one.',
    auth: 'bot',
    permission: 'chat.write',
    errors: ['ResourceNotFound', 'QuotaExceeded'],
    input: v.object({
      tags: maybe(newTags),
      properties: maybe(newTags),
      currentTaskId: runtimeSchemas.refused('This server has no tasks. Use a tag or a state.'),
    }),
    output: conversationResponse,
    examples: [{ id: '<<conversation>>', tags: { topic: 'refund', ticket: null } }],
  }),

  deleteConversation: mutation({
    id: 'deleteBotConversation',
    route: 'DELETE /conversations/{id}',
    summary: 'Deletes a conversation with its messages, events, tags and states, and closes its streams.',
    auth: 'bot',
    permission: 'chat.write',
    errors: ['ResourceNotFound'],
    output: schemas.nothing,
    examples: [{ id: '<<conversation>>' }],
  }),
});
