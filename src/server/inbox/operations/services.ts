// The services that the handlers of the Inbox API use in addition to the request. composition/server.ts provides them.
import { createHandle } from '../../api/handler.ts';
import type { Transcript } from '../../chat/index.ts';
import type { BotFileLimits, FileService, PlatformFiles } from '../../files/index.ts';
import type { Presence } from '../../realtime/presence.ts';
import type { TeamBus } from '../../realtime/team-bus.ts';
import type { AlertService } from '../alerts/alerts.ts';
import type { Routing } from '../routing.ts';
import type { InboxStreams } from '../streams.ts';
import type { TextIndex } from '../text-index.ts';

export interface InboxServices {
  transcript: Transcript;
  presence: Presence;
  team: TeamBus;
  inboxStreams: InboxStreams;
  routing: Routing;
  textIndex: TextIndex;
  alerts: AlertService;
  files: FileService;
  /** The limits of the files of members. */
  fileLimits: BotFileLimits;
  platformFiles: Pick<PlatformFiles, 'onRemoved'>;
  now(): number;
}

/** Joins an operation of the Inbox API with its handler. */
export const { handle, handleDecorated } = createHandle<InboxServices>();
