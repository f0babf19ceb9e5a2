// Operations of the Inbox API: canned answers, teams and opening hours.
import * as v from 'valibot';
import { cannedAnswerScopes } from '../../inbox.ts';
import { limits } from '../../limits.ts';
import { schemas } from '../../schemas/chat.ts';
import { handlingSchemas } from '../../schemas/handling.ts';
import { hoursStatus, inboxSchemas, openingHours, teamSchemas } from '../../schemas/inbox.ts';
import { maybe } from '../../schemas/values.ts';
import { mutation, operations, query } from '../operation.ts';

const cannedAnswerResponse = v.object({ cannedAnswer: inboxSchemas.cannedAnswer });
const answerName = handlingSchemas.text(limits.inbox.answerName);
const answerText = handlingSchemas.text(limits.inbox.answerText);
const ofWorkspace = 'Those of the workspace need `inbox.settings`.';

export const cannedAnswers = operations({
  listCannedAnswers: query({
    route: 'GET /canned-answers',
    summary: 'Lists the canned answers of the workspace and those of the caller, oldest first.',
    auth: 'workspace',
    permission: 'inbox.read',
    errors: ['InvalidQuery'],
    input: v.object(schemas.sizedPage),
    output: v.object({ cannedAnswers: v.array(inboxSchemas.cannedAnswer), meta: schemas.meta }),
    examples: [{ pageSize: 20 }],
  }),

  createCannedAnswer: mutation({
    route: 'POST /canned-answers',
    summary:
      'Adds a canned answer, of the caller or of the workspace. Its text can have the variables `{{visitor.name}}`, ' +
      '`{{member.name}}`, `{{conversation.page}}` and `{{field|fallback}}`, a field of the profile of the visitor, which the ' +
      `page fills in before a member sends it. ${ofWorkspace}`,
    auth: 'workspace',
    permission: 'inbox.write',
    status: 201,
    errors: ['QuotaExceeded'],
    input: v.object({ scope: v.picklist(cannedAnswerScopes), name: answerName, text: answerText }),
    output: cannedAnswerResponse,
    examples: [{ scope: 'own', name: 'hello', text: 'Hello {{visitor.name|there}}' }],
  }),

  updateCannedAnswer: mutation({
    route: 'PUT /canned-answers/{id}',
    summary: `Changes the name or the text of a canned answer. ${ofWorkspace}`,
    auth: 'workspace',
    permission: 'inbox.write',
    errors: ['ResourceNotFound'],
    input: v.object({ name: maybe(answerName), text: maybe(answerText) }),
    output: cannedAnswerResponse,
    examples: [{ id: '<<cannedAnswer>>', text: 'Good morning' }],
  }),

  deleteCannedAnswer: mutation({
    route: 'DELETE /canned-answers/{id}',
    summary: `Deletes a canned answer. ${ofWorkspace}`,
    auth: 'workspace',
    permission: 'inbox.write',
    errors: ['ResourceNotFound'],
    output: schemas.nothing,
    examples: [{ id: '<<otherCannedAnswer>>' }],
  }),
});

const { fields: teamFields } = teamSchemas;
const teamResponse = v.object({ team: teamSchemas.team });
const memberResponse = v.object({ member: teamSchemas.member });

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
      name: teamFields.name,
      mode: teamFields.mode,
      capacity: maybe(teamFields.capacity),
      isRestricted: maybe(teamFields.isRestricted),
      isDefault: maybe(teamFields.isDefault),
      memberIds: maybe(teamFields.memberIds),
    }),
    output: teamResponse,
    examples: [{ name: 'Billing', mode: 'least_busy', capacity: 3, memberIds: ['<<member>>'] }],
  }),

  updateTeam: mutation({
    route: 'PUT /teams/{id}',
    summary: 'Changes a team. `memberIds` replaces its members.',
    auth: 'workspace',
    permission: 'inbox.settings',
    errors: ['ResourceNotFound', 'AlreadyExists', 'ReferenceConstraint'],
    input: v.object({
      name: maybe(teamFields.name),
      mode: maybe(teamFields.mode),
      capacity: maybe(teamFields.capacity),
      isRestricted: maybe(teamFields.isRestricted),
      isDefault: maybe(teamFields.isDefault),
      memberIds: maybe(teamFields.memberIds),
    }),
    output: teamResponse,
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
    output: memberResponse,
  }),

  setAvailability: mutation({
    route: 'PUT /me',
    summary:
      'Says whether the caller is assigned conversations. If the caller goes away, their conversations in teams that assign ' +
      'automatically go to the front of the queue again, if their visitors wait for an answer.',
    auth: 'workspace',
    permission: 'inbox.write',
    input: v.object({ availability: teamSchemas.availability }),
    output: memberResponse,
    examples: [{ availability: 'away' }],
  }),

  setMemberCapacity: mutation({
    route: 'PUT /members/{id}',
    summary: 'Sets how many conversations a member is assigned at most; null: as their teams say.',
    auth: 'workspace',
    permission: 'inbox.settings',
    errors: ['ResourceNotFound'],
    input: v.object({ capacity: v.nullable(teamSchemas.capacity) }),
    output: memberResponse,
    examples: [{ id: '<<member>>', capacity: 3 }],
  }),
});

const hoursResponse = v.object({ openingHours, status: hoursStatus });

export const hours = operations({
  getOpeningHours: query({
    route: 'GET /opening-hours',
    summary:
      'Returns when the members of the workspace answer, and whether they do now. Without hours of its own, a workspace ' +
      'answers always.',
    auth: 'workspace',
    permission: 'inbox.read',
    output: hoursResponse,
  }),

  setOpeningHours: mutation({
    route: 'PUT /opening-hours',
    summary:
      'Sets when the members of the workspace answer, by the clock of a time zone: an end at or before its start is on the ' +
      'next day, and the first exception that contains a day replaces the hours of that day. Outside of the hours, requests ' +
      'for a person are not accepted, and the answer says when somebody is back (`opensAt`).',
    auth: 'workspace',
    permission: 'inbox.settings',
    input: openingHours,
    output: hoursResponse,
    examples: [
      {
        timeZone: 'Europe/Berlin',
        week: {
          mon: [['09:00', '17:00']],
          fri: [
            ['09:00', '12:00'],
            ['22:00', '02:00'],
          ],
        },
        exceptions: [{ from: '2026-12-24', to: '2026-12-26', name: 'Holidays', intervals: [] }],
      },
      { timeZone: 'UTC', always: true, week: {}, exceptions: [] },
    ],
  }),
});
