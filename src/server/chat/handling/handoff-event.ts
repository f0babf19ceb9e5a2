// The event of a bot about one of its handoffs.
import type { WriteTx } from '../../storage/database.ts';
import { findHandoff } from '../../storage/inbox/handoffs.ts';
import type { ChangeOptions } from './changes.ts';
import { serializeHandoff } from './visible.ts';

type HandoffEvent = NonNullable<ChangeOptions['event']>;

/** `more`: what the event contains besides the handoff, as it is now. */
export async function eventOf(
  tx: WriteTx,
  kind: HandoffEvent['kind'],
  handoffId: string,
  more: object,
): Promise<HandoffEvent> {
  const handoff = await findHandoff(tx, handoffId);
  return { kind, data: { ...(handoff ? { handoff: serializeHandoff(handoff) } : {}), ...more } };
}
