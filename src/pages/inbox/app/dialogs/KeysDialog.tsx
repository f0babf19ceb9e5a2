// The keys of the page.
import type { Inbox } from '../inbox.ts';
import { commands, otherKeys } from '../keyboard/commands.ts';
import { Dialog } from './Dialog.tsx';

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
