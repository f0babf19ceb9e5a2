// A visitor in any of the browsers: the visible chat, the actions of the visitor, and the data that the server has
// stored.
import assert from 'node:assert/strict';
import { ChatClient } from '../../src/client/index.ts';
import type { Message } from '../../src/protocol/message.ts';
import { pollUntil } from '../support/poll.ts';
import type { Driver, Key } from './driver.ts';

/** An element of the chat as it is displayed. */
export interface ElementState {
  /** Its visible text, or the value of a text box. */
  text: string;
  label: string;
  status: string;
  left: number;
  top: number;
  width: number;
  height: number;
  hasFocus: boolean;
  /** True when it has a visible focus indicator. */
  hasFocusRing: boolean;
  /** True when nothing covers its center. */
  isUncovered: boolean;
}

const matches = (text: string, expected: string | RegExp) =>
  typeof expected === 'string' ? text.includes(expected) : expected.test(text);

export class Visitor {
  readonly driver: Driver;
  /** The address of the chat for the browser, and for the test itself. */
  readonly #chatUrl: string;
  readonly #serverUrl: string;

  constructor(driver: Driver, chatUrl: string, serverUrl: string) {
    this.driver = driver;
    this.#chatUrl = chatUrl;
    this.#serverUrl = serverUrl;
  }

  /** Returns the visible elements of the chat that match; in a frame of the page if its index is given. */
  query(selector: string, frame = -1): Promise<ElementState[]> {
    return this.driver.evaluate(
      (selector, frame) => {
        const view = frame < 0 ? window : document.querySelectorAll('iframe')[frame]?.contentWindow;
        const root = view?.document.querySelector('platform-webchat')?.shadowRoot;
        return [...(root?.querySelectorAll<HTMLElement>(selector) ?? [])]
          .filter((element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
          .map((element) => {
            const { left, top, width, height } = element.getBoundingClientRect();
            const style = getComputedStyle(element);
            const hit = root?.elementFromPoint(left + width / 2, top + height / 2);
            return {
              text: element.matches('textarea') ? (element as HTMLTextAreaElement).value : element.innerText,
              label: element.getAttribute('aria-label') ?? '',
              status: element.dataset.status ?? '',
              ...{ left, top, width, height },
              hasFocus: root?.activeElement === element,
              hasFocusRing: style.outlineStyle !== 'none' && Number.parseFloat(style.outlineWidth) >= 2,
              isUncovered: !!hit && element.contains(hit),
            };
          });
      },
      selector,
      frame,
    );
  }

  /** Waits until such an element with this text or label is visible, and returns the last one. */
  waitFor(selector: string, text: string | RegExp = '', frame?: number): Promise<ElementState> {
    return pollUntil(`${selector} ${text} is visible`, async () =>
      (await this.query(selector, frame)).findLast((thing) => matches(`${thing.text}\n${thing.label}`, text)),
    );
  }

  /** Waits until this many elements match. */
  async waitForCount(selector: string, count: number): Promise<ElementState[]> {
    let things: ElementState[] = [];
    const enough = async () => {
      things = await this.query(selector);
      return things.length === count && things;
    };
    return pollUntil(`${count} elements match ${selector}`, enough).catch((error) => {
      throw new Error(`${error.message} There are ${things.length}.`);
    });
  }

  /** Waits until the element is visible and does not move any more. */
  async waitUntilStill(
    selector: string,
    text: string | RegExp = '',
    mustBeUncovered = false,
  ): Promise<ElementState> {
    let before: ElementState | undefined;
    return pollUntil(`${selector} ${text} is still${mustBeUncovered ? ' and uncovered' : ''}`, async () => {
      // Two frames later all layout changes of the first one are visible.
      await this.driver.evaluate(
        () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => drawn(0)))),
      );
      const now = await this.waitFor(selector, text);
      const isStill = before?.left === now.left && before.top === now.top && before.height === now.height;
      before = now;
      return isStill && (now.isUncovered || !mustBeUncovered) && now;
    });
  }

  /** Clicks with the mouse when the element does not move and nothing covers it. */
  async click(selector: string, text: string | RegExp = ''): Promise<void> {
    const { left, top, width, height } = await this.waitUntilStill(selector, text, true);
    await this.driver.click(left + width / 2, top + height / 2);
  }

  press(key: Key): Promise<void> {
    return this.driver.press(key);
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
