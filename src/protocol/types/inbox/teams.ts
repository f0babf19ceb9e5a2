// Generated from src/protocol/schemas/inbox/teams.ts by type-modules.test.ts (`npm run generate`). Do not edit.
// biome-ignore-all format: generated
// biome-ignore-all assist/source/organizeImports: generated

export interface Team {
  id: string;
  name: string;
  mode: 'manual' | 'round_robin' | 'least_busy';
  /** The conversations that a member is assigned at most, unless the member has a number of their own. */
  capacity: number;
  /** Only its members, and members with `inbox.assign`, see its conversations. */
  isRestricted: boolean;
  /** Requests that name no team are for this one. */
  isDefault: boolean;
  memberIds: string[];
}

export interface InboxMember {
  memberId: string;
  name: string;
  availability: 'available' | 'away';
  /** Why the server has made them away: they have not answered a conversation that they were assigned. */
  awayCause?: 'no_answer';
  /** Their inbox is open somewhere. Only who is available and reachable is assigned conversations. */
  isReachable: boolean;
  /** The conversations that they are assigned at most; left out: as their teams say. */
  capacity?: number;
  /** The conversations that they answer now, without snoozed ones. */
  load: number;
}
