// What the member chooses for this browser: keys, sound, notifications.
import { useState } from 'preact/hooks';
import type { Inbox } from '../inbox.ts';
import type { Preferences } from '../state/drafts.ts';
import { Dialog } from './Dialog.tsx';

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
