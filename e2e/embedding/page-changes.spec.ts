// The page changes around the chat: it removes the chat's element, opens popovers and dialogs over it, prints, or leaves
// it little room.
import type { Page } from '@playwright/test';
import type { Platform } from '../../src/protocol/page-api/page-api.ts';
import type { ChatPage } from '../support/chat-page.ts';
import { expect, test } from '../support/fixtures.ts';

const host = (page: Page) => page.locator('platform-webchat');
const removeHost = (page: Page) =>
  page.evaluate(() => {
    const element = document.querySelector('platform-webchat') as HTMLElement;
    element.parentNode?.removeChild(element);
  });

test.describe('the page removes the element of the chat', () => {
  test('open() brings it back with its conversation, its draft and its events, any number of times', async ({
    chat,
    page,
  }) => {
    await chat.startConversation();
    await chat.exchange('Before');
    await chat.input.fill('A draft');
    const { conversationId } = await chat.storedSession();
    for (let i = 0; i < 5; i++) {
      await removeHost(page);
      await chat.call('open');
      await expect(host(page)).toHaveCount(1);
      await expect(chat.window).toBeVisible();
    }
    await expect(chat.input).toHaveValue('A draft');
    await chat.exchange('After');
    expect(await chat.texts()).toEqual(expect.arrayContaining(['Before', 'After']));
    expect((await chat.storedSession()).conversationId).toBe(conversationId);
    // It is in the top layer again, above everything.
    const isTop = await host(page).evaluate((element) => element.matches(':popover-open'));
    expect(isTop).toBe(true);
    await chat.close();
    await expect(chat.launcher).toBeVisible();
  });

  test('the window is closed and the launcher comes back, with the conversation behind it', async ({
    chat,
    page,
  }) => {
    await chat.startConversation();
    await chat.exchange('Before');
    await chat.recordEvents();
    const isOpen = () => page.evaluate(() => (window.platform as Platform).isOpen);
    expect(await isOpen()).toBe(true);
    await removeHost(page);
    await expect(chat.launcher).toBeVisible();
    expect(await isOpen()).toBe(false);
    expect((await chat.events()).map(({ type }) => type)).toContain('webchat:closed');
    await chat.launcher.click();
    await expect(chat.rows.filter({ hasText: 'Before' }).first()).toBeVisible();
    await chat.exchange('After');
  });

  test('a page that removes it each time wins, and isOpen is false', async ({ chat, page }) => {
    await chat.startConversation();
    const removals = await page.evaluate(async () => {
      let count = 0;
      const remove = () => {
        const element = document.querySelector('platform-webchat');
        if (element) count++;
        element?.remove();
      };
      new MutationObserver(remove).observe(document.documentElement, { childList: true });
      remove();
      for (let i = 0; i < 20; i++) await new Promise((resolve) => setTimeout(resolve));
      return count;
    });
    expect(removals).toBeLessThan(100);
    await expect(host(page)).toHaveCount(0);
    expect(await page.evaluate(() => (window.platform as Platform).isOpen)).toBe(false);
  });

  test('a router that replaces all children of <html> keeps a closed chat usable by an element of the new page', async ({
    chat,
    page,
  }) => {
    await chat.startConversation();
    await chat.exchange('Before');
    await chat.window.getByRole('button', { name: 'Close chat' }).click();
    await page.evaluate(() => {
      const [head, body, button] = ['head', 'body', 'button'].map((name) => document.createElement(name)) as [
        HTMLElement,
        HTMLElement,
        HTMLElement,
      ];
      button.textContent = 'Talk to us';
      button.dataset.platformOpen = '';
      body.appendChild(button);
      document.documentElement.replaceChildren(head, body);
    });
    await page.getByRole('button', { name: 'Talk to us' }).click();
    await expect(chat.rows.filter({ hasText: 'Before' }).first()).toBeVisible();
    await chat.exchange('After');
  });

  test('what it cannot show meanwhile is there afterwards, and destroy() leaves nothing', async ({
    chat,
    page,
  }) => {
    await chat.startConversation();
    await removeHost(page);
    await chat.call('sendMessage', 'While it is away');
    await chat.call('open');
    await expect(chat.botRows.filter({ hasText: 'You said: “While it is away”' })).toHaveCount(1);
    await removeHost(page);
    await chat.call('destroy');
    expect(await page.evaluate(() => document.adoptedStyleSheets.length)).toBe(0);
    await chat.call('init');
    await expect(host(page)).toHaveCount(1);
  });

  test.describe('on a phone', () => {
    test.use({ viewport: { width: 390, height: 700 } });

    test('the page behind it is usable at once, and covered again after open()', async ({ chat, page }) => {
      await chat.startConversation();
      const isInert = () => page.evaluate(() => document.body.inert);
      await expect.poll(isInert).toBe(true);
      await removeHost(page);
      await expect.poll(isInert).toBe(false);
      expect(await page.evaluate(() => document.adoptedStyleSheets.length)).toBe(0);
      await chat.call('open');
      await expect.poll(isInert).toBe(true);
      await chat.window.getByRole('button', { name: 'Close chat' }).click();
      await expect.poll(isInert).toBe(false);
    });
  });

  test('an embedded chat comes back to its target, or to the new element that the selector finds', async ({
    chat,
    page,
  }) => {
    await chat.load('data-target="#place"', { body: '<main><div id="place"></div></main>' });
    const region = page.getByRole('region', { name: 'Chat with Bot' });
    await expect(region.locator('.row').first()).toContainText('I am the demo bot');
    await removeHost(page);
    await chat.call('open');
    await expect(region.locator('.row').first()).toContainText('I am the demo bot');
    await page.evaluate(() => {
      const container = document.createElement('div');
      container.id = 'place';
      document.querySelector('main')?.replaceChildren(container);
    });
    await chat.call('open');
    await expect(region.locator('.row').first()).toContainText('I am the demo bot');
    await expect(page.locator('#place platform-webchat')).toHaveCount(1);
    chat.expectNoConsoleErrors();
  });
});

