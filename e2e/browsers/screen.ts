// Visible content and pointer positions in a browser: in the chat of a page, or in a page of the server.
import { pollUntil } from '../support/poll.ts';
import type { Driver, Key } from './driver.ts';

/** An element as it is displayed. */
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

export class Screen {
  readonly driver: Driver;
  /** The element in whose shadow root everything is; the document if it is empty. */
  readonly #host: string;

  constructor(driver: Driver, host = '') {
    this.driver = driver;
    this.#host = host;
  }

  /** Returns the visible elements that match; in a frame of the page if its index is given. */
  query(selector: string, frame = -1): Promise<ElementState[]> {
    return this.driver.evaluate(
      (selector, frame, host) => {
        const view = frame < 0 ? window : document.querySelectorAll('iframe')[frame]?.contentWindow;
        const root = host ? view?.document.querySelector(host)?.shadowRoot : view?.document;
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
      this.#host,
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
}
