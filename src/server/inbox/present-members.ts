// Which members look at each conversation of a workspace now, and what they do.
import type { TeamSignals } from '../../protocol/inbox.ts';
import { limits } from '../../protocol/limits.ts';
import type { TeamChange } from '../realtime/team-bus.ts';

export type PresentMember = TeamSignals['inbox_presence']['members'][number];

export interface PresentMembers {
  /** Stores the presence of a member. It is removed after `limits.inbox.presence` without a further call. */
  update(change: Extract<TeamChange, { kind: 'presence' }>): void;
  /** The members in a conversation. */
  list(conversationId: string): PresentMember[];
}

/** By the id of the member; `until`: milliseconds since 1970. */
type Members = Map<string, PresentMember & { until: number }>;

/** `now`: milliseconds since 1970. */
export function createPresentMembers(now: () => number): PresentMembers {
  const present = new Map<string, Members>();
  return {
    update({ conversationId, memberId, name, pictureUrl, state }) {
      const at = now();
      const expire = (members: Members) => {
        for (const [id, { until }] of members) if (until < at) members.delete(id);
        return members;
      };
      // The map is in the order of the last updates, the oldest first.
      for (const [id, others] of present) {
        if (expire(others).size > 0) break;
        present.delete(id);
      }
      const members = expire(present.get(conversationId) ?? new Map());
      present.delete(conversationId);
      if (state === 'gone') members.delete(memberId);
      else {
        const until = at + limits.inbox.presence;
        members.set(memberId, { memberId, name, ...(pictureUrl ? { pictureUrl } : {}), state, until });
      }
      if (members.size > 0) present.set(conversationId, members);
    },
    list: (conversationId) =>
      [...(present.get(conversationId)?.values() ?? [])].map(({ until: _, ...member }) => member),
  };
}
