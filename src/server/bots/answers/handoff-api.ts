// The functions of the bot object about handoffs.
import * as v from 'valibot';
import type { Bot } from '../../../protocol/bot.ts';
import { handlingSchemas } from '../../../protocol/schemas/handling.ts';
import { readHandlingById } from '../../chat/index.ts';
import type { Writes } from '../attempts/writes.ts';
import type { BotApiOptions } from '../bot-api.ts';
import { callError, parse } from '../call-checks.ts';

const request = v.strictObject({
  reason: v.exactOptional(handlingSchemas.reason),
  note: v.exactOptional(handlingSchemas.note),
});

export function createHandoffApi({
  db,
  transcript,
  context: { conversation },
  fence,
  onHandoff,
  writeOnce,
}: Pick<BotApiOptions, 'db' | 'transcript' | 'context' | 'fence' | 'onHandoff'> &
  Pick<Writes, 'writeOnce'>): Pick<Bot, 'handoff' | 'handling'> {
  return {
    handoff: (given = {}) =>
      writeOnce(
        () => parse(request, given),
        async (tx, checked) => {
          // Before the effects of the handoff, which cancel the handlers that did not ask for it.
          tx.afterCommit(onHandoff);
          const row = await transcript.handlings.request(tx, conversation, 'bot', checked);
          const { queue } = await transcript.handlings.visible(tx, conversation, row);
          await fence.check(tx);
          return { accepted: true, ...(queue ? { position: queue.position } : {}) };
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
