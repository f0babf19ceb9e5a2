// Operations of the Chat API: presence.
import * as v from 'valibot';
import { schemas } from '../../schemas/chat.ts';
import { operations, query } from '../operation.ts';

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
