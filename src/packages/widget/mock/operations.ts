// The operations of the Chat API on the store of the mock server, by name.
import type { Event } from '../../../protocol/event.ts';
import type { Handling } from '../../../protocol/handling/handling.ts';
import { fold } from '../../../protocol/locale/folding.ts';
import { type Feedback, type Metadata, preview } from '../../../protocol/message.ts';
import { type Call, idOf, member, type Operation, publicConversation } from './call.ts';
import { checkId, checkObject, checkPayload, checkUserFields } from './checks.ts';
import { Failure, forbidden, invalid, notFound } from './failure.ts';
import { createFile } from './files.ts';
import { participantOperations } from './participants.ts';
import type { MockOperation } from './router.ts';
import { startConversation } from './start-conversation.ts';
import { page, publicMessage, type StoredConversation, type StoredMessage } from './store.ts';

const deliver = (
  { bot, user, locale }: Call,
  conversation: StoredConversation,
  type: string,
  payload: object,
): void => bot.deliver(conversation, { type, payload, userId: user.id, locale });

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

function updateUser({ store, user, body }: Call) {
  Object.assign(user, checkUserFields(body), { updatedAt: store.time() });
  return { user };
}

const refuse = (): never => {
  throw forbidden();
};

const handlingOfBot = (call: Call): Handling => {
  member(call, idOf(call));
  return { conversationId: idOf(call), revision: 0, state: 'bot' };
};

