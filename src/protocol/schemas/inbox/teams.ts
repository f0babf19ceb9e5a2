// Schemas of teams and of the availability of members.
import * as v from 'valibot';
import { availabilities, teamModes } from '../../handling/team.ts';
import { limits } from '../../limits.ts';
import { described, maybe } from '../base/described.ts';
import { count } from '../base/values.ts';
import { schemas } from '../chat.ts';
import { handlingSchemas } from '../handling.ts';
import { boundedArray } from '../pre-validation.ts';

const team = v.object({
  id: v.string(),
  name: v.string(),
  mode: v.picklist(teamModes),
  capacity: described(
    count,
    'The conversations that a member is assigned at most, unless the member has a number of their own.',
  ),
  isRestricted: described(
    v.boolean(),
    'Only its members, and members with `inbox.assign`, see its conversations.',
  ),
  isDefault: described(v.boolean(), 'Requests that name no team are for this one.'),
  memberIds: v.array(v.string()),
});

const member = v.object({
  memberId: v.string(),
  name: v.string(),
  availability: v.picklist(availabilities),
  awayCause: maybe(
    v.literal('no_answer'),
    'Why the server has made them away: they have not answered a conversation that they were assigned.',
  ),
  isReachable: described(
    v.boolean(),
    'Their inbox is open somewhere. Only who is available and reachable is assigned conversations.',
  ),
  capacity: maybe(count, 'The conversations that they are assigned at most; left out: as their teams say.'),
  load: described(count, 'The conversations that they answer now, without snoozed ones.'),
});

const capacity = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(limits.inbox.capacity));

export const teamSchemas = {
  team,
  member,
  capacity,
  availability: v.picklist(availabilities),
  /** The fields of a team in a request. */
  fields: {
    name: handlingSchemas.text(limits.inbox.teamName),
    mode: v.picklist(teamModes),
    capacity,
    isRestricted: v.boolean(),
    isDefault: v.boolean(),
    memberIds: boundedArray(schemas.id, limits.inbox.teamMembers),
  },
};

export const types = { Team: team, InboxMember: member };
