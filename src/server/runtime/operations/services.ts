// What the handlers of the Runtime API need beside the request. compose.ts provides it.
import type { BotStreams } from '../../bots/index.ts';
import type { Transcript } from '../../chat/index.ts';
import { createHandle } from '../../operations/handler.ts';
import type { Presence } from '../../realtime/presence.ts';

export interface RuntimeServices {
  transcript: Transcript;
  presence: Presence;
  /** Answers that bots write from other processes. */
  streams: BotStreams;
  now(): number;
}

/** Joins an operation of the Runtime API with its handler. */
export const { handle } = createHandle<RuntimeServices>();
