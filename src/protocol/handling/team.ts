// Teams, to whose members conversations are assigned, and who of the members can answer now.

export type { InboxMember, Team } from '../types/inbox.ts';

/**
 * How conversations of a team are assigned: by its members themselves, in turn, or to the member with the fewest (in turn among
 * those).
 */
export const teamModes = ['manual', 'round_robin', 'least_busy'] as const;
export type TeamMode = (typeof teamModes)[number];

/** Whether a member takes conversations that are assigned automatically. */
export const availabilities = ['available', 'away'] as const;
export type Availability = (typeof availabilities)[number];
