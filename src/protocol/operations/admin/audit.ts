// Operations of the Admin API: audit.
import * as v from 'valibot';
import { limits } from '../../limits.ts';
import { auditEntry } from '../../schemas/admin/audit.ts';
import { admin } from '../../schemas/admin.ts';
import { maybe } from '../../schemas/base/described.ts';
import { schemas } from '../../schemas/chat.ts';
import { operations, query } from '../operation.ts';

const filter = v.object({
  ...schemas.sizedPage,
  actor: maybe(v.pipe(schemas.id, v.maxLength(limits.email))),
  operation: maybe(v.pipe(schemas.id, v.maxLength(limits.adminName))),
  after: maybe(admin.timestamp),
  before: maybe(admin.timestamp),
  workspaceId: maybe(v.pipe(schemas.id, v.maxLength(limits.adminName))),
});

export const audit = operations({
  listAuditLog: query({
    route: 'GET /audit',
    summary:
      'Lists the audit trail of the workspace, newest first. An operator can name another workspace with ' +
      '`workspaceId`, also a deleted one.',
    auth: 'workspace',
    permission: 'audit.read',
    errors: ['InvalidQuery'],
    input: filter,
    output: v.object({ entries: v.array(auditEntry), meta: schemas.meta }),
  }),
});
