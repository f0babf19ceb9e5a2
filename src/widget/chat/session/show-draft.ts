// Shows a draft that the visitor has not written in this window: of the page, or of another window.
import type { SessionContext } from './context.ts';

/** Shows the stored draft: in a new composer, which would end a recording, or as a recording wants. */
export function showDraft({ takeDraft, store }: Pick<SessionContext, 'takeDraft' | 'store'>): void {
  if (takeDraft) takeDraft();
  else store.setVisitor(store.state.visitor + 1);
}
