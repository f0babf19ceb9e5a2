// The keys of the page.
import type { Inbox } from '../inbox.ts';
import { commands, otherKeys } from '../keyboard/commands.ts';
import { Dialog } from './Dialog.tsx';

export function KeysDialog({ inbox, onClose }: { inbox: Inbox; onClose(): void }) {
  const { singleKeys } = inbox.preferences.current.value;
  const keys = [...Object.values(commands).map(({ key, label }) => [key, label] as const), ...otherKeys];
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
