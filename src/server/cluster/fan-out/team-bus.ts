// Notifies the clients of a team of changes, in all processes.
import { createTeamBus, type TeamBus, type TeamChange } from '../../realtime/team-bus.ts';
import type { Relay, Subscription } from '../relay/relay.ts';

export function createSharedTeamBus(relay: Relay, onError: (error: unknown) => void): TeamBus {
  const local = createTeamBus();
  const held = new Map<string, { subscription: Subscription; listeners: number }>();
  const topicOf = (workspaceId: string) => `team ${workspaceId}`;
  relay.onGap(local.announceGap);

  function subscribeTo(workspaceId: string): Subscription {
    return relay.subscribe(topicOf(workspaceId), (message) => {
      try {
        local.publish(workspaceId, JSON.parse(message) as TeamChange);
      } catch (error) {
        onError(error);
      }
    });
  }

  return {
    publish(workspaceId, change) {
      local.publish(workspaceId, change);
      relay.publish(topicOf(workspaceId), JSON.stringify(change));
    },
    subscribe(workspaceId, listener) {
      const entry = held.get(workspaceId) ?? { subscription: subscribeTo(workspaceId), listeners: 0 };
      held.set(workspaceId, entry);
      entry.listeners += 1;
      const remove = local.subscribe(workspaceId, listener);
      let hasEnded = false;
      return () => {
        if (hasEnded) return;
        hasEnded = true;
        remove();
        entry.listeners -= 1;
        if (entry.listeners > 0) return;
        held.delete(workspaceId);
        entry.subscription.end();
      };
    },
  };
}
