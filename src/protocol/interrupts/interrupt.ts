// An interrupt as a bot asks it, and as the bot gets it back. Types only.
import type { PartOf } from '../parts.ts';

type InterruptPart = PartOf<'interrupt'>;

/** An interrupt that was settled, as the bot gets it with the event `resume`. */
export interface SettledInterrupt {
  id: string;
  status: Exclude<InterruptPart['state'], 'open'>;
  by: NonNullable<InterruptPart['by']>;
  /** What was answered; it has the form that the bot asked for. Left out if the interrupt was cancelled. */
  payload?: Record<string, unknown>;
  /** The `state` that the bot gave. */
  state?: unknown;
}
