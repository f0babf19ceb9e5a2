// Below a message that the server does not have: the reason, and the actions for it.
import { preview } from '../../../protocol/message.ts';
import { Icon } from '../../icon.tsx';
import type { Row } from '../store/store.ts';
import { strings } from '../strings.ts';
import type { ViewProps } from '../view.ts';

// Lucide "circle-alert" and "clock" (ISC).
const alert = 'M12 8v4M12 16h.01M2 12a10 10 0 1 0 20 0 10 10 0 1 0-20 0';
const clock = 'M12 6v6l4 2M2 12a10 10 0 1 0 20 0 10 10 0 1 0-20 0';

export function Unsent({ session, row }: Pick<ViewProps, 'session'> & { row: Row }) {
  const isFailed = row.status === 'failed';
  const about = preview(row.payload).slice(0, 40);
  const button = (label: string, act: (key: string) => void) => (
    <button
      type="button"
      aria-label={`${label}: ${about}`}
      onClick={({ currentTarget }) => {
        // The button is removed; the focus must not move to the page.
        currentTarget.closest<HTMLElement>('.viewport')?.focus();
        act(row.key);
      }}
    >
      {label}
    </button>
  );
  return (
    <p class="meta unsent" part="meta">
      <span role={isFailed ? 'alert' : undefined}>
        <Icon path={isFailed ? alert : clock} />
        {isFailed ? strings.failed : strings.queued}
      </span>
      {button(strings.retry, session.retry)}
      {button(strings.discard, session.discard)}
    </p>
  );
}
