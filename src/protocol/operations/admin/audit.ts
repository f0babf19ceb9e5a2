// Operations of the Admin API: audit.
import * as v from 'valibot';
import { limits } from '../../limits.ts';
import { admin } from '../../schemas/admin.ts';
import { schemas } from '../../schemas/chat.ts';
import { operations, query } from '../operation.ts';

const filter = v.object({
  ...schemas.sizedPage,
  actor: v.exactOptional(v.pipe(schemas.id, v.maxLength(limits.email))),
  operation: v.exactOptional(v.pipe(schemas.id, v.maxLength(limits.adminName))),
  after: v.exactOptional(admin.timestamp),
  before: v.exactOptional(admin.timestamp),
  workspaceId: v.exactOptional(v.pipe(schemas.id, v.maxLength(limits.adminName))),
});

export const audit = operations({
  listAuditLog: query({
    route: 'GET /audit',
    summary:
      'Lists who did what in the workspace, newest first. `workspaceId` is for operators: another workspace, also one ' +
      'that was deleted.',
    auth: 'workspace',
    permission: 'audit.read',
    errors: ['InvalidQuery'],
    input: filter,
    output: v.object({ entries: v.array(admin.auditEntry), meta: schemas.meta }),
  }),
});
