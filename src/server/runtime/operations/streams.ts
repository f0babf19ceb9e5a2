// Operations of a bot on streamed answers, one request per chunk. Only the final message is stored, when the stream ends.
import { streams } from '../../../protocol/operations/runtime/messages.ts';
import type { BotPrincipal } from '../../api/caller.ts';
import { ApiError } from '../../api/errors.ts';
import type { Call } from '../../api/handler.ts';
import { viewerOf } from '../../auth/principal.ts';
import type { Tx } from '../../storage/database.ts';
import { ownBot, ownConversation, visibleConversation } from './find.ts';
import { withCanonicalPayload } from './messages.ts';
import { handle, type RuntimeServices } from './services.ts';

export const streamHandlers = [
  handle(streams.createStream, async ({ tx, caller, input, services: { streams } }) => {
    const conversation = await ownConversation(tx, caller, input.conversationId);
    return { body: { stream: await streams.open(await ownBot(tx, caller), conversation) } };
  }),

  handle(streams.writeStream, async (call) => {
    const { caller, input, services } = call;
    const id = await visibleStream(call);
    if (input.delta === undefined && input.part === undefined)
      throw new ApiError('InvalidPayload', 'delta: Required, unless there is a part.');
    return { body: { ...(await services.streams.write(caller.botId, id, input)) } };
  }),

  handle(
    streams.endStream,
    async (call) => {
      const { caller, input, services } = call;
      const id = await visibleStream(call);
      return { body: { message: await services.streams.end(caller.botId, id, input) } };
    },
    {
      normalizeBody: withCanonicalPayload,
    },
  ),

  handle(streams.abortStream, async (call) => {
    await call.services.streams.abort(call.caller.botId, await visibleStream(call));
    return { body: {} };
  }),
];

/**
 * Returns the id of a stream whose conversation the caller may see. Throws for another one as for one that does not exist. Bots see
 * all conversations, and look nothing up for each piece.
 */
async function visibleStream({
  tx,
  caller,
  params: { id = '' },
  services,
}: Call<unknown, BotPrincipal, Tx, RuntimeServices>): Promise<string> {
  if (viewerOf(caller).seesAllTeams) return id;
  const conversationId = await services.streams.conversationOf(tx, caller.botId, id);
  if (conversationId === undefined || !(await visibleConversation(tx, caller, conversationId)))
    throw new ApiError('ResourceNotFound', 'No stream has this id.');
  return id;
}
