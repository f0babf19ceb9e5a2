// The state that the parts of the page's user share. Types only.
import type { WebchatUserFields } from '../../../protocol/user.ts';

export interface UserState {
  /** Incremented with each user, so that a response for a previous user is discarded. */
  generation: number;
  /** The pending identification. */
  switching: Promise<boolean> | undefined;
  /** The user of `init`, until it was applied. */
  initial: WebchatUserFields | undefined;
}
