// Shows connection problems in one bar. It is empty if there are none.
import { strings } from '../strings.ts';
import type { ViewProps } from '../view.ts';

export function Notice({ store }: ViewProps) {
  const { state } = store;
  // The string of a problem has the name of the status; `connecting` is shown in the transcript.
  const isNew = state.isRenewed && state.connection === 'online';
  const key = state.isOffline ? 'offline' : isNew ? 'renewed' : state.connection;
  const text = key !== 'connecting' && key !== 'online' && strings[key];
  // A problem that prevents sending is announced at once. (A region cannot change its role, so it is replaced.)
  const role = ['unreachable', 'refused'].includes(key) ? 'alert' : 'status';
  return (
    <div key={role} class="notice" part="notice" role={role}>
      {text && <p>{text}</p>}
    </div>
  );
}
