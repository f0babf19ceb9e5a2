// Another desk, which answers visitors as a person with the Runtime API.
import { AdminClient, RuntimeClient } from '../../src/client/index.ts';
import type { ChatPage } from '../support/chat-page.ts';
import { expect } from '../support/fixtures.ts';
import type { PlatformServer } from '../support/server.ts';

const adminOf = ({ url, admin }: PlatformServer) => new AdminClient({ apiUrl: url, ...admin });

async function botOf(client: AdminClient) {
  const [bot] = (await client.listBots({})).bots;
  if (!bot) throw new Error('The server has no bot.');
  return bot;
}

/** Lets all visitors ask for a person, and returns the desk. */
export async function openDesk(platform: PlatformServer): Promise<RuntimeClient> {
  const { url } = platform;
  const client = adminOf(platform);
  const bot = await botOf(client);
  const { value: token } = await client.createToken({ name: 'desk', kind: 'bot', botId: bot.id });
  await client.setBotDeployment({ id: bot.id, visitorHandoff: true });
  return new RuntimeClient({ apiUrl: url, token, botId: bot.id });
}

/** Leaves the server as it was, for other tests. */
export async function closeDesk(platform: PlatformServer): Promise<void> {
  const client = adminOf(platform);
  await client.setBotDeployment({ id: (await botOf(client)).id, visitorHandoff: false });
}

/** The person who answers there. Her picture is on the server. */
export const ada = ({ url }: PlatformServer) => ({ name: 'Ada', pictureUrl: `${url}/demo/media/icon.svg` });

/** The visitor opens the chat. */
export async function openChat(chat: ChatPage): Promise<void> {
  await chat.startConversation();
}

/** The visitor opens the chat and asks for a person. Returns the id of the conversation. */
export async function waitForPerson(chat: ChatPage): Promise<string> {
  await openChat(chat);
  await chat.choose('Talk to a person');
  await expect(chat.window.locator('[part="handling"]')).toContainText('Waiting for a person');
  return (await chat.storedSession()).conversationId ?? '';
}

/** Ada takes the conversation of the visitor and answers. Returns its id. */
export async function answerAsAda(
  desk: RuntimeClient,
  chat: ChatPage,
  text = 'It is on its way.',
): Promise<string> {
  const conversationId = (await chat.storedSession()).conversationId ?? '';
  await desk.requestHandoff({ id: conversationId });
  await desk.acceptHandoff({ id: conversationId, person: ada(chat.platform) });
  await desk.createMessage({ conversationId, payload: { type: 'text', text }, as: 'person' });
  await expect(chat.botRows.last()).toContainText(text);
  return conversationId;
}
