// Reading the audit trail. There is no operation that changes or deletes entries.
import * as v from 'valibot';
import type { AuditEntry } from '../../../protocol/audit.ts';
import { limits } from '../../../protocol/limits.ts';
import { isPermitted } from '../../../protocol/permissions.ts';
import { cutPage, decodeCursor, isText } from '../../api/cursor.ts';
import { ApiError } from '../../api/errors.ts';
import { schemas } from '../../api/schemas.ts';
import { timestamp } from '../../api/serializers.ts';
import { reading } from '../../operations/operation.ts';
import { type AuditRow, listAuditEntries } from '../../storage/admin/audit.ts';
import { admin } from '../schemas.ts';

const query = v.object({
  ...schemas.sizedPage,
  actor: v.exactOptional(v.pipe(schemas.id, v.maxLength(limits.email))),
  operation: v.exactOptional(v.pipe(schemas.id, v.maxLength(limits.adminName))),
  after: v.exactOptional(admin.timestamp),
  before: v.exactOptional(admin.timestamp),
  workspaceId: v.exactOptional(v.pipe(schemas.id, v.maxLength(limits.adminName))),
});

export const audit = [
  reading({
    id: 'listAuditLog',
    method: 'GET',
    path: '/audit',
    summary:
      'Lists who did what in the workspace, newest first. `workspaceId` is for operators: another workspace, also one ' +
      'that was deleted.',
    auth: 'workspace',
    permission: 'audit.read',
    auditWorkspace: ({ query: asked }) => (asked as v.InferOutput<typeof query> | undefined)?.workspaceId,
    errors: ['InvalidQuery'],
    status: 200,
    query,
    response: v.object({ entries: v.array(admin.auditEntry), meta: schemas.meta }),
    async run({ tx, caller, query }) {
      const { actor, operation, after, before, pageSize = limits.pageSize } = query;
      const { workspaceId = caller.workspaceId } = query;
      if (workspaceId !== caller.workspaceId && !isPermitted(caller.kind, 'workspaces.list')) {
        throw new ApiError('Forbidden', 'Only an operator may read the audit trail of another workspace.');
      }
      const filter = { actor, operation, from: timeOf(after), to: timeOf(before) };
      const place = decodeCursor('audit', query.nextToken, isText);
      const found = await listAuditEntries(tx, workspaceId, filter, place, pageSize + 1);
      const { rows, meta } = cutPage('audit', found, pageSize, (row) => row.id);
      return { body: { entries: rows.map(toEntry), meta } };
    },
  }),
];

const timeOf = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : Date.parse(text);

function toEntry(row: AuditRow): AuditEntry {
  const { id, at, actorKind, tokenId, memberId, actorEmail, homeId, operation, target, network, status } =
    row;
  return {
    id,
    createdAt: timestamp(at),
    actor: {
      kind: actorKind as AuditEntry['actor']['kind'],
      ...(tokenId === null ? {} : { tokenId }),
      ...(memberId === null ? {} : { memberId }),
      ...(actorEmail === null ? {} : { email: actorEmail }),
      ...(homeId === null ? {} : { workspaceId: homeId }),
    },
    operation,
    target: JSON.parse(target) as Record<string, string>,
    ...(network === '' ? {} : { network }),
    status,
  };
}
