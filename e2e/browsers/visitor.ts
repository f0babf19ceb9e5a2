// A visitor in any of the browsers: the visible chat, the actions of the visitor, and the data that the server has
// stored.
import assert from 'node:assert/strict';
import { ChatClient } from '../../src/client/index.ts';
import type { Message } from '../../src/protocol/message.ts';
import { pollUntil } from '../support/poll.ts';
import type { Driver } from './driver.ts';
import { Screen } from './screen.ts';

export class Visitor extends Screen {
  /** The address of the chat for the browser, and for the test itself. */
  readonly #chatUrl: string;
  readonly #serverUrl: string;

  constructor(driver: Driver, chatUrl: string, serverUrl: string) {
    super(driver, 'platform-webchat');
    this.#chatUrl = chatUrl;
    this.#serverUrl = serverUrl;
  }

  /** Opens the window with the mouse, and waits for the bot's greeting (or another answer) and the focus. */
  async openConversation(url?: string, answer = 'demo bot'): Promise<void> {
    if (url) await this.driver.goto(url);
    await this.click('.launcher');
    await this.waitFor('.row[data-side="bot"]', answer);
    await pollUntil('the text box has the focus', async () => (await this.waitFor('.box-input')).hasFocus);
  }

  /** Types and sends a message, and waits until the server has stored it. */
  async send(text: string): Promise<void> {
    await this.click('.box-input');
    await this.driver.type(text);
    await this.press('Enter');
    await this.waitFor('.row[data-side="visitor"][data-status="sent"]', text);
  }

  /** Sends a message, and waits for the scripted bot's answer. */
  async exchange(text: string): Promise<void> {
    await this.send(text);
    await this.waitFor('.row[data-side="bot"]', `received text {"type":"text","text":"${text}"}`);
  }

  /** The text of every message, in order. */
  async messageTexts(): Promise<string[]> {
    return (await this.query('.row .text')).map(({ text }) => text);
  }

  /** The session that the browser has stored. */
  async storedSession(): Promise<{ userKey?: string; conversationId?: string; draft?: string }> {
    const text = await this.driver.evaluate(
      (key) => localStorage.getItem(key),
      `platform-webchat:${this.#chatUrl}`,
    );
    return JSON.parse(text ?? '{}');
  }

  /** The same visitor on another device, as an API client. */
  async otherDevice(): Promise<{ client: ChatClient; conversationId: string }> {
    const { userKey, conversationId } = await this.storedSession();
    assert.ok(conversationId, 'the browser has stored no conversation');
    return { client: new ChatClient({ chatUrl: this.#serverUrl, userKey }), conversationId };
  }

  /** Sends instructions to the scripted bot (support/bots/scripted-bot.js). */
  async instructBot(orders: object): Promise<void> {
    const { client, conversationId } = await this.otherDevice();
    await client.createMessage({ conversationId, payload: { type: 'text', text: JSON.stringify(orders) } });
  }

  /** The messages that the server has stored, oldest first. */
  async serverMessages(): Promise<Message[]> {
    const { client, conversationId } = await this.otherDevice();
    return (await client.list.messages({ conversationId }).collect()).reverse();
  }

  /** The texts of these messages, or their types if they have no text. */
  async serverTexts(): Promise<string[]> {
    return (await this.serverMessages()).map(({ payload }) =>
      'text' in payload ? payload.text : payload.type,
    );
  }
}
