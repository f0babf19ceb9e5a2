// The operations of the Chat API that a window needs, on the store of the mock server. All others are refused (handler.ts).
import type { Feedback, Metadata } from '../../../protocol/message.ts';
import type { Event } from '../../../protocol/types/chat.ts';
import { type Call, idOf, member, type Operation, publicConversation } from './call.ts';
import { checkId, checkObject, checkPayload, checkPreChatForm, checkUserFields } from './checks.ts';
import { Failure, forbidden, invalid } from './failure.ts';
import { createFile } from './files.ts';
import type { MockOperation } from './router.ts';
import { page, publicMessage, type StoredConversation, type StoredMessage } from './store.ts';

const deliver = (
  { bot, user, locale }: Call,
  conversation: StoredConversation,
  type: string,
  payload: object,
): void => bot.deliver(conversation, { type, payload, userId: user.id, locale });

/** Begins a conversation, with the answers to the form before it. */
function startConversation(call: Call, id?: string) {
  const { store, user, body } = call;
  const { name, email: _, ...preChatForm } = checkPreChatForm(body.preChatForm, store.time());
  const conversation = store.createConversation(user.id, id);
  if (name) Object.assign(user, { name });
  const payload = Object.keys(preChatForm).length > 0 ? { preChatForm } : {};
  deliver(call, conversation, 'conversation_started', payload);
  return { conversation: publicConversation(conversation) };
}

function changeFeedback(call: Call, feedback: Feedback | undefined) {
  const { message, conversation } = call.store.message(idOf(call), call.user.id);
  if (!message.isBot) throw forbidden();
  if (feedback) message.feedback = feedback;
  else delete message.feedback;
  const data = publicMessage(message);
  call.signals.publish(conversation, { type: 'message_updated', data: { ...data, isBot: true } });
  const payload = { messageId: message.id, value: 'none', ...feedback };
  deliver(call, conversation, 'feedback', payload);
  return { message: data };
}

export const operations: Partial<Record<MockOperation, Operation>> = {
  getWebchat: ({ webchat }) => webchat,

  createUser(call) {
    const { store, body } = call;
    if (checkId(body.id) !== undefined) throw forbidden();
    const at = store.time();
    const user = { id: store.id('user'), ...checkUserFields(body), createdAt: at, updatedAt: at };
    store.users.set(user.id, user);
    const made = { user, key: store.createKey(user.id) };
    return body.firstConversation === true ? { ...made, ...startConversation({ ...call, user }) } : made;
  },
  getUser: ({ user }) => ({ user }),
  updateUser({ store, user, body }) {
    Object.assign(user, checkUserFields(body), { updatedAt: store.time() });
    return { user };
  },
  renewKey: ({ store, user }) => ({ key: store.createKey(user.id) }),

  createConversation(call) {
    const id = checkId(call.body.id);
    if (id !== undefined && call.store.conversations.has(id)) {
      throw new Failure('AlreadyExists', 'A conversation with this id exists already.');
    }
    return startConversation(call, id);
  },
  getConversation: ({ store, user, path }) => ({
    conversation: publicConversation(store.conversation(path.id, user.id)),
  }),

  createMessage(call) {
    const { store, signals, user, body } = call;
    const conversation = member(call, body.conversationId);
    const payload = checkPayload(body.payload);
    const metadata =
      body.metadata === undefined ? {} : { metadata: checkObject(body.metadata, 'metadata') as Metadata };
    const ids = { userId: user.id, conversationId: conversation.id };
    const rest = { ...metadata, order: store.next(), isBot: false };
    const message: StoredMessage = { id: store.id('msg'), createdAt: store.time(), payload, ...ids, ...rest };
    conversation.messages.push(message);
    const data = publicMessage(message);
    signals.publish(conversation, { type: 'message_created', data: { ...data, isBot: false } });
    deliver(call, conversation, payload.type, payload);
    return { message: data };
  },
  listMessages(call) {
    const { messages } = member(call, idOf(call, 'conversationId'));
    const { items, meta } = page(messages, call.query.get('nextToken'));
    return { messages: items.map(publicMessage), meta };
  },
  getMessage: (call) => ({ message: publicMessage(call.store.message(idOf(call), call.user.id).message) }),
  setFeedback(call) {
    call.store.message(idOf(call), call.user.id);
    const { value, comment } = call.body;
    if (value !== 'positive' && value !== 'negative')
      throw invalid('value', 'Expected positive or negative.');
    return changeFeedback(call, { value, ...(typeof comment === 'string' ? { comment } : {}) });
  },
  deleteFeedback: (call) => changeFeedback(call, undefined),

  createEvent(call) {
    const { store, signals, user, body } = call;
    const conversation = member(call, body.conversationId);
    const payload = checkObject(body.payload, 'payload');
    const ids = { conversationId: conversation.id, userId: user.id };
    const event: Event = { id: store.id('evt'), createdAt: store.time(), payload, ...ids };
    signals.publish(conversation, { type: 'event_created', data: { ...event, isBot: false } });
    deliver(call, conversation, 'custom', payload);
    return { event };
  },
  // Nobody else is in the conversation to see it.
  setTyping(call) {
    member(call, idOf(call));
    return {};
  },
  stopStream(call) {
    member(call, idOf(call));
    call.bot.stop(String(call.body.streamId));
    return {};
  },
  createFile,
};
