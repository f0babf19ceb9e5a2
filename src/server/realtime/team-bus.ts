// Notifies the clients of a team of changes. It carries references only: the receiver reads the data, so a lost
// or late notification does no harm. The exception is a deleted message: a page that shows an older part of its conversation keeps
// it until that part is loaded again. It is separate from pub-sub.ts, which carries data that visitors see.
import type { PresenceState } from '../../protocol/inbox.ts';
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
  /** Teams and members, or canned answers, are others than before. `memberId`: only for this member. */
  | { kind: 'settings'; changed: 'team' | 'answers'; memberId?: string }
  /** The visitor types, for `timeout` milliseconds; 0: they have stopped. */
  | { kind: 'typing'; conversationId: string; timeout: number }
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
}

/** The bus of a server of one process. `announceGap`: changes of other processes may have been lost. */
export function createTeamBus(): TeamBus & { announceGap(): void } {
  const all = new Map<string, Set<Listener>>();

  return {
    publish(workspaceId, change) {
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