/** All operations except the stream. A new operation of the Chat API needs one here. */
export const operations: Record<Exclude<MockOperation, 'listenConversation'>, Operation> = {
  getWebchat: ({ webchat }) => webchat,

  createUser(call) {
    const { store, body } = call;
    if (checkId(body.id) !== undefined) throw forbidden();
    const at = store.time();
    const user = { id: store.id('user'), ...checkUserFields(body), createdAt: at, updatedAt: at };
    store.users.set(user.id, user);
    const made = { user, key: store.createKey(user.id) };
    return body.firstConversation === true
      ? { ...made, ...startConversation({ ...call, user }, undefined) }
      : made;
  },
  getUser: ({ user }) => ({ user }),
  updateUser,
  getOrCreateUser: (call) =>
    Object.keys(checkUserFields(call.body)).length > 0 ? updateUser(call) : { user: call.user },
  // No application signs keys for the mock, and only a user of such a key can take over another user.
  mergeUser: refuse,
  deleteUser({ store, signals, user }) {
    store.users.delete(user.id);
    for (const conversation of store.conversations.values()) {
      signals.end(conversation.id, conversation.ownerId === user.id ? undefined : user.id);
      conversation.participants.delete(user.id);
      if (conversation.ownerId === user.id) store.conversations.delete(conversation.id);
    }
    return {};
  },
  renewKey: ({ store, user }) => ({ key: store.createKey(user.id) }),
  revokeKey({ store, signals, user, key }) {
    store.keys.delete(key);
    signals.endUser(user.id);
    return {};
  },
  revokeKeys({ store, signals, user }) {
    for (const [key, id] of store.keys) if (id === user.id) store.keys.delete(key);
    signals.endUser(user.id);
    return {};
  },

  createConversation(call) {
    const id = checkId(call.body.id);
    if (id !== undefined && call.store.conversations.has(id)) {
      throw new Failure('AlreadyExists', 'A conversation with this id exists already.');
    }
    return startConversation(call, id);
  },
  getOrCreateConversation(call) {
    const id = checkId(call.body.id);
    if (id === undefined) throw invalid('id', 'Expected string.');
    const existing = call.store.conversations.get(id);
    if (!existing) return startConversation(call, id);
    if (existing.ownerId !== call.user.id) throw forbidden();
    return { conversation: publicConversation(existing) };
  },
  listConversations({ store, user, query }) {
    const own = [...store.conversations.values()].filter(({ ownerId }) => ownerId === user.id);
    const { found, meta } = page(own, query.get('nextToken'));
    return { conversations: found.map(publicConversation), meta };
  },
  getConversation: (call) => ({
    conversation: publicConversation(call.store.joined(idOf(call), call.user.id)),
  }),
  deleteConversation(call) {
    const { id, ownerId } = call.store.joined(idOf(call), call.user.id);
    if (ownerId !== call.user.id) throw forbidden();
    call.store.conversations.delete(id);
    call.signals.end(id);
    return {};
  },

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
  searchMessages({ store, user, query }) {
    const text = fold(query.get('text') ?? '').trim();
    if (!text) throw invalid('text', 'Expected a text that is not blank.');
    const own = [...store.conversations.values()].filter(({ ownerId }) => ownerId === user.id).reverse();
    const all = own.flatMap(({ messages }) => [...messages].reverse());
    const matches = all.filter(({ payload }) => fold(preview(payload)).includes(text)).reverse();
    const { found, meta } = page(matches, query.get('nextToken'));
    return { messages: found.map(publicMessage), meta };
  },
  listMessages(call) {
    const { found, meta } = page(
      member(call, idOf(call, 'conversationId')).messages,
      call.query.get('nextToken'),
    );
    return { messages: found.map(publicMessage), meta };
  },
  getMessage: (call) => ({ message: publicMessage(call.store.message(idOf(call), call.user.id).message) }),
  deleteMessage(call) {
    const { message, conversation } = call.store.message(idOf(call), call.user.id);
    if (message.userId !== call.user.id) throw forbidden();
    conversation.messages.splice(conversation.messages.indexOf(message), 1);
    const { id, conversationId, userId } = message;
    call.signals.publish(conversation, { type: 'message_deleted', data: { id, conversationId, userId } });
    return {};
  },
  setFeedback(call) {
    call.store.message(idOf(call), call.user.id);
    const { value, comment } = call.body;
    if (value !== 'positive' && value !== 'negative')
      throw invalid('value', 'Expected positive or negative.');
    return changeFeedback(call, { value, ...(typeof comment === 'string' ? { comment } : {}) });
  },
  deleteFeedback: (call) => changeFeedback(call, undefined),
  // The bot of the mock cannot ask.
  respondToInterrupt: () => {
    throw notFound();
  },
  claimInterrupt: () => {
    throw notFound();
  },
  // The mock sends no mails.
  getContact: () => ({ isOffered: false }),
  setContact: refuse,
  mailTranscript: refuse,
  // Nor pushes.
  getPush: () => ({ isOffered: false }),
  setPush: ({ body }) => {
    if (body.keys) throw forbidden();
    return {};
  },
  useReturnLink: () => {
    throw forbidden();
  },
  // Nobody answers but the bot.
  requestHandoff: () => {
    throw forbidden();
  },
  cancelHandoff: (call) => ({ handling: handlingOfBot(call) }),
  closeConversation: (call) => ({ handling: handlingOfBot(call) }),
  setRead(call) {
    const own = member(call, idOf(call));
    const id = typeof call.body.messageId === 'string' ? call.body.messageId : '';
    const { message, conversation } = call.store.message(id, call.user.id);
    if (conversation !== own) throw notFound();
    return { read: { seq: own.messages.indexOf(message) + 1, until: message.createdAt } };
  },
  rateConversation(call) {
    member(call, idOf(call));
    throw notFound();
  },
  listActivities: (call) => ({ handling: handlingOfBot(call), activities: [], canRequest: false, meta: {} }),

  createEvent(call) {
    const { store, signals, user, body } = call;
    const conversation = member(call, body.conversationId);
    const payload = checkObject(body.payload, 'payload');
    const ids = { conversationId: conversation.id, userId: user.id };
    const event: Event = { id: store.id('evt'), createdAt: store.time(), payload, ...ids };
    store.events.set(event.id, event);
    signals.publish(conversation, { type: 'event_created', data: { ...event, isBot: false } });
    deliver(call, conversation, 'custom', payload);
    return { event };
  },
  getEvent(call) {
    const event = call.store.events.get(idOf(call));
    if (!event) throw notFound();
    member(call, event.conversationId);
    return { event };
  },

  setTyping(call) {
    const { id } = member(call, idOf(call));
    const data = { conversationId: id, userId: call.user.id };
    const timeout = 10_000;
    call.signals.hint(
      id,
      call.body.typing === true
        ? { type: 'typing_started', data: { ...data, timeout } }
        : { type: 'typing_stopped', data },
      call.user.id,
    );
    return {};
  },
  stopStream(call) {
    member(call, idOf(call));
    call.bot.stop(String(call.body.streamId));
    return {};
  },
  createFile,
  ...participantOperations,
};
