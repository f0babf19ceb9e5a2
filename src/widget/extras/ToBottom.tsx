// The button above the composer that leads to the newest message, with the number of messages that arrived meanwhile. Shown
// while the reader is further up.
import { plural } from '../i18n/current.ts';
import { Icon } from '../icon.tsx';
import { strings } from '../media/strings.ts';
import { icons } from './icons.ts';

export function ToBottom({ unseen, onClick }: { unseen: number; onClick(): void }) {
  const newMessages = unseen > 0 && plural('newMessages', unseen);
  return (
    <button
      type="button"
      class="pill"
      part="pill"
      aria-label={newMessages || strings.toBottom}
      onClick={onClick}
    >
      <Icon path={icons.down} />
      {newMessages && <span>{newMessages}</span>}
    </button>
  );
}