test.describe('a popover of the page covers the chat', () => {
  const addCover = (page: Page) =>
    page.evaluate(() => {
      const cover = document.createElement('div');
      cover.id = 'cover';
      cover.popover = 'manual';
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(
        '#cover { position: fixed; inset: 0; width: 100%; height: 100%; margin: 0; padding: 0; border: 0; background: none }',
      );
      document.adoptedStyleSheets = [sheet];
      document.body.appendChild(cover);
      cover.showPopover();
    });

  test('the chat comes above it, open or closed, and keeps focus, text and scroll position', async ({
    chat,
    page,
  }) => {
    await chat.startConversation();
    await page.evaluate(() => (window.platform as Platform).sendMessage('A line\n'.repeat(60)));
    await expect(chat.botRows).toHaveCount(2);
    await chat.input.fill('Half a sent');
    const viewport = chat.window.locator('.viewport');
    // The transcript has scrolled to the end of the answer.
    await expect.poll(() => chat.distanceFromEnd()).toBeLessThan(2);
    await viewport.evaluate((element) => element.scrollTo(0, 100));
    await chat.input.focus();
    await addCover(page);
    await expect
      .poll(() =>
        page.evaluate(() => document.elementFromPoint(innerWidth - 100, innerHeight - 200)?.localName),
      )
      .toBe('platform-webchat');
    await page.keyboard.type('ence');
    await expect(chat.input).toHaveValue('Half a sentence');
    expect(await viewport.evaluate((element) => element.scrollTop)).toBe(100);
    await chat.window.getByRole('button', { name: 'Close chat' }).click();
    await page.evaluate(() => {
      const cover = document.querySelector('#cover') as HTMLElement;
      cover.hidePopover();
      cover.showPopover();
    });
    await chat.launcher.click();
    await expect(chat.window).toBeVisible();
  });

  test('a page that raises its popover again and again wins after three answers, until the visitor acts', async ({
    chat,
    page,
  }) => {
    await chat.goto();
    await addCover(page);
    // Waits for the lazy bundle and the first answer.
    const top = () =>
      page.evaluate(() => document.elementFromPoint(innerWidth - 48, innerHeight - 48)?.localName);
    await expect.poll(top).toBe('platform-webchat');
    const rounds = await page.evaluate(async () => {
      const cover = document.querySelector('#cover') as HTMLElement;
      const chat = document.querySelector('platform-webchat') as HTMLElement;
      let answers = 0;
      const seen = () => new Promise((resolve) => setTimeout(resolve, 50));
      for (let i = 0; i < 10; i++) {
        cover.hidePopover();
        cover.showPopover();
        await seen();
        if (document.elementFromPoint(innerWidth - 48, innerHeight - 48) === chat) answers++;
      }
      return answers;
    });
    // The first of three was given above.
    expect(rounds).toBe(2);
    await page.keyboard.press('Shift');
    await page.evaluate(() => {
      const cover = document.querySelector('#cover') as HTMLElement;
      cover.hidePopover();
      cover.showPopover();
    });
    await expect.poll(top).toBe('platform-webchat');
  });

  test('a popover next to the chat, a disclosure or one of the chat itself moves nothing and loads nothing', async ({
    chat,
    page,
  }) => {
    await chat.goto();
    await page.evaluate(async () => {
      const details = document.createElement('details');
      document.body.appendChild(details);
      details.open = true;
      await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    });
    expect(chat.requests.filter((url) => /host-page-/.test(url))).toEqual([]);
  });
});

