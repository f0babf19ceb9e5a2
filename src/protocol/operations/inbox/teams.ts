// Operations of the Inbox API: teams, and which members are assigned conversations.
import * as v from 'valibot';
import { maybe } from '../../schemas/base/described.ts';
import { schemas } from '../../schemas/chat.ts';
import { teamSchemas } from '../../schemas/inbox/teams.ts';
import { mutation, operations, query } from '../operation.ts';

const { fields } = teamSchemas;
const response = v.object({ team: teamSchemas.team });
const member = v.object({ member: teamSchemas.member });

export const teams = operations({
  listTeams: query({
    route: 'GET /teams',
    summary: 'Lists all teams of the workspace, oldest first.',
    auth: 'workspace',
    permission: 'inbox.read',
    output: v.object({ teams: v.array(teamSchemas.team) }),
  }),

  createTeam: mutation({
    route: 'POST /teams',
    summary:
      'Adds a team. `mode`: its members take conversations (`manual`), or they are assigned in turn (`round_robin`) or to ' +
      'who has the fewest (`least_busy`), to members who are available and reachable, each up to `capacity`.',
    auth: 'workspace',
    permission: 'inbox.settings',
    status: 201,
    errors: ['AlreadyExists', 'QuotaExceeded', 'ReferenceConstraint'],
    input: v.object({
      name: fields.name,
      mode: fields.mode,
      capacity: maybe(fields.capacity),
      isRestricted: maybe(fields.isRestricted),
      isDefault: maybe(fields.isDefault),
      memberIds: maybe(fields.memberIds),
    }),
    output: response,
    examples: [{ name: 'Billing', mode: 'least_busy', capacity: 3, memberIds: ['<<member>>'] }],
  }),

  updateTeam: mutation({
    route: 'PUT /teams/{id}',
    summary: 'Changes a team. `memberIds` replaces its members.',
    auth: 'workspace',
    permission: 'inbox.settings',
    errors: ['ResourceNotFound', 'AlreadyExists', 'ReferenceConstraint'],
    input: v.object({
      name: maybe(fields.name),
      mode: maybe(fields.mode),
      capacity: maybe(fields.capacity),
      isRestricted: maybe(fields.isRestricted),
      isDefault: maybe(fields.isDefault),
      memberIds: maybe(fields.memberIds),
    }),
    output: response,
    examples: [
      { id: '<<team>>', mode: 'round_robin', memberIds: [] },
      { id: '<<team>>', name: 'Returns of <<user>>' },
    ],
  }),

  deleteTeam: mutation({
    route: 'DELETE /teams/{id}',
    summary: 'Deletes a team. Its conversations belong to no team afterwards.',
    auth: 'workspace',
    permission: 'inbox.settings',
    errors: ['ResourceNotFound'],
    output: schemas.nothing,
    examples: [{ id: '<<otherTeam>>' }],
  }),

  listInboxMembers: query({
    route: 'GET /members',
    summary:
      'Lists the members who can answer visitors: whether they are available, and how many conversations they have.',
    auth: 'workspace',
    permission: 'inbox.read',
    errors: ['InvalidQuery'],
    input: v.object(schemas.sizedPage),
    output: v.object({ members: v.array(teamSchemas.member), meta: schemas.meta }),
    examples: [{ pageSize: 20 }],
  }),

  getAvailability: query({
    route: 'GET /me',
    summary: 'Returns whether the caller is assigned conversations, and how many they have.',
    auth: 'workspace',
    permission: 'inbox.read',
    errors: ['ResourceNotFound'],
    output: member,
  }),

  setAvailability: mutation({
    route: 'PUT /me',
    summary:
      'Says whether the caller is assigned conversations. If the caller goes away, their conversations in teams that assign ' +
      'automatically go to the front of the queue again, if their visitors wait for an answer.',
    auth: 'workspace',
    permission: 'inbox.write',
    input: v.object({ availability: teamSchemas.availability }),
    output: member,
    examples: [{ availability: 'away' }],
  }),

  setMemberCapacity: mutation({
    route: 'PUT /members/{id}',
    summary: 'Sets how many conversations a member is assigned at most; null: as their teams say.',
    auth: 'workspace',
    permission: 'inbox.settings',
    errors: ['ResourceNotFound'],
    input: v.object({ capacity: v.nullable(teamSchemas.capacity) }),
    output: member,
    examples: [{ id: '<<member>>', capacity: 3 }],
  }),
});
