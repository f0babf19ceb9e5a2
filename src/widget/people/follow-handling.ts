// Keeps the state of who answers a conversation up to date: reads it when the conversation is joined, and follows its
// signals.
import { listActivities } from '../../client/operations/chat.ts';
import type { Activity } from '../../protocol/handling.ts';
import type { SessionInternals } from '../chat/session/context.ts';
import { toRowMessage } from './activities.ts';
import { followReads } from './follow-reads.ts';
import { readActivities, readHandling, readRating } from './read-handling.ts';

/** Follows the conversation until `scope` ends. Shows nothing if the server does not know the operation. */
export function followHandling(internals: SessionInternals, scope: AbortSignal): void {
  const { store, incoming, getConversation } = internals;
  const conversationId = getConversation()?.id;
  if (!conversationId || scope.aborted) return;
  const client = internals.client.with({ listActivities });
  const reads = followReads(internals, conversationId, scope);
  /** Activities before the oldest loaded message: they are shown with the messages of their time. */
  let early: Activity[] = [];

  const setHandling = (value: unknown, canRequest = store.state.handling?.canRequest === true) => {
    const current = store.state.handling;
    const received = readHandling(value);
    // A response can be older than a signal that arrived before it.
    const isNewer = received && received.revision >= (current?.revision ?? 0);
    // Nothing has changed since a request was refused: the visitor may be writing a message for the team.
    const isRefused = !!current?.refused && received?.revision === current.revision;
    const newest = isNewer && !isRefused ? received : current;
    if (!newest) return;
    const rating = newest.state === 'closed' && current?.rating;
    store.setHandling({ ...newest, canRequest, ...(rating && { rating }) });
  };
  const setRating = (value: unknown) => {
    const received = readRating(value);
    const current = store.state.handling;
    if (!received || current?.state !== 'closed') return;
    // A response can be older than a signal that arrived before it.
    const isOlder = received.state === 'offered' && current.rating?.handoffId === received.handoffId;
    if (!isOlder) store.setHandling({ ...current, rating: received });
  };
  const show = (activities: Activity[]) =>
    store.receive(
      activities.map((activity) => toRowMessage(conversationId, activity)),
      () => 'activity',
    );
  const showLoaded = () => {
    const { outline, history } = store.state;
    const oldest = outline.find(({ side }) => side !== 'activity')?.createdAt ?? '';
    const isLoaded = ({ createdAt }: Activity) => history === 'complete' || createdAt >= oldest;
    const ready = early.filter(isLoaded);
    early = early.filter((activity) => !isLoaded(activity));
    if (ready.length > 0) show(ready);
  };

  const load = async () => {
    const response = await client.listActivities({ id: conversationId }, { signal: scope });
    scope.throwIfAborted();
    const { handling, canRequest, rating, activities } = response;
    setHandling(handling, canRequest);
    setRating(rating);
    if (response.hasReadReceipts) reads.enableReceipts();
    reads.setPersonRead(response.personRead);
    early = readActivities(activities);
    showLoaded();
  };

  incoming.handlers.handling_changed = (change: unknown) => {
    if (scope.aborted) return;
    setHandling(change);
    const shown = show(readActivities((Object(change) as { activities?: unknown }).activities));
    for (const { id } of shown) store.announce(id);
  };
  incoming.handlers.rating_requested = incoming.handlers.rating_given = (change: unknown) => {
    if (!scope.aborted) setRating((Object(change) as { rating?: unknown }).rating);
  };
  incoming.handlers.conversation_read = (change: unknown) => {
    const { reader } = Object(change) as { reader?: unknown };
    if (!scope.aborted && reader === 'person') reads.setPersonRead(change);
  };
  /** A server that refuses the operation has nothing to show. Requests that fail for another reason are repeated. */
  const loadOrRetry = () =>
    load().catch((error: unknown) => {
      const { code } = Object(error) as { code?: unknown };
      if (!scope.aborted && (typeof code !== 'number' || code === 429 || code >= 500)) throw error;
    });
  incoming.listMore = loadOrRetry;
  loadOrRetry().catch(() => getConversation()?.resync());
  const endHistory = store.observe(showLoaded);
  scope.addEventListener('abort', () => {
    endHistory();
    if (incoming.listMore === loadOrRetry) incoming.listMore = undefined;
  });
}
