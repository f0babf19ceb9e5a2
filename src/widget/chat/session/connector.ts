// Connects a scope: finds or creates user and conversation, and joins it. If the server refuses one of them, it is
// forgotten and replaced.
import type { ChatClientBase } from '../../../client/chat/caller.ts';
import { NetworkError } from '../../../client/core/errors.ts';
import type { Widget } from '../../launcher-chat-interface.ts';
import type { Store } from '../store/store.ts';
import type { Identity } from './context.ts';
import { joinConversation } from './conversation/conversation-connection.ts';
import type { Incoming } from './conversation/incoming.ts';
import { isRefusal } from './errors.ts';
import { newId } from './ids.ts';
import type { SessionScope } from './session-scope.ts';

export interface Connector {
  /**
   * Requests what the server supports, until it has answered. A plain Chat API server returns 404, and the chat works without.
   * Never rejects; resolves to the error of a failed request.
   */
  loadFeatures(): Promise<unknown>;
  /** Resolves when messages can be received. Rejects as the server does. */
  connect(scope: SessionScope): Promise<void>;
  /** @param idempotencyKey the same in two tabs that start at once, so that they create only one conversation. */
  createConversation(signal: AbortSignal, idempotencyKey?: string): Promise<string>;
  /** Reports that the server cannot be reached; not again until it was reached. */
  reportUnreachable(error: unknown): void;
}

export interface ConnectorOptions {
  client: ChatClientBase;
  widget: Widget;
  store: Store;
  identity: Identity;
  incoming: Incoming;
  report(error: unknown): unknown;
  /** The user exists, so unsent messages can be shown. */
  onUser(): void;
  /** The server refuses the conversation after it was joined. */
  onRefused(): void;
}

/** How often a refused user or conversation is replaced before the refusal is reported. */
const maxReplacements = 3;

export function createConnector(options: ConnectorOptions): Connector {
  const { client, widget, store, identity, incoming, report, onUser, onRefused } = options;
  const { storage } = widget;
  /** Just created and not joined yet: none of its messages was shown. */
  let newConversationId: string | undefined;
  let isUnreachable = false;
  let loadingFeatures: Promise<unknown> | undefined;

  const loadFeatures = async () => {
    if (store.state.webchat) return;
    loadingFeatures ??= client.getWebchat({ signal: widget.signal }).then(
      (response) => {
        store.setWebchat(response);
        if (response) widget.onServerConfiguration(response.configuration);
      },
      (error) => {
        loadingFeatures = undefined;
        return error;
      },
    );
    return loadingFeatures;
  };

  const reportUnreachable = (error: unknown) => {
    if (!isUnreachable) report(error);
    isUnreachable = true;
  };

  const createConversation: Connector['createConversation'] = async (
    signal,
    idempotencyKey = `after ${storage.read().lostConversationId}`,
  ) => {
    const { conversation } = await client.createConversation({}, { signal, idempotencyKey });
    signal.throwIfAborted();
    return use(conversation.id, signal);
  };

  /** Stores the id of a conversation that was just created. */
  const use = (id: string, signal: AbortSignal): string => {
    newConversationId = id;
    storage.write({ conversationId: id, readAt: undefined });
    widget.emit('conversation', id);
    // A handler of the page may have ended the scope.
    signal.throwIfAborted();
    return id;
  };

  const join = async (id: string, scope: SessionScope) => {
    scope.connection = await joinConversation({
      client,
      store,
      incoming,
      id,
      isNew: id === newConversationId,
      scope: scope.signal,
      tabs: scope.tabs?.id === id ? scope.tabs : undefined,
      onUnreachable: () => reportUnreachable(new NetworkError('The stream was cut.')),
      onRefused,
    });
    newConversationId = undefined;
    isUnreachable = false;
  };

  /** Forgets the user or conversation that the server refused, unless another tab has replaced it already. */
  const forget = (refusedId: string | undefined, isUserRefused: boolean) => {
    const { conversationId } = storage.read();
    if (isUserRefused || conversationId === refusedId) {
      // Without a stored one, the conversation that this key created earlier was deleted (410).
      const lostConversationId = conversationId ?? newId();
      storage.write({ conversationId: undefined, lostConversationId, readAt: undefined });
    }
    // Removes messages that were listed before the refusal.
    store.reset({ keepUnsent: true });
  };

  const connect = async (scope: SessionScope, replacements = maxReplacements): Promise<void> => {
    const { signal } = scope;
    let id: string | undefined;
    try {
      const created = await identity.ensure(!storage.read().conversationId);
      signal.throwIfAborted();
      onUser();
      if (created) use(created, signal);
      id = storage.read().conversationId;
      await join(id ?? (await createConversation(signal)), scope);
    } catch (error) {
      signal.throwIfAborted();
      // 401 concerns the user; 403 and 404 concern the conversation.
      const isUserRefused = isRefusal(error) && error.code === 401;
      const canReplace = isRefusal(error) && replacements > 0 && (!isUserRefused || identity.forget());
      if (!canReplace) throw error;
      forget(id, isUserRefused);
      await connect(scope, replacements - 1);
      if (!id) return;
      report(error);
      store.setRenewed(true);
    }
  };

  return { loadFeatures, connect: (scope) => connect(scope), createConversation, reportUnreachable };
}
