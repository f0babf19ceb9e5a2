// Shows the dialog that is open, for the conversation of the page.
import { useRef, useState } from 'preact/hooks';
import type { InboxRow } from '../../../../protocol/inbox.ts';
import { commands, otherKeys } from '../commands.ts';
import type { Inbox } from '../inbox.ts';
import type { Preferences } from '../state/drafts.ts';
import { isInFront } from '../state/route.ts';
import { ActionsDialog } from './ActionsDialog.tsx';
import { AnswersDialog } from './AnswersDialog.tsx';
import { AssignDialog } from './AssignDialog.tsx';
import { Dialog } from './Dialog.tsx';
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
    <Dialog title="You are signed out" onClose={onSignIn}>
      <p>Sign in again to go on. What you have written is kept in this browser.</p>
      <button type="button" class="main" onClick={onSignIn}>
        Sign in
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
    labels.set(key, other ? `${other} or ${label}` : label);
  }
  const keys = [...labels, ...otherKeys];
  return (
    <Dialog title="Keyboard" onClose={onClose}>
      {!singleKeys && <p>Single letters are switched off in the preferences.</p>}
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

export function PreferencesDialog({ inbox, onClose }: { inbox: Inbox; onClose(): void }) {
  const { preferences } = inbox;
  const current = preferences.current.value;
  const [problem, setProblem] = useState('');
  const box = (name: keyof Preferences, label: string, onChange?: (isOn: boolean) => void) => (
    <label class="check">
      <input
        type="checkbox"
        checked={current[name]}
        onChange={({ currentTarget }) =>
          onChange ? onChange(currentTarget.checked) : preferences.change({ [name]: currentTarget.checked })
        }
      />
      {label}
    </label>
  );
  const setNotifications = async (isOn: boolean) => {
    if (!isOn) return preferences.change({ notifications: false });
    if (typeof Notification === 'undefined') return setProblem('This browser has no notifications here.');
    const permission = await Notification.requestPermission();
    if (permission === 'granted') preferences.change({ notifications: true });
    else setProblem('This browser does not allow notifications for this page. Change it in its settings.');
  };
  return (
    <Dialog title="Preferences" onClose={onClose}>
      <p>For this browser.</p>
      {box('singleKeys', 'Single letters are shortcuts')}
      {box('sound', 'Sound when a visitor waits or writes to me')}
      {box(
        'notifications',
        'Notifications while I look at something else',
        (isOn) => void setNotifications(isOn),
      )}
      <p class="hint" role="alert">
        {problem}
      </p>
      <button type="button" onClick={() => inbox.leave.account()}>
        Account and sessions
      </button>
      <button
        type="button"
        onClick={() => {
          // Others may use this browser.
          inbox.drafts.clear();
          inbox.leave.signOut();
        }}
      >
        Sign out
      </button>
    </Dialog>
  );
}
