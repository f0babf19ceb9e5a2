// Admin operations on how long the data of a bot is kept.
import { retention } from '../../../protocol/operations/admin/bots.ts';
import type { RetentionDays } from '../../../protocol/types/visitors.ts';
import { type OwnPeriods, ownPeriods, setOwnPeriods } from '../../storage/retention.ts';
import { existingBot } from '../find.ts';
import { handle } from './services.ts';

export const retentionHandlers = [
  handle(retention.getBotRetention, async ({ tx, caller, params, services }) => {
    const bot = await existingBot(tx, caller, params.id);
    return { body: bodyOf(await ownPeriods(tx, bot.id), services.retentionDefaults) };
  }),

  handle(retention.setBotRetention, async ({ tx, caller, params, input, services }) => {
    const bot = await existingBot(tx, caller, params.id);
    // Of two requests that set different periods, none loses its own.
    await tx.lock(`bot:${bot.id}`);
    const periods = { ...(await ownPeriods(tx, bot.id)), ...input };
    await setOwnPeriods(tx, bot.id, periods);
    return { body: bodyOf(periods, services.retentionDefaults) };
  }),
];

function bodyOf(periods: OwnPeriods, defaults: RetentionDays) {
  const own: Partial<RetentionDays> = {};
  for (const name of Object.keys(periods) as (keyof RetentionDays)[]) {
    const days = periods[name];
    if (days !== null) own[name] = days;
  }
  return { retention: own, defaults };
}
