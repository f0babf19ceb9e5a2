// Teams, to whose members conversations are assigned, and who of the members can answer now.

/**
 * How conversations of a team are assigned: by its members themselves, in turn, or to the member with the fewest (in turn among
 * those).
 */
export const teamModes = ['manual', 'round_robin', 'least_busy'] as const;
export type TeamMode = (typeof teamModes)[number];

export interface Team {
  id: string;
  name: string;
  mode: TeamMode;
  /** The conversations that a member is assigned at most, unless the member has a number of their own. */
  capacity: number;
  /** Only its members, and members with `inbox.assign`, see its conversations. */
  isRestricted: boolean;
  /** Requests that name no team are for this one. */
  isDefault: boolean;
  memberIds: string[];
}

/** Whether a member takes conversations that are assigned automatically. */
export const availabilities = ['available', 'away'] as const;
export type Availability = (typeof availabilities)[number];

export interface InboxMember {
  memberId: string;
  name: string;
  availability: Availability;
  /** Why the server has made them away: they have not answered a conversation that they were assigned. */
  awayCause?: 'no_answer';
  /** Their inbox is open somewhere. Only who is available and reachable is assigned conversations. */
  isReachable: boolean;
  /** The conversations that they are assigned at most; left out: as their teams say. */
  capacity?: number;
  /** The conversations that they answer now, without snoozed ones. */
  load: number;
}
