// The tools of the page: adds offers of the page to requests of the visitor, and runs the tools that the bot calls. Installed when
// the page has registered a tool or a context, or the tab has begun a call on an earlier page.
import { clientMessageIdKey } from '../../../protocol/message.ts';
import type { SessionInternals } from '../../chat/session/context.ts';
import { type Calls, createCalls } from './calls.ts';
import { createOffers } from './offer.ts';
import { openTab } from './tab.ts';

const installed = new WeakMap<SessionInternals, Calls>();

/** Puts the tools of the page around a session. Called again when the page has registered something. */
export function installPageTools(internals: SessionInternals): void {
  const tools = installed.get(internals);
  tools?.scan();
  if (tools) return;
  const { widget, client } = internals;
  const isKept = () => widget.configuration.storageLocation !== 'memory' && !widget.signal.aborted;
  const tab = openTab(widget.storageKey, isKept);
  const offers = createOffers(internals, tab);
  const calls = createCalls(internals, offers, tab);
  installed.set(internals, calls);
  widget.pageTools = {
    ...calls,
    offer: offers.collect,
    forget() {
      // The connection is still that of the visitor before.
      const { conversationId } = widget.storage.read();
      // A visitor who was merged into the user who logs in keeps the conversation, with its calls.
      if (conversationId && conversationId === internals.getConversation()?.id) tab.keepId();
      else tab.forget();
    },
  };

  const { createMessage } = client;
  /** The offers that go with messages that are not sent yet: the page is asked once for each. */
  const collected = new Map<unknown, ReturnType<typeof offers.collect>>();
  client.createMessage = async (input, options) => {
    const key = input.metadata?.[clientMessageIdKey];
    const collecting = collected.get(key) ?? offers.collect();
    collected.set(key, collecting);
    const offer = await collecting;
    options?.signal?.throwIfAborted();
    const response = await createMessage(offer ? { ...input, client: offer } : input, options);
    collected.delete(key);
    return response;
  };
}
