// The merge of an anonymous visitor into the user that the page identifies, where the site wants it.
import { isRetryable } from '../../../client/core/errors.ts';
import type { ChatMethods } from '../../../client/operations/chat.ts';
import { visitorFields } from '../../../protocol/page-api/visitor-fields.ts';
import type { SessionInternals } from '../../chat/session/context.ts';

type Internals = Pick<SessionInternals, 'widget' | 'report'>;

/** Whether the present visitor is anonymous, and the site wants the conversation to go on after a login. */
export function wantsMerge({ widget }: Pick<Internals, 'widget'>): boolean {
  const { userKey, isNamed } = widget.storage.read();
  return !!userKey && !isNamed && widget.resolve(visitorFields).mergeAnonymous;
}

/**
 * Moves what the anonymous visitor has to the user of the client. Returns whether something was moved. A refusal is
 * reported, because the login does not depend on it. Rejects with an error that can be retried.
 * @param anonymousId the visitor when the login began: one with whom another tab has replaced that visitor is not merged.
 */
export async function mergeInto(
  { widget, report }: Internals,
  client: Pick<ChatMethods, 'mergeUser'>,
  anonymousId: string | undefined,
): Promise<boolean> {
  const { signal, storage } = widget;
  const { userKey, userId } = storage.read();
  const isReplaced = anonymousId && userId !== anonymousId;
  if (!userKey || isReplaced || !wantsMerge({ widget })) return false;
  try {
    // The same key in all tabs and attempts, so that each of them learns that it was moved.
    const options = { signal, idempotencyKey: `merge ${userId}` };
    return (await client.mergeUser({ userKey }, options)).merged;
  } catch (error) {
    signal.throwIfAborted();
    if (isRetryable(error)) throw error;
    report(error);
    return false;
  }
}
