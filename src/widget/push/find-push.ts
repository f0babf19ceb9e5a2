// Finds the push subscription of this browser, and ends it for a visitor who deletes their data or logs out.
import { getPush, setPush } from '../../client/operations/chat.ts';
import type { SessionContext } from '../chat/session/context.ts';
import { findSubscription } from './subscription.ts';

/** Returns the function that ends the subscription at the server of the chat; undefined if there is none. */
export async function findPush(
  { client, getSignal }: Pick<SessionContext, 'client' | 'getSignal'>,
  path: string,
): Promise<(() => Promise<unknown>) | undefined> {
  const { publicKey } = await client.with({ getPush }).getPush({}, { signal: getSignal() });
  const found = publicKey === undefined ? undefined : await findSubscription(path, publicKey);
  return found && (() => found.unsubscribe());
}

/** Ends the subscription of a visitor who was here: in the browser, and at the server. */
export async function endPush(
  context: Pick<SessionContext, 'client' | 'getSignal'>,
  path: string,
): Promise<void> {
  const { client, getSignal } = context;
  const signal = getSignal();
  const { publicKey } = await client.with({ getPush }).getPush({}, { signal });
  const found = publicKey === undefined ? undefined : await findSubscription(path, publicKey);
  if (!found) return;
  await found.unsubscribe();
  await client.with({ setPush }).setPush({ endpoint: found.endpoint, keys: null }, { signal });
}
