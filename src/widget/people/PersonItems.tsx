// The menu items for asking for a person, and for ending the conversation with a person.
import type { ViewProps } from '../chat/view.ts';
import { Icon } from '../icon.tsx';
import { type HandlingRequest, sendHandlingRequest } from './requests.ts';
import { strings } from './strings.ts';

/** Lucide (ISC): user-round and circle-check. */
const icons = {
  request: 'M20 21a8 8 0 0 0-16 0M12 13a5 5 0 1 0 0-10 5 5 0 0 0 0 10',
  close: 'M22 12a10 10 0 1 1-20 0 10 10 0 0 1 20 0M9 12l2 2 4-4',
};

export function PersonItems({ store, session, onClose }: ViewProps & { onClose(): void }) {
  const { handling } = store.state;
  const item = (request: HandlingRequest & keyof typeof icons, label: string) => (
    <button
      type="button"
      role="menuitem"
      tabIndex={-1}
      onClick={() => {
        void sendHandlingRequest(session.context, request);
        onClose();
      }}
    >
      <Icon path={icons[request]} />
      {label}
    </button>
  );
  if (handling?.state === 'assigned') return item('close', strings.endConversation);
  return handling?.canRequest && handling.state !== 'waiting' ? item('request', strings.talkToPerson) : null;
}
