// Shows the dialog that is open, for the conversation of the page.
import { useRef } from 'preact/hooks';
import type { InboxRow } from '../../../../protocol/handling/inbox.ts';
import type { Inbox } from '../inbox.ts';
import { isInFront } from '../state/route.ts';
import { ActionsDialog } from './ActionsDialog.tsx';
import { AnswersDialog } from './AnswersDialog.tsx';
import { AssignDialog } from './AssignDialog.tsx';
import { Dialog } from './Dialog.tsx';
import { KeysDialog } from './KeysDialog.tsx';
import { PreferencesDialog } from './PreferencesDialog.tsx';
import { SnoozeDialog } from './SnoozeDialog.tsx';
import { TagsDialog } from './TagsDialog.tsx';

export function Dialogs({ inbox }: { inbox: Inbox }) {
  const { dialog, store, router } = inbox;
  const name = dialog.value;
  const row = useRowInDialog(inbox);
  // The next one may be open already.
  const close = () => name && inbox.closeDialog(name);
  if (store.isSignedOut.value) return <SignedOut onSignIn={inbox.leave.signIn} />;
  if (name === 'keys') return <KeysDialog inbox={inbox} onClose={close} />;
  if (name === 'preferences') return <PreferencesDialog inbox={inbox} onClose={close} />;
  if (name === 'actions') {
    // What is behind the settings or the reports has no actions.
    const shown = isInFront(router.route.value) ? undefined : row;
    return <ActionsDialog inbox={inbox} row={shown} onClose={close} />;
  }
  if (!row || !name) return null;
  if (name === 'snooze') return <SnoozeDialog inbox={inbox} row={row} onClose={close} />;
  if (name === 'answers') return <AnswersDialog inbox={inbox} row={row} onClose={close} />;
  if (name === 'tags') return <TagsDialog inbox={inbox} row={row} onClose={close} />;
  return <AssignDialog inbox={inbox} row={row} onClose={close} />;
}

/**
 * The row of the page's conversation. Until all rows are read again it is the last known one: the dialog keeps its focus and its text.
 */
function useRowInDialog({ store, router }: Inbox): InboxRow | undefined {
  const id = router.route.value.conversationId ?? '';
  const last = useRef<InboxRow | undefined>(undefined);
  const isGone = store.isDeleted(id) || store.hidden.value.has(id);
  last.current =
    store.rows.value.get(id) ?? (last.current?.conversationId === id && !isGone ? last.current : undefined);
  return last.current;
}

/** The session has ended elsewhere: what was written is kept in the browser. */
function SignedOut({ onSignIn }: { onSignIn(): void }) {
  return (
    <Dialog title="You are signed out" onClose={onSignIn}>
      <p>Sign in again to go on. What you have written is kept in this browser.</p>
      <button type="button" class="main" onClick={onSignIn}>
        Sign in
      </button>
    </Dialog>
  );
}
