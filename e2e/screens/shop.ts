// The example data of a server: a shop with a bot, documents, a team, and visitors whose conversations fill each list of the inbox.
import { ChatClient, Client } from '../../src/client/index.ts';
import type { Payload } from '../../src/protocol/message.ts';
import { pollUntil } from '../support/poll.ts';
import type { PlatformServer } from '../support/server.ts';
import { botClientsOf } from '../support/test-data/bot-clients.ts';

export interface Shop {
  botId: string;
  /** The bot that has no data yet. */
  newBotId: string;
  /** The ids of conversations, by the name of the visitor. */
  conversations: Record<string, string>;
  /** The account of the owner, to whom the pages of the console belong. */
  owner: Account;
  /** The account of a member who may only read. */
  viewer: Account;
}

interface Account {
  email: string;
  password: string;
}
const owner: Account = { email: 'ada@example.com', password: 'four words that stay together' };
const viewer: Account = { email: 'dana@example.com', password: 'four words that nobody guesses' };
const members = [
  [owner.email, 'owner', 'Ada Winter'],
  ['ben@example.com', 'manager', 'Ben Ito'],
  ['cleo@example.com', 'support', 'Cleo Marsh'],
  [viewer.email, 'viewer', 'Dana Roth'],
] as const;

const documents = {
  'delivery.md': '# Delivery\n\nWe deliver in three days. Parcels to islands take a week.',
  'returns.md': '# Returns\n\nYou can send everything back within 30 days. The postage is ours.',
  'warranty.md': '# Warranty\n\nTwo years on all products, and five years on frames.',
  'opening-hours-of-all-our-shops-in-europe-2026.md': '# Opening hours\n\nMonday to Friday, 9 to 18.',
};

const answer = (markdown: string): Payload => ({ type: 'markdown', markdown });
const text = (words: string): Payload => ({ type: 'text', text: words });

