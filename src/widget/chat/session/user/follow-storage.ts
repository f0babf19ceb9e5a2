// Follows the record of the visitor in the browser's storage, which other tabs change.
import type { SessionInternals } from '../context.ts';
import type { PageCalls } from '../page-calls.ts';
import { forgetTools } from '../use-hooks.ts';
import { isLogoutElsewhere } from './parse-record.ts';

/** Reads the record again when another tab has changed it. */
export function followStorage({ widget, syncFromStorage }: SessionInternals): void {
  const onStorage = ({ key, oldValue, newValue }: StorageEvent) => {
    // If other code has cleared the record, nothing changes here.
    if (newValue && key === widget.storageKey) syncFromStorage(isLogoutElsewhere(oldValue, newValue));
  };
  addEventListener('storage', onStorage, { signal: widget.signal });
}

/** Reads the record. @param endRequest the visitor has left, and no conversation is wanted any more. */
export function applyRecord(
  internals: SessionInternals,
  pageCalls: PageCalls,
  isLogout: boolean | undefined,
  endRequest: () => void,
): void {
  const { widget, identity, getConversation, endScope, isRequested, start } = internals;
  if (isLogout) pageCalls.left();
  const before = identity.userId;
  identity.syncFromStorage();
  const { isNamed, conversationId } = widget.storage.read();
  // A user that another tab has created is the same visitor; a user that the page has identified there is not.
  const isOtherVisitor = isLogout || (before ? before !== identity.userId : isNamed === true);
  if (isOtherVisitor) identity.reset();
  // Before a user is resumed, the key that the page sets is mostly of the one in the record.
  if (isOtherVisitor && (isLogout || before)) forgetTools(widget);
  const connection = getConversation();
  if (isOtherVisitor || (connection && connection.id !== conversationId)) endScope({ isOtherVisitor });
  if (identity.userId) {
    if (isRequested()) start().catch(() => {});
  } else if (isLogout || before) {
    endRequest();
    widget.close();
  }
}
