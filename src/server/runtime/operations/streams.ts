// Operations of a bot on streamed answers, one request per chunk. Only the final message is stored, when the stream ends.
import { streams } from '../../../protocol/operations/runtime/streams.ts';
import { ApiError } from '../../api/errors.ts';
import { ownBot, ownConversation } from './find.ts';
import { withCanonicalPayload } from './messages.ts';
import { handle } from './services.ts';

export const streamHandlers = [
  handle(streams.createStream, async ({ tx, caller, input, services: { streams } }) => {
    const conversation = await ownConversation(tx, caller, input.conversationId);
    return { body: { stream: await streams.open(await ownBot(tx, caller), conversation) } };
  }),

  handle(streams.writeStream, async ({ caller, params: { id }, input, services: { streams } }) => {
    if (input.delta === undefined && input.part === undefined)
      throw new ApiError('InvalidPayload', 'delta: Required, unless there is a part.');
    return { body: { ...(await streams.write(caller.botId, id, input)) } };
  }),

  handle(
    streams.endStream,
    async ({ caller, params: { id }, input, services: { streams } }) => {
      return { body: { message: await streams.end(caller.botId, id, input) } };
    },
    {
      normalizeBody: withCanonicalPayload,
    },
  ),

  handle(streams.abortStream, async ({ caller, params: { id }, services: { streams } }) => {
    await streams.abort(caller.botId, id);
    return { body: {} };
  }),
];
