// Reading the audit trail. There is no operation that changes or deletes entries.
import { limits } from '../../../protocol/limits.ts';
import { audit } from '../../../protocol/operations/admin/workspaces.ts';
import { isPermitted } from '../../../protocol/permissions.ts';
import type { AuditEntry } from '../../../protocol/types/admin.ts';
import { ApiError } from '../../api/errors.ts';
import { cutPage, decodeCursor, isText } from '../../api/pages.ts';
import { timestamp } from '../../api/serializers.ts';
import { type AuditRow, listAuditEntries } from '../../storage/admin/audit.ts';
import { handle } from './services.ts';

export const auditHandlers = [
  handle(
    audit.listAuditLog,
    async ({ tx, caller, input }) => {
      const { actor, operation, after, before, pageSize = limits.pageSize } = input;
      const { workspaceId = caller.workspaceId } = input;
      if (workspaceId !== caller.workspaceId && !isPermitted(caller.kind, 'workspaces.list')) {
        throw new ApiError('Forbidden', 'Only an operator can read the audit trail of another workspace.');
      }
      const filter = { actor, operation, from: timeOf(after), to: timeOf(before) };
      const position = decodeCursor('audit', input.nextToken, isText);
      const found = await listAuditEntries(tx, workspaceId, filter, position, pageSize + 1);
      const { rows, meta } = cutPage('audit', found, pageSize, (row) => row.id);
      return { body: { entries: rows.map(serializeEntry), meta } };
    },
    {
      auditWorkspace: ({ input }) => input?.workspaceId,
    },
  ),
];

const timeOf = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : Date.parse(text);

function serializeEntry(row: AuditRow): AuditEntry {
  const { id, at, actorKind, tokenId, sessionId, memberId, actorEmail, homeId } = row;
  const { operation, target, network, status } = row;
  return {
    id,
    createdAt: timestamp(at),
    actor: {
      kind: actorKind as AuditEntry['actor']['kind'],
      ...(tokenId === null ? {} : { tokenId }),
      ...(sessionId === null ? {} : { sessionId }),
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
