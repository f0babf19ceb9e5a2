// Operations of the Inbox API: when the team answers.
import * as v from 'valibot';
import { hoursStatus, openingHours } from '../../schemas/inbox/opening-hours.ts';
import { mutation, operations, query } from '../operation.ts';

const output = v.object({ openingHours, status: hoursStatus });

export const hours = operations({
  getOpeningHours: query({
    route: 'GET /opening-hours',
    summary:
      'Returns when the members of the workspace answer, and whether they do now. Without hours of its own, a workspace ' +
      'answers always.',
    auth: 'workspace',
    permission: 'inbox.read',
    output,
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
    output,
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
