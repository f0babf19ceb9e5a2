// The functions of the bot object about handoffs.
import * as v from 'valibot';
import type { Bot } from '../../../protocol/bot.ts';
import { handlingSchemas } from '../../../protocol/schemas/handling.ts';
import { ApiError } from '../../api/errors.ts';
import { readHandlingById, type Transcript } from '../../chat/index.ts';
import type { ConversationRow } from '../../storage/chat/conversations.ts';
import type { Database } from '../../storage/database.ts';
import type { Writes } from '../attempts/writes.ts';
import { callError, parse } from '../call-checks.ts';
import type { Fence } from '../claims/fence.ts';

const request = v.strictObject({
  reason: v.exactOptional(handlingSchemas.reason),
  note: v.exactOptional(handlingSchemas.note),
  team: v.exactOptional(handlingSchemas.reason),
});

/** A team that does not exist is a mistake of the code, as a field that is not valid. */
function unknownTeam(error: unknown): never {
  throw error instanceof ApiError && error.type === 'ReferenceConstraint' ? callError(error.message) : error;
}

interface HandoffApiOptions extends Pick<Writes, 'writeOnce'> {
  db: Database;
  transcript: Pick<Transcript, 'handlings'>;
  context: { conversation: ConversationRow };
  fence: Fence;
  /** Called after the commit in which the handler has asked for a person. */
  onHandoff(): void;
}

export function createHandoffApi({
  db,
  transcript,
  context: { conversation },
  fence,
  onHandoff,
  writeOnce,
}: HandoffApiOptions): Pick<Bot, 'handoff' | 'handling'> {
  return {
    handoff: (given = {}) =>
      writeOnce(
        () => parse(request, given),
        async (tx, checked) => {
          let isAccepted = false;
          // Before the effects of the handoff, which cancel the handlers that did not ask for it.
          tx.afterCommit(() => {
            if (isAccepted) onHandoff();
          });
          const request = await transcript.handlings
            .request(tx, conversation, 'bot', checked)
            .catch(unknownTeam);
          isAccepted = request.accepted;
          const { handling: _, ...answer } = await transcript.handlings.answer(tx, conversation, request);
          await fence.check(tx);
          return answer;
        },
        { origin: 'handoff' },
      ),
    async handling() {
      const handling = await db.read((tx) => readHandlingById(tx, conversation.id));
      if (!handling) throw callError('The conversation no longer exists.');
      return handling;
    },
  };
}
