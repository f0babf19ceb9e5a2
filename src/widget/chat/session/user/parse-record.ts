// Reads the record of the visitor as another tab has written it.
import type { StoredSession } from '../../../launcher-chat-interface.ts';

/** Reads a value of a `storage` event. Other text than an object is an empty record: other code of the site may have written it. */
export function parseRecord(text: string | null): StoredSession {
  try {
    return Object(JSON.parse(text ?? '{}'));
  } catch {
    return {};
  }
}

/** Whether another tab has logged the visitor out. A user whom the server has refused is replaced, and has not logged out. */
export function isLogoutElsewhere(oldValue: string | null, newValue: string): boolean {
  const { userId, lostConversationId } = parseRecord(newValue);
  return !!parseRecord(oldValue).userId && !userId && !lostConversationId;
}
