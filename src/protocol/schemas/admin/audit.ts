// Schema of the audit log: one entry for each action of an administrator.
import * as v from 'valibot';
import { principalKinds } from '../../admin/permissions.ts';
import { described, describedObject, maybe } from '../base/described.ts';
import { timestamp } from '../base/values.ts';

const actor = describedObject(
  'The author of the action. `server`: the server at its start, with the setting ADMIN_TOKEN or before any token exists, and when ' +
    'it removes data because of its age. `public`: somebody who tried to sign in as the member in `target`.',
  {
    kind: v.picklist([...principalKinds, 'server']),
    tokenId: maybe(v.string(), 'Absent for `server` and `public`.'),
    sessionId: maybe(
      v.string(),
      'Instead of a token: the session of a member who has signed in to a page of the server.',
    ),
    memberId: maybe(v.string(), 'Only for members.'),
    email: maybe(v.string(), 'The e-mail address of the member at that time.'),
    workspaceId: maybe(
      v.string(),
      "The actor's own workspace, if it is another one: the actor is an operator of the server.",
    ),
  },
);

export const auditEntry = describedObject(
  'One action, or one refused attempt. Entries are never changed, and deleted only by age.',
  {
    id: v.string(),
    createdAt: timestamp,
    actor,
    operation: described(
      v.string(),
      'The id of the operation, such as `deleteBot`; the server itself logs `setAdminToken` and `applyRetention`.',
    ),
    target: described(
      v.record(v.string(), v.string()),
      'The ids of the affected resources, by name. `resource` is the created resource. For ' +
        '`applyRetention` also how many `conversations`, `files`, `contacts` or `users` were removed.',
    ),
    network: maybe(
      v.string(),
      'The IP address of the request; of IPv6 its /64 network. Absent if it is unknown.',
    ),
    status: described(v.number(), 'The HTTP status of the response.'),
  },
);

export const types = { AuditActor: actor, AuditEntry: auditEntry };
