// Loads names and pictures of the other participants, for messages that neither the visitor nor the bot wrote.
import { listParticipants } from '../../../../client/operations/chat.ts';
import type { User } from '../../../../protocol/user.ts';
import type { Participant } from '../../store/store.ts';
import type { SessionInternals } from '../context.ts';

/** Loads the participants whenever a message has an author that is not known yet, until `scope` ends. */
export function loadParticipants(internals: SessionInternals, scope: AbortSignal): void {
  const { store, getConversation } = internals;
  const client = internals.client.with({ listParticipants });
  /** The authors that were already requested. */
  const known = new Set<string>();

  const load = async (conversationId: string) => {
    const found = new Map<string, Participant>();
    let nextToken: string | undefined;
    do {
      const page = await client.listParticipants(
        { conversationId, ...(nextToken && { nextToken }) },
        { signal: scope },
      );
      scope.throwIfAborted();
      for (const { id, name, pictureUrl } of page.participants as Partial<User>[]) {
        if (typeof id === 'string') found.set(id, { name: name || id, pictureUrl });
      }
      nextToken = page.meta.nextToken;
    } while (nextToken);
    found.delete(internals.identity.userId ?? '');
    store.setParticipants(found);
  };

  const end = store.observe(() => {
    const authors = new Set<string>();
    let hasPerson = false;
    for (const { side, userId, isPerson } of store.state.outline) {
      if (side !== 'bot' || !userId) continue;
      authors.add(userId);
      hasPerson ||= isPerson;
    }
    const conversation = getConversation();
    // A single author who is not known to be a person is the bot, which is not in the list of participants.
    if (!conversation || (authors.size < 2 && !hasPerson)) return;
    const isComplete = [...authors].every((id) => known.has(id));
    for (const id of authors) known.add(id);
    // Without a participant, a message shows the name of the bot.
    if (!isComplete) load(conversation.id).catch(() => {});
  });
  scope.addEventListener('abort', end);
}
