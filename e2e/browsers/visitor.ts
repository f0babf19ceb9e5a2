// A visitor in some browser: what they see and do, and what the server has of it. It knows the chat and no engine.
import assert from 'node:assert/strict';
import { ChatClient } from '../../src/client/index.ts';
import type { Message } from '../../src/protocol/message.ts';
import type { Driver, Key } from './driver.ts';

/** Milliseconds a condition may take to come true. */
const patience = 15_000;

/** Something in the chat, as it is on the screen. */
export interface Thing {
  /** What it says; of a text box, what is in it. */
  text: string;
  label: string;
  status: string;
  left: number;
  top: number;
  width: number;
  height: number;
  hasFocus: boolean;
  /** Its focus is marked. */
  isMarked: boolean;
  /** Its middle is covered by nothing. */
  isFree: boolean;
}

/** Whatever `condition` gives once it is neither false nor undefined. */
export async function until<T>(
  what: string,
  condition: () => Promise<T | false | undefined> | T | false | undefined,
): Promise<T> {
  const end = Date.now() + patience;
  for (;;) {
    const result = await condition();
    if (result !== false && result !== undefined) return result;
    if (Date.now() > end) throw new Error(`Waited in vain for ${what}.`);
    // Between two looks.
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const matches = (text: string, wanted: string | RegExp) =>
  typeof wanted === 'string' ? text.includes(wanted) : wanted.test(text);

export class Visitor {
  readonly driver: Driver;
  /** The chat as the browser reaches it, and as the test does. */
  readonly #chatUrl: string;
  readonly #serverUrl: string;

  constructor(driver: Driver, chatUrl: string, serverUrl: string) {
    this.driver = driver;
    this.#chatUrl = chatUrl;
    this.#serverUrl = serverUrl;
  }

  /** What the selector finds in the chat and can be seen; in a frame of the page, if one is given. */
  look(selector: string, frame = -1): Promise<Thing[]> {
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
              isMarked: style.outlineStyle !== 'none' && Number.parseFloat(style.outlineWidth) >= 2,
              isFree: !!hit && element.contains(hit),
            };
          });
      },
      selector,
      frame,
    );
  }

  /** Waits until this is seen, with this text or label; gives the last of them. */
  see(selector: string, text: string | RegExp = '', frame?: number): Promise<Thing> {
    return until(`${selector} ${text}`, async () =>
      (await this.look(selector, frame)).findLast((thing) => matches(`${thing.text}\n${thing.label}`, text)),
    );
  }

  /** Waits until there are so many of these. */
  async count(selector: string, count: number): Promise<Thing[]> {
    let things: Thing[] = [];
    const enough = async () => {
      things = await this.look(selector);
      return things.length === count && things;
    };
    return until(`${count} times ${selector}`, enough).catch((error) => {
      throw new Error(`${error.message} There are ${things.length}.`);
    });
  }

  /** Waits until this is seen and moves no more. */
  async rest(selector: string, text: string | RegExp = '', isFree = false): Promise<Thing> {
    let before: Thing | undefined;
    return until(`${selector} ${text} to be at rest${isFree ? ' and free' : ''}`, async () => {
      // A look between two frames shows what the last one did.
      await this.driver.evaluate(
        () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => drawn(0)))),
      );
      const now = await this.see(selector, text);
      const isAtRest = before?.left === now.left && before.top === now.top && before.height === now.height;
      before = now;
      return isAtRest && (now.isFree || !isFree) && now;
    });
  }

  /** Clicks with the mouse, once it is at rest and nothing covers it. */
  async click(selector: string, text: string | RegExp = ''): Promise<void> {
    const { left, top, width, height } = await this.rest(selector, text, true);
    await this.driver.click(left + width / 2, top + height / 2);
  }

  press(key: Key): Promise<void> {
    return this.driver.press(key);
  }

  /** Opens the window with the mouse, and waits for the bot's greeting (or another answer): the conversation runs. */
  async open(url?: string, answer = 'demo bot'): Promise<void> {
    if (url) await this.driver.goto(url);
    await this.click('.launcher');
    await this.see('.row[data-side="bot"]', answer);
    // In the text box, ready to write.
    await until('the focus in the text box', async () => (await this.see('.box-input')).hasFocus);
  }

  /** Types and sends, and waits until the server has it. */
  async say(text: string): Promise<void> {
    await this.click('.box-input');
    await this.driver.type(text);
    await this.press('Enter');
    await this.see('.row[data-side="visitor"][data-status="sent"]', text);
  }

  /** Says something, and waits for the puppet's answer to it. */
  async exchange(text: string): Promise<void> {
    await this.say(text);
    await this.see('.row[data-side="bot"]', `received text {"type":"text","text":"${text}"}`);
  }

  /** What every message says, in order. */
  async texts(): Promise<string[]> {
    return (await this.look('.row .text')).map(({ text }) => text);
  }

  /** What the browser keeps about the visit. */
  async stored(): Promise<{ userKey?: string; conversationId?: string; draft?: string }> {
    const text = await this.driver.evaluate(
      (key) => localStorage.getItem(key),
      `platform-webchat:${this.#chatUrl}`,
    );
    return JSON.parse(text ?? '{}');
  }

  /** The same visitor on another device, which speaks the API. */
  async elsewhere(): Promise<{ client: ChatClient; conversationId: string }> {
    const { userKey, conversationId } = await this.stored();
    assert.ok(conversationId, 'the browser has stored no conversation');
    return { client: new ChatClient({ chatUrl: this.#serverUrl, userKey }), conversationId };
  }

  /** Instructs the scripted bot (e2e/support/scripted-bot.js). */
  async tell(orders: object): Promise<void> {
    const { client, conversationId } = await this.elsewhere();
    await client.createMessage({ conversationId, payload: { type: 'text', text: JSON.stringify(orders) } });
  }

  /** The messages as the server has them, oldest first. */
  async serverMessages(): Promise<Message[]> {
    const { client, conversationId } = await this.elsewhere();
    return (await client.list.messages({ conversationId }).collect()).reverse();
  }

  /** What the server has as texts, oldest first. */
  async serverTexts(): Promise<string[]> {
    return (await this.serverMessages()).map(({ payload }) =>
      'text' in payload ? payload.text : payload.type,
    );
  }
}
