// Another participant of the visitor's conversation, without a browser.
import { ChatClient } from '../../../src/client/index.ts';
import type { User, UserFields } from '../../../src/protocol/user.ts';
import type { ChatPage } from '../chat-page.ts';

export interface OtherParticipant {
  user: User;
  client: ChatClient;
  send(text: string): Promise<unknown>;
  /** Shows or hides that they type. */
  type(typing: boolean): Promise<unknown>;
}

/** Lets a new user join a conversation. `owner`: the client of the visitor. */
export async function joinConversation(
  chatUrl: string,
  owner: ChatClient,
  conversationId: string,
  fields: UserFields,
): Promise<OtherParticipant> {
  const client = new ChatClient({ chatUrl });
  const { user, key } = await client.createUser(fields);
  client.userKey = key;
  await owner.addParticipant({ conversationId, userId: user.id });
  await client.acceptInvitation({ conversationId });
  return {
    user,
    client,
    send: (text) => client.createMessage({ conversationId, payload: { type: 'text', text } }),
    type: (typing) => client.setTyping({ id: conversationId, typing }),
  };
}

/** Lets a new user join the conversation of the page. */
export async function joinChat(chat: ChatPage, fields: UserFields): Promise<OtherParticipant> {
  const { userKey, conversationId = '' } = await chat.storedSession();
  const { chatUrl } = chat.platform;
  return joinConversation(chatUrl, new ChatClient({ chatUrl, userKey }), conversationId, fields);
}
