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

/**
 * Whether another tab has logged the visitor out: nothing is left. Of a user whom the server has refused the conversation stays, and
 * a page without a key sets the named user aside.
 */
export const isLogoutElsewhere = (oldValue: string | null, newValue: string): boolean =>
  !!parseRecord(oldValue).userId && Object.keys(parseRecord(newValue)).length === 0;
