// Operations of members on canned answers: their own, and those of the workspace.
import { limits } from '../../../protocol/limits.ts';
import { cannedAnswers } from '../../../protocol/operations/inbox/settings.ts';
import { isPermitted } from '../../../protocol/permissions.ts';
import type { Principal } from '../../api/caller.ts';
import { ApiError } from '../../api/errors.ts';
import { cutPage, decodeCursor, isText } from '../../api/pages.ts';
import type { Tx, WriteTx } from '../../storage/database.ts';
import { redactResponses } from '../../storage/idempotency.ts';
import {
  type CannedAnswerRow,
  deleteCannedAnswer,
  findCannedAnswer,
  insertCannedAnswer,
  listCannedAnswers,
  updateCannedAnswer,
} from '../../storage/inbox/canned-answers.ts';
import { serializeCannedAnswer } from '../serializers.ts';
import { handle, type InboxServices } from './services.ts';

export const cannedAnswerHandlers = [
  handle(
    cannedAnswers.listCannedAnswers,
    async ({ tx, caller, input: { nextToken, pageSize = limits.pageSize } }) => {
      const { workspaceId, memberId = '' } = caller;
      const after = decodeCursor('canned answers', nextToken, isText);
      const found = await listCannedAnswers(tx, workspaceId, memberId, after, pageSize + 1);
      const { rows, meta } = cutPage('canned answers', found, pageSize, ({ id }) => id);
      return { body: { cannedAnswers: rows.map(serializeCannedAnswer), meta } };
    },
  ),

  handle(cannedAnswers.createCannedAnswer, async ({ tx, caller, input, services }) => {
    const isOwn = input.scope === 'own';
    if (!isOwn) assertSettings(caller);
    else if (caller.memberId === undefined)
      throw new ApiError('Forbidden', 'Only members can have canned answers of their own.');
    const { inbox } = limits;
    const made = {
      workspaceId: caller.workspaceId,
      memberId: isOwn ? (caller.memberId ?? null) : null,
      name: input.name,
      body: input.text,
    };
    const most = isOwn ? inbox.ownAnswers : inbox.sharedAnswers;
    const row = await insertCannedAnswer(tx, made, services.now(), most);
    if (!row) throw new ApiError('QuotaExceeded', `There can be ${most} canned answers at most.`);
    publishAnswers(tx, services, row);
    return { body: { cannedAnswer: serializeCannedAnswer(row) }, resource: row.id };
  }),

  handle(cannedAnswers.updateCannedAnswer, async ({ tx, caller, params: { id }, input, services }) => {
    const { name, body, ...row } = await changeableAnswer(tx, caller, id);
    const changed = { ...row, name: input.name ?? name, body: input.text ?? body, updatedAt: services.now() };
    await updateCannedAnswer(tx, changed);
    publishAnswers(tx, services, changed);
    return { body: { cannedAnswer: serializeCannedAnswer(changed) } };
  }),

  handle(cannedAnswers.deleteCannedAnswer, async ({ tx, caller, params: { id }, services }) => {
    const row = await changeableAnswer(tx, caller, id);
    await deleteCannedAnswer(tx, id);
    publishAnswers(tx, services, row);
    await redactResponses(tx, id);
    return { body: {} };
  }),
];

/** Publishes a change of canned answers to the pages of the members who have the answer. */
function publishAnswers(
  tx: WriteTx,
  { team }: Pick<InboxServices, 'team'>,
  { workspaceId, memberId }: Pick<CannedAnswerRow, 'workspaceId' | 'memberId'>,
): void {
  const change = { kind: 'settings', changed: 'answers', ...(memberId !== null && { memberId }) } as const;
  tx.afterCommit(() => team.publish(workspaceId, change));
}

/** An answer that the caller may change. Answers of other members do not exist for them. */
async function changeableAnswer(tx: Tx, caller: Principal, id: string): Promise<CannedAnswerRow> {
  const row = await findCannedAnswer(tx, caller.workspaceId, caller.memberId ?? '', id);
  if (!row) throw new ApiError('ResourceNotFound', 'The caller has no such canned answer.');
  if (row.memberId === null) assertSettings(caller);
  return row;
}

function assertSettings({ kind }: Principal): void {
  if (!isPermitted(kind, 'inbox.settings'))
    throw new ApiError('Forbidden', 'Canned answers of the workspace need inbox.settings.');
}
