// Values that belong to conversations, each with an id. A conversation without values takes no memory.
export interface ConversationEntries<V> {
  has(conversationId: string): boolean;
  get(conversationId: string, id: string): V | undefined;
  set(conversationId: string, id: string, value: V): void;
  /** Returns the value that was deleted. */
  delete(conversationId: string, id: string): V | undefined;
  /** The values of a conversation by their ids, in the order in which they were set. A copy: values may be deleted meanwhile. */
  list(conversationId: string): [id: string, value: V][];
}

export function createConversationEntries<V>(): ConversationEntries<V> {
  const conversations = new Map<string, Map<string, V>>();
  return {
    has: (conversationId) => conversations.has(conversationId),
    get: (conversationId, id) => conversations.get(conversationId)?.get(id),
    set(conversationId, id, value) {
      const values = conversations.get(conversationId) ?? new Map<string, V>();
      conversations.set(conversationId, values.set(id, value));
    },
    delete(conversationId, id) {
      const values = conversations.get(conversationId);
      const value = values?.get(id);
      values?.delete(id);
      if (values?.size === 0) conversations.delete(conversationId);
      return value;
    },
    list: (conversationId) => [...(conversations.get(conversationId) ?? [])],
  };
}
