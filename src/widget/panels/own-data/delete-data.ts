// Deletes the visitor: the user on the server with all data, and what this browser has of the chat.
import { ChatClientBase } from '../../../client/chat/caller.ts';
import { deleteUser, getUser } from '../../../client/operations/chat.ts';
import type { SessionInternals } from '../../chat/session/context.ts';
import { retryWithBackoff } from '../../chat/session/retry.ts';
import type { Session } from '../../chat/session/session-interface.ts';

/** Attempts to reach the server: a browser that is offline need not wait. */
const attempts = () => (navigator.onLine ? 3 : 1);

/**
 * Resolves when the server has deleted the visitor and the browser has forgotten them; other tabs are logged out. The next
 * `start` creates another visitor. Rejects if that is not certain: then nothing was forgotten, and it can be tried again.
 */
export async function deleteData({ context, methods }: Session): Promise<void> {
  const { widget, client } = context;
  const { storage, signal, chatUrl } = widget;
  const endPushes = await findPushes(context);
  // The page renews its key, which may have expired, for this request. Afterwards a refusal must not create a user again.
  if (widget.getUserKey) await client.with({ getUser }).getUser({}, { signal });
  // The end of the stream would be taken for a deletion elsewhere, and followed by another user.
  context.endScope({ keepUnsent: true });
  // Another tab may have replaced the deleted user before it was told.
  for (
    let { userKey } = storage.read(), last = '';
    userKey && userKey !== last;
    { userKey } = storage.read()
  ) {
    last = userKey;
    await retryWithBackoff(() => deleteUserOf(chatUrl, last, signal), { signal, attempts: attempts() });
  }
  await endPushes?.().catch(() => {});
  await forget(context, methods);
}

async function deleteUserOf(chatUrl: string, userKey: string, signal: AbortSignal): Promise<void> {
  const client = new ChatClientBase({ chatUrl, userKey }).with({ deleteUser });
  await client.deleteUser({}, { signal }).catch((error) => {
    // An earlier attempt whose response was lost, or another tab, has deleted the user.
    if (Object(error).metadata?.userDeleted !== true) throw error;
  });
}

/** The function that ends the push subscription of this browser at the server; undefined if there is none. */
async function findPushes(context: SessionInternals): Promise<(() => Promise<unknown>) | undefined> {
  const { pushWorker } = context.store.state.configuration;
  if (!pushWorker || !('PushManager' in window)) return undefined;
  try {
    return await (await import('../../people/main.tsx')).findPush(context, pushWorker);
  } catch {
    // Without it, the server has no address for pushes any more, so the browser gets none.
    return undefined;
  }
}

async function forget(context: SessionInternals, methods: Session['methods']): Promise<void> {
  const { widget, identity, endScope } = context;
  const { storage, storageKey, getUserKey, user } = widget;
  // Also what the page has said of the user.
  if (getUserKey || Object.keys(user).length > 0 || storage.read().isNamed)
    await methods.forget().catch(() => {});
  storage.clear();
  for (const place of ['localStorage', 'sessionStorage'] as const) {
    try {
      const items = window[place];
      // Other tabs take an empty record for a logout, and ignore a removed one.
      if (items.getItem(storageKey)) items.setItem(storageKey, '{}');
      for (const part of ['', ' proactive', ' page-tools']) items.removeItem(storageKey + part);
    } catch {
      // Blocked: nothing was stored.
    }
  }
  identity.syncFromStorage();
  identity.reset();
  widget.pageTools?.forget();
  endScope({ isOtherVisitor: true });
}
