// Shared by tests of the chat with the scripted bot: the options of the page, a check that the chat works, and signals
// and messages as the server would send them.
import type { ChatPage } from '../chat-page.ts';
import { expect, scriptedBot } from '../fixtures.ts';
import { strictCsp } from '../host-page.ts';

/** The scripted bot, a page under the strictest policy with media, and the optional buttons. */
export const scriptedChat = {
  env: scriptedBot,
  csp: strictCsp('PLATFORM', { media: true }),
  attributes: 'data-feedback-enabled data-allow-file-upload',
};

/** Lets the page read a response that a test fulfils in place of the server. */
export const cors = { 'access-control-allow-origin': '*' };
export const media = (chat: ChatPage, name: string) => `${chat.platform.url}/demo/media/${name}`;

/** Injects signals into the event stream; needs `watch` of hostile/canary.ts. */
export const injectSignals = (chat: ChatPage, ...signals: unknown[]) =>
  chat.page.evaluate((all) => window.serverSays(...all), signals);
export const botMessage = (id: string, payload: object, more: object = {}) => ({
  id,
  createdAt: new Date().toISOString(),
  userId: 'somebot',
  conversationId: 'x',
  isBot: true,
  payload,
  ...more,
});

/** Checks that the chat works: a message is sent, and the answer is shown. */
export async function alive(chat: ChatPage): Promise<void> {
  const text = `Still here ${Math.random()}`;
  await chat.send(text);
  // Not the last one: a message that was not sent before may be answered after it.
  const answer = `received text {"type":"text","text":"${text}"}`;
  await expect(chat.botRows.filter({ hasText: answer })).toHaveCount(1);
}
