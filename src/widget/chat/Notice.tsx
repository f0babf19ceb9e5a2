// One bar for what is wrong with the connection; empty when all is well.
import { chatWords as words } from '../words.ts';
import type { ViewProps } from './Panel.tsx';
import type { ConnectionStatus } from './store.ts';

const texts: Record<ConnectionStatus, string | undefined> = {
  connecting: undefined,
  online: undefined,
  unreachable: words.unreachable,
  interrupted: words.reconnecting,
  refused: words.refused,
};

export function Notice({ store }: ViewProps) {
  const text = store.state.isOffline ? words.offline : texts[store.state.connection];
  return (
    <div class="notice" part="notice" role="status">
      {text && <p>{text}</p>}
    </div>
  );
}
