// The whole page: lists, conversations, one conversation and its visitor, and what is above them.
import { Dialogs } from '../dialogs/Dialogs.tsx';
import type { Inbox } from '../inbox.ts';
import { Conversation } from './Conversation.tsx';
import { ConversationList } from './ConversationList.tsx';
import { Lists } from './Lists.tsx';
import { VisitorPane } from './VisitorPane.tsx';

export function App({ inbox }: { inbox: Inbox }) {
  const { list, conversationId, isVisitorShown } = inbox.router.route.value;
  const { polite, assertive } = inbox.announcer;
  const pane = isVisitorShown ? 'visitor' : conversationId ? 'conversation' : list ? 'list' : 'lists';
  return (
    <main class="inbox" data-pane={pane}>
      <h1 class="visually-hidden">Inbox</h1>
      <Lists inbox={inbox} />
      <ConversationList key={list ?? 'mine'} inbox={inbox} list={list ?? 'mine'} />
      <section class="pane conversation" aria-label="Conversation">
        {conversationId ? (
          <Conversation key={conversationId} inbox={inbox} id={conversationId} />
        ) : (
          <p class="empty">Choose a conversation. Press ? for the keys.</p>
        )}
      </section>
      {conversationId && <VisitorPane key={`visitor ${conversationId}`} inbox={inbox} id={conversationId} />}
      <Dialogs inbox={inbox} />
      <p class="visually-hidden" role="status">
        {polite}
      </p>
      <p class="visually-hidden" role="alert">
        {assertive}
      </p>
    </main>
  );
}
