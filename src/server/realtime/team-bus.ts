// Notifies the clients of a team of changes. It carries references only: the receiver reads the data, so a lost
// or late notification does no harm. The exceptions are the page of a visitor, which is nowhere else, and a deleted message: a page that shows an older part of its conversation keeps
// it until that part is loaded again. It is separate from pub-sub.ts, which carries data that visitors see.
import type { PresenceState } from '../../protocol/inbox.ts';
import { limits } from '../../protocol/limits.ts';
import type { VisitorPage } from '../../protocol/types/visitors.ts';
import type { HandlingPlace } from '../storage/inbox/visibility.ts';

/**
 * A notification for the clients of a team. `from`: where the conversation was before it was moved; `deletedMessageId` and
 * `changedMessageId`: of the message whose deletion or change has changed it.
 */
export type TeamChange =
  | {
      kind: 'row';
      conversationId: string;
      from?: HandlingPlace;
      deletedMessageId?: string;
      changedMessageId?: string;
    }
  | { kind: 'deleted'; conversationId: string }
  /** Up to which message the visitor has read. */
  | { kind: 'read'; conversationId: string; seq: number; until: string }
  /** The member looks at the conversations of the bots (`limits.inbox.presence`). */
  | { kind: 'watch'; memberId: string }
  /** Teams and members, or canned answers, are others than before. `memberId`: only for this member. */
  | { kind: 'settings'; changed: 'team' | 'answers'; memberId?: string }
  /** The visitor types, for `timeout` milliseconds; 0: they have stopped. `isOfBot`: only for members who watch. */
  | { kind: 'typing'; conversationId: string; timeout: number; isOfBot?: true }
  /** The visitor of a conversation that the bot answers has another name or other data. Only for members who watch. */
  | { kind: 'visitor'; conversationId: string }
  /** The page on which the visitor is; null: it is shared no more. Only for members who are in the conversation. */
  | { kind: 'page'; conversationId: string; page: VisitorPage | null }
  | { kind: 'note'; conversationId: string; noteId: string }
  | { kind: 'note_deleted'; conversationId: string; noteId: string }
  | {
      kind: 'presence';
      conversationId: string;
      memberId: string;
      name: string;
      pictureUrl?: string;
      state: PresenceState;
    };

interface Listener {
  onChange(change: TeamChange): void;
  /** Changes of other processes may have been lost. */
  onGap(): void;
}

export interface TeamBus {
  publish(workspaceId: string, change: TeamChange): void;
  /** Calls `listener` with each change of a workspace; the result ends it. */
  subscribe(workspaceId: string, listener: Listener): () => void;
  /** Whether a member looks at the conversations of the bots, in this workspace or, without one, in any. */
  isWatched(workspaceId?: string): boolean;
}

/** The bus of a server of one process. `announceGap`: changes of other processes may have been lost. */
export function createTeamBus(): TeamBus & { announceGap(): void; watch(workspaceId: string): void } {
  const all = new Map<string, Set<Listener>>();
  /** Until when each workspace is watched, on the clock of performance.now(). */
  const watched = new Map<string, number>();
  const watch = (workspaceId: string) =>
    void watched.set(workspaceId, performance.now() + limits.inbox.presence);

  return {
    watch,
    isWatched(workspaceId) {
      for (const [id, until] of watched) if (until <= performance.now()) watched.delete(id);
      return workspaceId === undefined ? watched.size > 0 : watched.has(workspaceId);
    },
    publish(workspaceId, change) {
      if (change.kind === 'watch') watch(workspaceId);
      for (const listener of [...(all.get(workspaceId) ?? [])]) listener.onChange(change);
    },
    subscribe(workspaceId, listener) {
      const listeners = all.get(workspaceId) ?? new Set();
      all.set(workspaceId, listeners.add(listener));
      return () => {
        if (listeners.delete(listener) && listeners.size === 0) all.delete(workspaceId);
      };
    },
    announceGap() {
      for (const listeners of all.values()) for (const { onGap } of listeners) onGap();
    },
  };
}
