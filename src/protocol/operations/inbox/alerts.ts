// Operations of the Inbox API: how members and their chat tool are told that visitors wait while nobody has the inbox open.
import * as v from 'valibot';
import { alertSchemas } from '../../schemas/inbox.ts';
import { maybe } from '../../schemas/values.ts';
import { pushSchemas } from '../../schemas/visitors.ts';
import { mutation, operations, query } from '../operation.ts';

const ownResponse = v.object({ alerts: alertSchemas.ownAlerts });
const teamResponse = v.object({ alerts: alertSchemas.teamAlerts });

export const ownAlerts = operations({
  getAlerts: query({
    route: 'GET /me/alerts',
    summary:
      'Returns how the caller is told that a visitor waits while none of the members who could answer has the inbox open, and ' +
      'what the server offers.',
    auth: 'workspace',
    permission: 'inbox.write',
    errors: ['ResourceNotFound'],
    output: ownResponse,
  }),

  setAlerts: mutation({
    route: 'PUT /me/alerts',
    summary:
      'Switches mails to the caller on or off (`mail`), and stores the push subscription of the browser of this session, or of ' +
      'this token (`push`; null removes it). It ends with the session. Refused if the server sends no pushes, or not to this ' +
      'push service.',
    auth: 'workspace',
    permission: 'inbox.write',
    input: v.object({
      mail: maybe(v.boolean()),
      push: maybe(
        v.nullable(
          v.object({
            endpoint: pushSchemas.address,
            keys: pushSchemas.keys,
            expirationTime: pushSchemas.expirationTime,
          }),
        ),
      ),
    }),
    output: ownResponse,
    examples: [{ mail: false }, { push: null }],
  }),
});

export const teamAlerts = operations({
  getTeamAlerts: query({
    route: 'GET /alerts',
    summary:
      'Returns the address of the chat tool that is told when a visitor waits while none of the members who could answer has ' +
      'the inbox open, and why the last message to it failed.',
    auth: 'workspace',
    permission: 'inbox.settings',
    output: teamResponse,
  }),

  setTeamAlerts: mutation({
    route: 'PUT /alerts',
    summary:
      'Sets the address of the chat tool, such as an incoming webhook of Slack, Mattermost, Discord or Google Chat; null: none. ' +
      'It begins with `https://`; addresses in private networks, and `http://` there, need the setting WEBHOOK_PRIVATE.',
    auth: 'workspace',
    permission: 'inbox.settings',
    hasSecrets: true,
    input: v.object({ url: v.nullable(alertSchemas.url) }),
    output: teamResponse,
    examples: [{ url: null }, { url: 'https://hooks.example.com/services/T0/B0/secret' }],
    sample: { url: 'https://hooks.example.com/services/T0/B0/secret' },
  }),

  testTeamAlert: mutation({
    route: 'POST /alerts/test',
    summary:
      'Sends a test message to the chat tool, and returns whether it was accepted; false without an address of a chat tool.',
    auth: 'workspace',
    permission: 'inbox.settings',
    output: v.object({ isSent: v.boolean(), problem: maybe(alertSchemas.problem) }),
  }),
});
