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
  const { isOffline, connection } = store.state;
  const text = isOffline ? words.offline : texts[connection];
  // What keeps the visitor from being heard at all is said at once. (A region does not change its role: it is another.)
  const role = !isOffline && ['unreachable', 'refused'].includes(connection) ? 'alert' : 'status';
  return (
    <div key={role} class="notice" part="notice" role={role}>
      {text && <p>{text}</p>}
    </div>
  );
}
