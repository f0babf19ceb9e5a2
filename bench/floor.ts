// The floor of a measurement: a page with the same elements and styles as the chat, and without its code. The difference to
// the chat is the cost of the product.
import type { Page } from '@playwright/test';
import type { ChatPage } from './chat-page.ts';
import type { Environment, PageOptions } from './measure.ts';

/** The elements of the widget at one moment. */
export interface Snapshot {
  /** The content of the shadow root. */
  html: string;
  /** Its style sheets. */
  css: string[];
}

/** Returns the elements and the styles of the widget of a page, as they are now. */
export const takeSnapshot = (page: Page): Promise<Snapshot> =>
  page.evaluate(() => {
    const root = window.sampler.root();
    const css = root.adoptedStyleSheets.map((sheet) =>
      [...sheet.cssRules].map((rule) => rule.cssText).join('\n'),
    );
    return { html: root.innerHTML, css };
  });

/** Returns a script that shows the snapshot `closed`. With `opened`, a click on the launcher shows that one instead. */
export function floorScript(closed: Snapshot, opened?: Snapshot): string {
  return `<script>(([closed, opened]) => {
    const host = document.createElement('platform-webchat');
    const root = host.attachShadow({ mode: 'open' });
    const show = ({ html, css }) => {
      root.adoptedStyleSheets = css.map((text) => {
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(text);
        return sheet;
      });
      root.innerHTML = html;
    };
    show(closed);
    host.popover = 'manual';
    document.documentElement.append(host);
    host.showPopover();
    const open = () => {
      show(opened);
      root.querySelector('textarea')?.focus();
    };
    if (opened) root.querySelector('.launcher').addEventListener('click', open);
  })(${JSON.stringify([closed, opened]).replaceAll('<', '\\u003c')})</script>`;
}

/**
 * Calls `chat` with a page of the chat, which it leaves with the open window, and then `floor` with a page whose launcher opens the
 * same elements. Returns both results.
 */
export async function besideFloor<Chat, Floor>(
  { inPage }: Environment,
  options: PageOptions,
  chat: (chatPage: ChatPage) => Promise<Chat>,
  floor: (chatPage: ChatPage) => Promise<Floor>,
): Promise<[Chat, Floor]> {
  const [result, script] = await inPage(async (chatPage) => {
    const closed = await takeSnapshot(chatPage.page);
    const opened = await chat(chatPage);
    return [opened, floorScript(closed, await takeSnapshot(chatPage.page))] as const;
  }, options);
  return [result, await inPage(floor, { script })];
}
