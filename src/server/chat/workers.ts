// The background work of the Chat API.
import { assignSnoozeEnds } from './handling/snooze-ends.ts';
import { assignInterruptExpiry } from './interrupts/expiry.ts';

/** Begins to cancel interrupts and to end snoozing with the start of the background work. */
export function assignChatWorkers(
  options: Parameters<typeof assignInterruptExpiry>[0] & Parameters<typeof assignSnoozeEnds>[0],
): void {
  assignInterruptExpiry(options);
  assignSnoozeEnds(options);
}
