// Finds the push subscription of this browser, for a visitor who deletes their data.
import { getPush } from '../../client/operations/chat.ts';
import type { SessionContext } from '../chat/session/context.ts';
import { findSubscription } from './subscription.ts';

/** Returns the function that ends the subscription at the server of the chat; undefined if there is none. */
export async function findPush(
  { client, getSignal }: SessionContext,
  path: string,
): Promise<(() => Promise<unknown>) | undefined> {
  const { publicKey } = await client.with({ getPush }).getPush({}, { signal: getSignal() });
  const found = publicKey === undefined ? undefined : await findSubscription(path, publicKey);
  return found && (() => found.unsubscribe());
}
