// The pages on which visitors are, for members who look at their conversations. A page is kept with the open stream of its visitor,
// and nowhere else: it is neither stored nor replayed, and nobody is told while no member looks.
import { limits } from '../../protocol/limits.ts';
import type { VisitorPage } from '../../protocol/types/visitors.ts';
import type { PubSub } from './pub-sub.ts';

/** A message to the members of a workspace. `page`: null if it is shared no more. */
export interface ToldPage {
  conversationId: string;
  page: VisitorPage | null;
}

export interface VisitorPages {
  /** The page of the owner of a conversation. Without an open stream it has no effect. */
  set(conversationId: string, userId: string, page: VisitorPage | null): void;
  /** A member looks at the conversation: its page is told now, and when it changes in the next `limits.inbox.presence`. */
  look(conversationId: string, workspaceId: string): void;
  /** Calls `listener` with the pages to tell. */
  follow(listener: (workspaceId: string, told: ToldPage) => void): void;
}

/** The pages of the streams of this process. */
export function createVisitorPages(pubSub: Pick<PubSub, 'subscribersOf'>): VisitorPages {
  /** The conversations that members look at, in the order of the last look; `until`: on the clock of performance.now(). */
  const watched = new Map<string, { workspaceId: string; until: number }>();
  let tell: (workspaceId: string, told: ToldPage) => void = () => {};

  const ownersOf = (conversationId: string) =>
    [...pubSub.subscribersOf(conversationId)].filter(({ userId, ownerId }) => userId === ownerId);

  function forgetOld(): void {
    for (const [id, { until }] of watched) {
      if (until > performance.now()) return;
      watched.delete(id);
    }
  }

  return {
    follow(listener) {
      tell = listener;
    },
    set(conversationId, userId, page) {
      const own = ownersOf(conversationId).filter((subscriber) => subscriber.userId === userId);
      const wasKnown = own.some((subscriber) => subscriber.page);
      for (const subscriber of own) subscriber.page = page ?? undefined;
      forgetOld();
      const look = watched.get(conversationId);
      if (look && own.length > 0 && (page || wasKnown)) tell(look.workspaceId, { conversationId, page });
    },
    look(conversationId, workspaceId) {
      forgetOld();
      const page = ownersOf(conversationId).find((subscriber) => subscriber.page)?.page;
      // Also without a stream: a visitor who comes back is told at once.
      watched.delete(conversationId);
      watched.set(conversationId, { workspaceId, until: performance.now() + limits.inbox.presence });
      if (page) tell(workspaceId, { conversationId, page });
    },
  };
}
