// The services that the handlers of the Runtime API use in addition to the request. composition/server.ts provides them.
import { createHandle } from '../../api/handler.ts';
import type { BotStreams } from '../../bots/index.ts';
import type { Transcript } from '../../chat/index.ts';
import type { Presence } from '../../realtime/presence.ts';

export interface RuntimeServices {
  transcript: Transcript;
  presence: Presence;
  /** Streamed answers of bots in other processes. */
  streams: BotStreams;
  /** Must be called after the commit that deletes a user: closes their streams, cancels bot code, wakes the cleanup job. */
  onUserRemoved(userId: string): void;
  now(): number;
}

/** Joins an operation of the Runtime API with its handler. */
export const { handle } = createHandle<RuntimeServices>();
