// One bar for what is wrong with the connection; empty when all is well.
import type { ViewProps } from './Panel.tsx';
import type { ConnectionStatus } from './store.ts';
import { words } from './words.ts';

/** The key of what is said. */
const keys = {
  connecting: undefined,
  online: undefined,
  unreachable: 'unreachable',
  interrupted: 'reconnecting',
  refused: 'refused',
} as const satisfies Record<ConnectionStatus, keyof typeof words | undefined>;

export function Notice({ store }: ViewProps) {
  const key = store.state.isOffline ? 'offline' : keys[store.state.connection];
  return (
    <div class="notice" part="notice" role="status">
      {key && <p>{words[key]}</p>}
    </div>
  );
}
