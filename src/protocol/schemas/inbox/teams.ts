// Schemas of teams and of the availability of members.
import * as v from 'valibot';
import { availabilities, type InboxMember, type Team, teamModes } from '../../handling/team.ts';
import { limits } from '../../limits.ts';
import { schemaOf } from '../base/schema-of.ts';
import { count, maybe } from '../base/values.ts';
import { schemas } from '../chat.ts';
import { handlingSchemas } from '../handling.ts';
import { boundedArray } from '../pre-validation.ts';

const team = schemaOf<Team>()(
  v.object({
    id: v.string(),
    name: v.string(),
    mode: v.picklist(teamModes),
    capacity: count,
    isRestricted: v.boolean(),
    isDefault: v.boolean(),
    memberIds: v.array(v.string()),
  }),
);

const member = schemaOf<InboxMember>()(
  v.object({
    memberId: v.string(),
    name: v.string(),
    availability: v.picklist(availabilities),
    awayCause: maybe(v.literal('no_answer')),
    isReachable: v.boolean(),
    capacity: maybe(count),
    load: count,
  }),
);

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

/** The schemas that have a name in the OpenAPI document. */
export const teamComponents = { Team: team, InboxMember: member };
