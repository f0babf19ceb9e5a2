// The interface between a page of the documentation and the page in its frame that has a live chat. Types only.
import type { Payload } from '../../../protocol/message.ts';
import type { Configuration } from '../../../protocol/page-api/config.ts';

export interface TryChat {
  /** Starts the chat. `payloads` are the first messages of its bot. */
  start(setup: { configuration: Configuration; isOpen: boolean; payloads: Payload[] }): void;
  /** Configures the running chat again: fields that are left out have their default. */
  configure(configuration: Configuration): void;
  /** The bot sends a message. Nothing happens before the conversation begins. */
  say(payload: Payload): void;
}

export type FrameWindow = Window & { tryChat?: TryChat };
