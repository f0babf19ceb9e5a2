// The inbox of a team: members answer visitors and write notes. Other folders import this file only.
import type { Logger } from 'pino';
import type { Transcript } from '../chat/index.ts';
import type { Processes } from '../jobs/processes.ts';
import type { TeamBus, TeamChange } from '../realtime/team-bus.ts';
import type { Database } from '../storage/database.ts';
import type { InboxServices } from './operations/services.ts';
import { createReachability } from './reachability.ts';
import { assignRouting, createRouting } from './routing.ts';
import { createInboxStreams } from './streams.ts';
import { assignTextIndex } from './text-index.ts';

export { type Alerts, createAlerts } from './alerts/alerts.ts';
export { inboxHandlers } from './operations/index.ts';
export type { InboxServices } from './operations/services.ts';
export { notesToExport } from './serializers.ts';
export { inboxSettings } from './settings.ts';

/** Notifies the clients of teams of changes, and assigns conversations to members. */
export type Inbox = Pick<InboxServices, 'team' | 'inboxStreams' | 'routing' | 'textIndex'> & {
  /** Something of a conversation has changed: notifies clients, and assigns waiting conversations. */
  onChange(workspaceId: string, change: TeamChange): void;
  close(): Promise<void>;
};

interface InboxOptions {
  db: Database;
  team: TeamBus;
  processes: Pick<Processes, 'assign' | 'broadcasts'>;
  /** Is called when the transcript exists. */
  getTranscript(): Transcript;
  logger: Logger;
  now(): number;
}

export function createInbox({ getTranscript, ...options }: InboxOptions): Inbox {
  const { team } = options;
  const transcript = {
    get handlings() {
      return getTranscript().handlings;
    },
  };
  const routing = createRouting({ ...options, transcript });
  const reachability = createReachability({ ...options, onReachable: routing.wake });
  const inboxStreams = createInboxStreams({ ...options, onSeen: reachability.see });
  assignRouting({ ...options, transcript, routing });
  const textIndex = assignTextIndex(options);
  return {
    team,
    inboxStreams,
    routing,
    textIndex,
    onChange(workspaceId, change) {
      team.publish(workspaceId, change);
      if (change.kind === 'row') routing.wake(workspaceId);
    },
    async close() {
      inboxStreams.closeAll();
      await routing.close();
      await reachability.close();
    },
  };
}
