// Ends the pushes to this browser when its visitor is another one.
import { ChatClientBase } from '../../../client/chat/caller.ts';
import type { PushEnded } from '../../../protocol/push.ts';
import type { SessionInternals } from '../../chat/session/context.ts';

/**
 * The next visitor of this browser must not read of answers to the user of this key. Resolves when that is certain, also without a
 * connection.
 */
export async function endPushes(
  { widget: { chatUrl, signal }, store, client: { locale }, report }: SessionInternals,
  userKey: string | undefined,
): Promise<void> {
  const { pushWorker } = store.state.configuration;
  if (!userKey || !pushWorker || !('PushManager' in window) || Notification.permission !== 'granted') return;
  const client = new ChatClientBase({ chatUrl, userKey, locale });
  const work = import('../../people/main.tsx').then(({ endPush }) =>
    endPush({ client, getSignal: () => signal }, pushWorker),
  );
  work.catch((error) => report(error));
  await caches.open('platform-webchat push ended' satisfies PushEnded).catch(() => {});
}
