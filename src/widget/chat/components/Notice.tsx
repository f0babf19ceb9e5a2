// One bar for what is wrong with the connection; empty when all is well.

import { strings } from '../strings.ts';
import type { ViewProps } from '../view.ts';

export function Notice({ store }: ViewProps) {
  const { state } = store;
  // The string of a fault has the name of the status; `connecting` is shown in the transcript.
  const isNew = state.isRenewed && state.connection === 'online';
  const key = state.isOffline ? 'offline' : isNew ? 'renewed' : state.connection;
  const text = key !== 'connecting' && key !== 'online' && strings[key];
  // A fault that keeps messages from being sent is announced at once. (A region cannot change its role: it is replaced.)
  const role = ['unreachable', 'refused'].includes(key) ? 'alert' : 'status';
  return (
    <div key={role} class="notice" part="notice" role={role}>
      {text && <p>{text}</p>}
    </div>
  );
}
