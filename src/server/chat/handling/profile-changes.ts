// Tells visitors and the team that a member has another name or picture, or another role, or is a new one or none any more.
import type { Person } from '../../../protocol/handling.ts';
import { botById } from '../../storage/bots/bots.ts';
import { conversationById } from '../../storage/chat/conversations.ts';
import type { WriteTx } from '../../storage/database.ts';
import { botConversationsOf, listedOfBots } from '../../storage/inbox/bot-list.ts';
import {
  conversationsOfMember,
  findHandling,
  openStates,
  touchHandling,
} from '../../storage/inbox/handlings.ts';
import { handledAmong, handledConversationsOf } from '../../storage/inbox/lists.ts';
import { personOf } from '../../storage/inbox/members.ts';
import { indexWords } from '../../storage/inbox/search-index.ts';
import type { ApplyChange, ChangesOptions } from './changes.ts';
import type { Handlings } from './handlings-interface.ts';
import { personOfMember } from './visible.ts';

const isSame = (a: Person, b: Person): boolean => a.name === b.name && a.pictureUrl === b.pictureUrl;

export function createMemberChanges(
  { now, onTeamChange }: Pick<ChangesOptions, 'now' | 'onTeamChange'>,
  change: ApplyChange,
): Pick<Handlings, 'changeMember' | 'publishMembers'> {
  const publishMembers = (tx: WriteTx, workspaceId: string, memberId?: string): void => {
    const change = {
      kind: 'settings',
      changed: 'team',
      ...(memberId !== undefined && { memberId }),
    } as const;
    tx.afterCommit(() => onTeamChange(workspaceId, change));
  };
  return {
    publishMembers: publishMembers,
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
      publishMembers(tx, workspaceId);
    },
  };
}

/** The maximum number of conversations for which the team is notified, the newest first. Others change when they are read again. */
const maxPublished = 50;

/** Notifies the team of a change of a visitor, which it sees with each of the visitor's conversations. */
export function createVisitorChanges({
  now,
  onTeamChange,
  isWatched,
}: Pick<ChangesOptions, 'now' | 'onTeamChange' | 'isWatched'>): Pick<
  Handlings,
  'changeVisitor' | 'publishVisitor' | 'publishTyping'
> {
  async function notifyTeam(tx: WriteTx, found: Awaited<ReturnType<typeof handledAmong>>): Promise<void> {
    for (const { conversationId, workspaceId } of found) {
      // The revision makes it another state of the row, also for pages that ask for the changes.
      await touchHandling(tx, conversationId, now());
      await indexWords(tx, conversationId);
      tx.afterCommit(() => onTeamChange(workspaceId, { kind: 'row', conversationId }));
    }
  }
  /** Tells members who look at what the bot answers. Without them it costs no statement. */
  async function notifyWatching(
    tx: WriteTx,
    find: () => Promise<{ conversationId: string; workspaceId: string }[]>,
  ): Promise<void> {
    if (!isWatched()) return;
    for (const { conversationId, workspaceId } of await find())
      if (isWatched(workspaceId))
        tx.afterCommit(() => onTeamChange(workspaceId, { kind: 'visitor', conversationId }));
  }
  return {
    async changeVisitor(tx, userId, store) {
      const found = await handledConversationsOf(tx, userId, maxPublished);
      await tx.lock(...found.map(({ conversationId }) => `conversation:${conversationId}` as const));
      const result = await store();
      await notifyTeam(tx, found);
      await notifyWatching(tx, () => botConversationsOf(tx, userId, maxPublished));
      return result;
    },
    async publishTyping(tx, { id: conversationId, botId, hasHandling }, timeout) {
      const handling = hasHandling === 1 ? await findHandling(tx, conversationId) : undefined;
      const change = { kind: 'typing', conversationId, timeout } as const;
      if (handling && openStates.includes(handling.state)) return onTeamChange(handling.workspaceId, change);
      const isOfBot = !handling || handling.state === 'bot';
      // Nobody looks, mostly: then it costs no statement and no message to other processes.
      if (!isOfBot || !isWatched()) return;
      const workspaceId = handling?.workspaceId ?? (await botById(tx, botId))?.workspaceId;
      if (workspaceId !== undefined && isWatched(workspaceId))
        onTeamChange(workspaceId, { ...change, isOfBot });
    },
    async publishVisitor(tx, conversationIds) {
      await notifyTeam(tx, await handledAmong(tx, conversationIds));
      await notifyWatching(tx, () => listedOfBots(tx, conversationIds));
    },
  };
}
