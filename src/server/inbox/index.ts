// The inbox of a team: members answer visitors and write notes. Other folders import this file only.
import type { Logger } from 'pino';
import type { Relay } from '../cluster/relay.ts';
import { createTeamBus } from '../cluster/team-bus.ts';
import type { Database } from '../storage/database.ts';
import type { InboxServices } from './operations/services.ts';
import { createInboxStreams } from './streams.ts';

export { inboxHandlers } from './operations/index.ts';
export type { InboxServices } from './operations/services.ts';

/** Notifies the clients of teams of changes. */
export type Inbox = Pick<InboxServices, 'team' | 'inboxStreams'>;

export function createInbox(options: { db: Database; relay: Relay; logger: Logger; now(): number }): Inbox {
  const { relay, logger } = options;
  const team = createTeamBus(relay, (error) =>
    logger.error({ err: error }, 'a message of another process failed'),
  );
  return { team, inboxStreams: createInboxStreams({ ...options, team }) };
}
