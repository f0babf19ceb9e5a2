// Operations of the Runtime API: handoffs, for bots and for programs that connect another desk.
import * as v from 'valibot';
import { maybe } from '../../schemas/base/described.ts';
import { handlingSchemas } from '../../schemas/handling.ts';
import { mutation, operations, query } from '../operation.ts';

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
