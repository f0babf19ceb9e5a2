// Loads names and pictures of the other participants, for messages that neither the visitor nor the bot wrote.
import { listParticipants } from '../../../../client/operations/chat.ts';
import type { User } from '../../../../protocol/user.ts';
import type { Participant } from '../../store/store.ts';
import type { SessionInternals } from '../context.ts';
import { retryWithBackoff } from '../retry.ts';

/** Loads the participants whenever somebody writes or types who is not known yet, until `scope` ends. */
export function loadParticipants(internals: SessionInternals, scope: AbortSignal): void {
  const { store, identity, getConversation } = internals;
  const client = internals.client.with({ listParticipants });
  /** The authors that were already requested, and those who type. */
  const [authors, typists] = [new Set<string>(), new Set<string>()];
  let loading: Promise<unknown> | undefined;

  /** Never rejects. `missing`: authors who have a name afterwards. */
  const load = async (missing: readonly string[]) => {
    const conversationId = getConversation()?.id;
    if (!conversationId) return;
    // Users who have left are not in the list, and would seem to be the bot without a name.
    const absent = store.state.webchat?.botUserId ? missing : [];
    const loaded = new Map<string, Participant>(
      absent.map((id) => [id, { name: id, pictureUrl: undefined }]),
    );
    const list = async () => {
      let nextToken: string | undefined;
      do {
        const page = await client.listParticipants(
          { conversationId, ...(nextToken && { nextToken }) },
          { signal: scope },
        );
        for (const { id, name, pictureUrl } of page.participants as Partial<User>[]) {
          if (typeof id === 'string')
            loaded.set(id, { name: (typeof name === 'string' && name) || id, pictureUrl });
        }
        nextToken = page.meta.nextToken;
      } while (nextToken);
    };
    await retryWithBackoff(list, { signal: scope }).catch(() => {});
    if (scope.aborted) return;
    loaded.delete(identity.userId ?? '');
    store.setParticipants(new Map([...store.state.participants, ...loaded]));
  };

  const nameAuthors: SessionInternals['nameAuthors'] = async (messages) => {
    const { userId } = identity;
    const bot = store.state.webchat?.botUserId;
    const missing: string[] = [];
    for (const message of messages) {
      const id = message.userId;
      // From the wire: of any type.
      if (typeof id !== 'string' || !id || id === userId || id === bot || authors.has(id)) continue;
      if (store.personOf(message)) continue;
      authors.add(id);
      missing.push(id);
    }
    if (missing.length > 0) loading = Promise.all([loading, load(missing)]);
    await loading;
  };
  internals.nameAuthors = nameAuthors;

  const end = store.observe(() => {
    const { outline, typing, participants, webchat } = store.state;
    void nameAuthors(outline);
    // A person of the team is not in the list: the window knows who answers.
    const isKnown =
      !typing || typing === webchat?.botUserId || participants.has(typing) || typists.has(typing);
    if (isKnown) return;
    typists.add(typing);
    void load([]);
  });
  scope.addEventListener('abort', end);
}
