// Finds the push subscription of this browser, and ends it for a visitor who deletes their data or logs out.
import { getPush, setPush } from '../../../client/operations/chat.ts';
import type { SessionContext } from '../../chat/session/context.ts';
import { retryWithBackoff } from '../../chat/session/retry.ts';
import { findSeen, findSubscription } from './subscription.ts';

type Context = Pick<SessionContext, 'client' | 'getSignal'>;

/** The subscription of this browser; undefined without one, or where the server sends no pushes. */
async function findOwn({ client, getSignal }: Context, path: string) {
  const { publicKey } = await client.with({ getPush }).getPush({}, { signal: getSignal() });
  return publicKey === undefined ? undefined : findSubscription(path, publicKey);
}

/** Returns the function that ends the subscription at the server of the chat; undefined if there is none. */
export async function findPush(
  context: Context,
  path: string,
): Promise<(() => Promise<unknown>) | undefined> {
  const subscription = await findOwn(context, path);
  return subscription && (() => subscription.unsubscribe());
}

/**
 * Ends the subscription of a visitor who was here: in the browser, and at the server. Without a connection, the browser ends what
 * the page has seen of it, and the server is told later, if the page is still open then. The service worker shows no push in any
 * case (`PushEnded`).
 */
export async function endPush(context: Context, path: string): Promise<void> {
  // The scope ends with the visitor, and another begins.
  const signal = context.getSignal();
  const subscription = (await findSeen(path)) ?? (await findOwn(context, path));
  if (!subscription) return;
  // Chromium and Firefox end it without a connection, and drop what still arrives.
  await subscription.unsubscribe();
  const client = context.client.with({ setPush });
  await retryWithBackoff(() => client.setPush({ endpoint: subscription.endpoint, keys: null }, { signal }), {
    signal,
  });
}
