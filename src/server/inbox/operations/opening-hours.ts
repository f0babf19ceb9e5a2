// Operations of members on when the team answers.
import { hoursStatus, type OpeningHours } from '../../../protocol/opening-hours.ts';
import { hours } from '../../../protocol/operations/inbox/settings.ts';
import { timestamp } from '../../api/serializers.ts';
import { openingHoursOf, setOpeningHours } from '../../storage/inbox/teams.ts';
import { handle } from './services.ts';

/** A workspace that has set none. */
const always: OpeningHours = { timeZone: 'UTC', always: true, week: {}, exceptions: [] };

export const hoursHandlers = [
  handle(hours.getOpeningHours, async ({ tx, caller: { workspaceId }, services }) => ({
    body: bodyOf((await openingHoursOf(tx, workspaceId)) ?? always, services.now()),
  })),

  handle(hours.setOpeningHours, async ({ tx, caller: { workspaceId }, input, services }) => {
    await setOpeningHours(tx, workspaceId, input);
    return { body: bodyOf(input, services.now()) };
  }),
];

function bodyOf(openingHours: OpeningHours, now: number) {
  const { isOpen, closesAt, opensAt } = hoursStatus(openingHours, now);
  const status = {
    isOpen,
    ...(closesAt === undefined ? {} : { closesAt: timestamp(closesAt) }),
    ...(opensAt === undefined ? {} : { opensAt: timestamp(opensAt) }),
  };
  return { openingHours, status };
}
