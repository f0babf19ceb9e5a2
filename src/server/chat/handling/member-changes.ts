// Tells visitors and the team that a member has another name or picture, or another role, or is a new one or none any more.
import type { Person } from '../../../protocol/handling.ts';
import { conversationById } from '../../storage/chat/conversations.ts';
import type { WriteTx } from '../../storage/database.ts';
import { conversationsOfMember, findHandling } from '../../storage/inbox/handlings.ts';
import { personOf } from '../../storage/inbox/members.ts';
import type { ApplyChange, ChangesOptions } from './changes.ts';
import type { Handlings } from './handlings-interface.ts';
import { personOfMember } from './persons.ts';

const isSame = (a: Person, b: Person): boolean => a.name === b.name && a.pictureUrl === b.pictureUrl;

export function createMemberChanges(
  { now, onTeamChange }: Pick<ChangesOptions, 'now' | 'onTeamChange'>,
  change: ApplyChange,
): Pick<Handlings, 'changeMember' | 'tellMembers'> {
  const tellMembers = (tx: WriteTx, workspaceId: string, memberId?: string): void => {
    const told = { kind: 'settings', changed: 'team', ...(memberId !== undefined && { memberId }) } as const;
    tx.afterCommit(() => onTeamChange(workspaceId, told));
  };
  return {
    tellMembers,
    async changeMember(tx, before, after, store) {
      const { id, workspaceId } = before;
      const person = personOfMember(after);
      // Colleagues see the address of who has no name.
      const isNamed = isSame(personOfMember(before), person) && before.email === after.email;
      const ids = isNamed ? [] : await conversationsOfMember(tx, workspaceId, id);
      await tx.lock(...ids.map((each) => `conversation:${each}` as const));
      await store();
      for (const conversationId of ids) {
        const conversation = await conversationById(tx, conversationId);
        const row = conversation && (await findHandling(tx, conversationId));
        if (!row || row.assigneeId !== id) continue;
        await personOf(tx, conversation.botId, id, person, now());
        await change(tx, conversation, row, { ...row, person: JSON.stringify(person) });
      }
      tellMembers(tx, workspaceId);
    },
  };
}