/** Fills a server of the scripted bot, and returns the ids of the data. */
export async function createShop(platform: PlatformServer): Promise<Shop> {
  const { url: apiUrl, admin: credentials, chatUrl } = platform;
  const { botId, admin, runtime } = await botClientsOf(platform);
  await admin.setBotWebchat({
    id: botId,
    configuration: {
      botName: 'Shop help',
      botDescription: 'Answers questions about orders',
      color: '#7c3aed',
    },
  });
  await admin.setBotDeployment({ id: botId, visitorHandoff: true });
  const ids: string[] = [];
  for (const [email, role, displayName] of members)
    ids.push((await admin.createWorkspaceMember({ email, role, displayName })).id);
  const [ownerId = '', , cleoId = '', viewerId = ''] = ids;
  const setPassword = async (id: string, password: string) => {
    const { url: link = '' } = await admin.createMemberLink({ id, purpose: 'reset' });
    await fetch(`${apiUrl}/v1/session/link/use`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify({ token: new URL(link).hash.split('=')[1], password }),
    });
  };
  await setPassword(ownerId, owner.password);
  await setPassword(viewerId, viewer.password);
  const clientOf = async (memberId: string) => {
    const { value } = await admin.createToken({ name: 'Laptop', kind: 'personal', memberId });
    return new Client({ apiUrl, workspaceId: credentials.workspaceId, token: value });
  };
  const [ada, cleo] = [await clientOf(ownerId), await clientOf(cleoId)];
  await admin.createToken({ name: 'Import of products', kind: 'personal' });
  await admin.createToken({ name: 'Shop system', kind: 'bot', botId });
  const files = new Client({ apiUrl, ...credentials, botId });
  const { knowledgeBase } = await files.createKnowledgeBase({ name: 'Shop' });
  for (const [key, content] of Object.entries(documents))
    await files.uploadFile({ key, content, index: true, tags: { kbId: knowledgeBase.id } });
  for (const [name, words] of [
    ['Greeting', 'Hello {{visitor.name}}, here is {{member.name}}. How can I help?'],
    ['Delivery', 'Your order {{order}} arrives within three days.'],
    ['Returns', 'You can send everything back within 30 days.'],
  ] as const)
    await ada.createCannedAnswer({ scope: 'workspace', name, text: words });
  for (const name of ['Orders', 'Repairs']) await ada.createTeam({ name, mode: 'round_robin' });

  const conversations: Record<string, string> = {};
  const begin = async (name: string, ...texts: string[]): Promise<{ id: string; visitor: ChatClient }> => {
    const { key: userKey } = await new ChatClient({ chatUrl }).createUser({ name });
    const visitor = new ChatClient({ chatUrl, userKey });
    const { conversation } = await visitor.createConversation({});
    conversations[name] = conversation.id;
    // The greeting comes first.
    const hasGreeting = async () => {
      const { messages } = await visitor.listMessages({ conversationId: conversation.id });
      return messages.length > 0;
    };
    await pollUntil('the greeting of the bot', hasGreeting);
    for (const words of texts)
      await visitor.createMessage({ conversationId: conversation.id, payload: text(words) });
    return { id: conversation.id, visitor };
  };
  const reply = async (member: Client, id: string, words: string) => {
    const { seq } = await member.getInboxTimeline({ id });
    await member.createReply({ id, payload: text(words), seenSeq: seq });
  };

  // With the bot.
  const withBot = await begin('Kim Larsen', 'The lamp flickers. What should I do?');
  await runtime.createMessage({
    conversationId: withBot.id,
    payload: answer('Try this:\n\n1. Switch it off.\n2. Change the **bulb**.\n3. Switch it on again.'),
  });
  await begin('Yuki', 'Do you ship to Japan?');
  // Nobody answers yet.
  for (const [name, words, note] of [
    ['Omar Haddad', 'Can I change the address of my order?', 'Order A-1043, not sent yet'],
    ['Lena Fischer', 'My parcel has not arrived. Can somebody look?', undefined],
    [
      'Bartholomäus von Hohenzollern-Sigmaringen',
      'I have a long question: my bicycle, which I bought with you in spring, makes a noise when I brake. Is that a case for the warranty, or should I bring it to a shop?',
      undefined,
    ],
  ] as const) {
    const { id } = await begin(name, words);
    await runtime.requestHandoff({ id, reason: 'The visitor asked for a person', ...(note && { note }) });
  }
  // Ada answers.
  const own = await begin('Grace Okafor', 'The frame of my bicycle is scratched.', 'It was new yesterday.');
  await runtime.createMessage({
    conversationId: own.id,
    payload: answer('I am sorry to hear that. I ask somebody of our team.'),
  });
  await runtime.requestHandoff({ id: own.id, reason: 'damage', note: 'Order A-1001, delivered yesterday' });
  await ada.takeConversation({ id: own.id });
  await reply(ada, own.id, 'Hello Grace, here is Ada. Can you send us a picture of it?');
  await own.visitor.createMessage({
    conversationId: own.id,
    payload: { type: 'image', imageUrl: `${apiUrl}/demo/media/photo.svg`, title: 'scratch.svg' },
  });
  await own.visitor.createMessage({
    conversationId: own.id,
    payload: text('Here it is: https://example.com/a'),
  });
  await ada.createNote({ id: own.id, body: '@Cleo Marsh do we have this frame in *green*?' });
  await cleo.createNote({ id: own.id, body: 'Two are left in the store.' });
  await reply(ada, own.id, 'Thank you. We send you a new frame, and you keep the old one.');
  await own.visitor.createMessage({ conversationId: own.id, payload: text('That is wonderful!') });
  // Cleo answers, one is put aside, and one is closed.
  const other = await begin('Noah', 'Is the green one in stock?');
  await runtime.requestHandoff({ id: other.id });
  await cleo.takeConversation({ id: other.id });
  await reply(cleo, other.id, 'Yes, three of them.');
  const aside = await begin('Mia', 'I will call you on Monday.');
  await runtime.requestHandoff({ id: aside.id });
  await ada.takeConversation({ id: aside.id });
  await reply(ada, aside.id, 'Good, until then.');
  await ada.snoozeConversation({ id: aside.id });
  const closed = await begin('Paul', 'Thank you, everything has arrived.');
  await runtime.requestHandoff({ id: closed.id });
  await cleo.takeConversation({ id: closed.id });
  await reply(cleo, closed.id, 'You are welcome.');
  await cleo.closeInboxConversation({ id: closed.id });
  const { rating } = await closed.visitor.listActivities({ id: closed.id });
  if (rating)
    await closed.visitor.rateConversation({
      id: closed.id,
      handoffId: rating.handoffId,
      rating: 5,
      comment: 'Quick and friendly',
    });

  const { bot } = await admin.createBot({ name: 'Repairs' });
  return { botId, newBotId: bot.id, conversations, owner, viewer };
}
