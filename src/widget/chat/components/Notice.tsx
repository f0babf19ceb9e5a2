// One bar for what is wrong with the connection; empty when all is well.

import { words } from '../strings.ts';
import type { ViewProps } from './Panel.tsx';

export function Notice({ store: { state } }: ViewProps) {
  // The words for a fault are called as the fault; that the chat connects is said where the messages will stand.
  const isNew = state.isRenewed && state.connection === 'online';
  const key = state.isOffline ? 'offline' : isNew ? 'renewed' : state.connection;
  const text = key !== 'connecting' && key !== 'online' && words[key];
  // What keeps the visitor from being heard at all is said at once. (A region does not change its role: it is another.)
  const role = ['unreachable', 'refused'].includes(key) ? 'alert' : 'status';
  return (
    <div key={role} class="notice" part="notice" role={role}>
      {text && <p>{text}</p>}
    </div>
  );
}