test('a printed page shows neither launcher nor window', async ({ chat, page }) => {
  await chat.startConversation();
  await page.emulateMedia({ media: 'print' });
  await expect(chat.launcher).toBeHidden();
  await expect(chat.window).toBeHidden();
  const withChat = await page.pdf();
  await page.emulateMedia({ media: null });
  await expect(chat.window).toBeVisible();
  await chat.call('destroy');
  const without = await page.pdf();
  // The two documents differ in their creation time only.
  const plain = (pdf: Buffer) => pdf.toString('latin1').replace(/\/(CreationDate|ModDate|ID)[^\n]*/g, '');
  expect(plain(withChat)).toBe(plain(without));
});

test('the chat has the height that the style of its element gives it', async ({ chat, page }) => {
  for (const [style, height] of Object.entries({
    '': 480,
    'height: 300px': 300,
    'height: 900px': 900,
    'min-height: 200px': 480,
    'display: flex; height: 350px': 350,
  })) {
    const body = `<style nonce="n0nce">#place { ${style} }</style><div id="place"></div>`;
    await chat.load('data-target="#place"', { body, csp: '' });
    const region = page.getByRole('region', { name: 'Chat with Bot' });
    await expect(region.locator('.row').first()).toContainText('I am the demo bot');
    expect((await region.boundingBox())?.height, style).toBe(height);
    expect((await page.locator('#place').boundingBox())?.height, style).toBe(height);
  }
});

/** The height between header and composer that shows messages. */
async function messageAreaHeight(chat: ChatPage): Promise<number> {
  const header = await chat.window.locator('.header').boundingBox();
  const composer = await chat.window.locator('.composer').boundingBox();
  return (composer?.y ?? 0) - (header?.y ?? 0) - (header?.height ?? 0);
}

test('a small viewport leaves room for messages, and nothing is cut off', async ({ chat, page }) => {
  for (const [width, height, expectedHeight] of [
    [256, 192, 75],
    [320, 256, 140],
    [667, 180, 65],
  ] as const) {
    await page.setViewportSize({ width, height });
    await chat.startConversation();
    await expect.poll(() => messageAreaHeight(chat)).toBeGreaterThanOrEqual(expectedHeight);
    const composer = await chat.window.locator('.composer').boundingBox();
    expect((composer?.y ?? 0) + (composer?.height ?? 0)).toBeLessThanOrEqual(height);
    const close = await chat.window.getByRole('button', { name: 'Close chat' }).boundingBox();
    expect(Math.min(close?.width ?? 0, close?.height ?? 0)).toBeGreaterThanOrEqual(24);
    await chat.send(`Small ${width}`);
    await expect(chat.botRows.last()).toContainText(`“Small ${width}”`);
    await expect(chat.botRows.last()).toBeInViewport();
    await page.evaluate(() => localStorage.clear());
  }
});
