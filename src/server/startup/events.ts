// Events of the server that metrics count, as channels of node:diagnostics_channel, so that no part of the server
// depends on the metrics. Without the setting METRICS there is no listener, and an event costs a comparison.
import { channel } from 'node:diagnostics_channel';

/** The data of each event, by its name. No field may have many different texts, because they become labels. */
export interface DiagnosticEvents {
  /** A statement or write of the database runs again: the code of the error (SQLSTATE), or `connection`. */
  databaseRetry: { code: string };
  /** Requests are stored in one transaction. `waitMs`: milliseconds that the first of them has waited for others. */
  group: { size: number; waitMs: number };
  /** A message of another process has arrived. `ms`: milliseconds since it was sent, by the clocks of both machines. */
  relayed: { ms: number };
  /**
   * A signal of another process did not arrive and was read from the log: `relay`: a later one had arrived; `tail`: it was
   * the last one, which only the regular check finds.
   */
  gap: { source: 'relay' | 'tail' };
  /** This process lost a lease: that of its bot events, or of background work. */
  leaseLost: { kind: 'bot_events' | 'background' };
  /** A write was refused because another process does the work now. */
  fenced: { kind: 'bot_event' | 'background' | 'upload' };
  /** Another request has taken over an upload, perhaps at another process. */
  uploadTakenOver: object;
}

const channelOf = (name: string) => channel(`platform-webchat:${name}`);
const channels = new Map<string, ReturnType<typeof channelOf>>();

function find(name: string): ReturnType<typeof channelOf> {
  const found = channels.get(name) ?? channelOf(name);
  channels.set(name, found);
  return found;
}

/** Publishes an event to the metrics. */
export function publish<Name extends keyof DiagnosticEvents>(
  name: Name,
  event: DiagnosticEvents[Name],
): void {
  const found = find(name);
  if (found.hasSubscribers) found.publish(event);
}

/** Calls `listener` with each event of a name; the result ends it. */
export function subscribe<Name extends keyof DiagnosticEvents>(
  name: Name,
  listener: (event: DiagnosticEvents[Name]) => void,
): () => void {
  const found = find(name);
  const call = (event: unknown) => listener(event as DiagnosticEvents[Name]);
  found.subscribe(call);
  return () => void found.unsubscribe(call);
}
