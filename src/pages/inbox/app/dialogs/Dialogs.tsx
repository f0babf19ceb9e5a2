// Shows the dialog that is open, for the conversation of the page.
import { useRef } from 'preact/hooks';
import type { InboxRow } from '../../../../protocol/inbox.ts';
import { Dialog } from '../../../ui/Dialog.tsx';
import { t } from '../../../ui/texts.ts';
import { commands, otherKeys } from '../commands.ts';
import type { Inbox } from '../inbox.ts';
import { isInFront } from '../state/route.ts';
import { ActionsDialog } from './ActionsDialog.tsx';
import { AnswersDialog } from './AnswersDialog.tsx';
import { AssignDialog } from './AssignDialog.tsx';
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
  if (name === 'actions') {
    // A conversation behind the settings or the reports has no actions.
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
    <Dialog title={t('You are signed out')} onClose={onSignIn}>
      <p>{t('Sign in again to go on. What you have written is kept in this browser.')}</p>
      <button type="button" class="main" onClick={onSignIn}>
        {t('Sign in')}
      </button>
    </Dialog>
  );
}

export function KeysDialog({ inbox, onClose }: { inbox: Inbox; onClose(): void }) {
  const { singleKeys } = inbox.preferences.current.value;
  // A key does what the state of the conversation allows: "Close or Reopen".
  const labels = new Map<string, string>();
  for (const { key, label } of Object.values(commands)) {
    const other = labels.get(key);
    labels.set(key, other ? t('{action} or {other}', { action: other, other: label }) : label);
  }
  const keys = [...labels, ...otherKeys()];
  return (
    <Dialog title={t('Keyboard')} onClose={onClose}>
      {!singleKeys && <p>{t('Single letters are switched off in your account.')}</p>}
      <dl class="keys">
        {keys.map(([key, what]) => (
          <div key={what}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
