// Notifies the clients of a team of changes, in all processes. It carries references only: the receiver reads the data, so a lost
// or late notification does no harm. The exception is a deleted message: a page that shows an older part of its conversation keeps
// it until that part is loaded again. It is separate from realtime/pub-sub.ts, which carries data that visitors see.
import type { PresenceState } from '../../protocol/handling/inbox.ts';
import type { HandlingPlace } from '../storage/inbox/visibility.ts';
import type { Relay } from './relay/relay.ts';

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

export function createTeamBus(relay: Relay, onError: (error: unknown) => void): TeamBus {
  const listeners = new Map<string, { listeners: Set<Listener>; end(): void }>();
  const topicOf = (workspaceId: string) => `team ${workspaceId}`;
  const deliver = (workspaceId: string, change: TeamChange): void => {
    for (const listener of [...(listeners.get(workspaceId)?.listeners ?? [])]) listener.onChange(change);
  };
  relay.onGap(() => {
    for (const { listeners: all } of listeners.values()) for (const { onGap } of all) onGap();
  });

  return {
    publish(workspaceId, change) {
      deliver(workspaceId, change);
      relay.publish(topicOf(workspaceId), JSON.stringify(change));
    },
    subscribe(workspaceId, listener) {
      let found = listeners.get(workspaceId);
      if (!found) {
        const subscription = relay.subscribe(topicOf(workspaceId), (message) => {
          try {
            deliver(workspaceId, JSON.parse(message) as TeamChange);
          } catch (error) {
            onError(error);
          }
        });
        found = { listeners: new Set(), end: () => subscription.end() };
        listeners.set(workspaceId, found);
      }
      found.listeners.add(listener);
      return () => {
        if (!found.listeners.delete(listener) || found.listeners.size > 0) return;
        listeners.delete(workspaceId);
        found.end();
      };
    },
  };
}
