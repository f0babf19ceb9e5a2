// The demo page: every card does in the chat what it says, on a desktop and on a phone, and what the page measures is right.
import type { Locator, Page } from '@playwright/test';
import type { Message } from '../../src/protocol/message.ts';
import { test as base, expect } from '../inbox/inbox-page.ts';
import { violationsInBothSchemes } from '../support/axe.ts';
import { ChatPage } from '../support/chat-page.ts';

/** The demo page of the built server, with its chat. */
class DemoPage extends ChatPage {
  card(title: string): Locator {
    return this.page.getByRole('article').filter({ has: this.page.getByRole('heading', { name: title }) });
  }

  /** Presses a button of a card. On a phone the open window covers the page, so it is closed first. */
  async press(title: string, button: string): Promise<void> {
    const isCovered = (await this.window.isVisible()) && (this.page.viewportSize()?.width ?? 0) < 600;
    if (isCovered) await this.close();
    await this.card(title).getByRole('button', { name: button }).click();
    await expect(this.window).toBeVisible();
  }

  figure(name: string): Locator {
    return this.page.locator(`[data-figure="${name}"]`);
  }

  /** The messages of the visitor that the server has stored. */
  async storedQuestions(): Promise<string[]> {
    const isOwn = ({ metadata }: Message) => Boolean(metadata?.clientMessageId);
    return (await this.serverMessages())
      .filter(isOwn)
      .map(({ payload }) => ('text' in payload ? String(payload.text) : payload.type));
  }
}

const test = base.extend<{ demo: DemoPage }>({
  demo: async ({ page, platform }, use) => {
    await page.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
        console.error(`policy: ${violatedDirective} ${blockedURI}`),
      );
    });
    const demo = new DemoPage(page, `${platform.url}/`, platform);
    await demo.goto();
    await use(demo);
    demo.expectNoConsoleErrors();
  },
});

const devices = {
  desktop: { viewport: { width: 1280, height: 800 } },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
};

for (const [device, options] of Object.entries(devices))
  test.describe(device, () => {
    test.use(options);

    test(`${device}: the cards show answers with sources, products, a form, steps with an approval, and fill the cart`, {
      tag: '@story',
    }, async ({ demo, page }) => {
      await demo.press('Answers with sources', 'Ask about a service');
      await expect(demo.botRows.last()).toContainText('one working day');
      await demo.window.getByRole('button', { name: /2 sources/ }).click();
      const source = demo.window.getByRole('link', { name: /Workshop/ });
      await expect(source).toHaveAttribute('href', `${demo.platform.url}/#workshop`);
      // It leads to the part of this page, beside the window or, on a phone, in its place.
      await source.click();
      await expect(page.getByRole('heading', { name: 'Workshop' })).toBeInViewport();
      await expect(demo.window).toBeVisible({ visible: device === 'desktop' });
      expect(page.context().pages()).toHaveLength(1);

      await demo.press('Products to look at', 'Show the bikes');
      await expect(demo.window.getByRole('button', { name: 'Add Porter to my cart' })).toBeAttached();

      await demo.press('Forms instead of questions', 'Book a service');
      const form = demo.window.getByRole('group', { name: 'When shall we look at your bike?' });
      await form.getByLabel('Work').selectOption({ label: 'Puncture, CHF 25' });
      await form.getByLabel('Your name').fill('Ada');
      await form.getByRole('button', { name: 'Send' }).click();
      await expect(demo.botRows.last()).toContainText('Thank you, Ada.');

      await demo.press('Steps you can check', 'Return an order');
      await demo.window.getByRole('button', { name: /^Approve/ }).click();
      const order = page.getByRole('group', { name: 'Order A-1: Label sent' });
      await expect(order).toContainText('Dome helmet');
      await expect(order.locator('.done')).toHaveText(['Ordered', 'Delivered', 'Label sent']);

      await demo.press('It uses your page', 'Add a helmet');
      const approve = demo.window.getByRole('button', { name: /^Approve/ });
      await expect(approve).toBeVisible();
      const card = demo.card('It uses your page');
      await expect(card).toContainText('Your cart is empty.');
      await approve.click();
      await expect(demo.botRows.last()).toContainText('Dome helmet is in your cart: 1 item, CHF 89.');
      await expect(card).toContainText('In your cart: 1 item, CHF 89');
      await demo.close();
      await page.getByRole('button', { name: 'Cart 1' }).click();
      const cart = page.getByRole('dialog', { name: 'Your cart' });
      await expect(cart.getByRole('listitem')).toHaveText(/1 × Dome helmet/);
      await cart.getByRole('button', { name: 'Remove Dome helmet' }).click();
      await expect(cart).toContainText('Your cart is empty.');

      const questions = await demo.storedQuestions();
      expect(questions).toEqual([
        'How long does a service take?',
        'Show me your bikes',
        'Book a service',
        'Return order A-1',
        'Add a helmet to my cart',
      ]);
      await expect(demo.figure('sent')).toHaveText('5');
      await expect(demo.figure('confirmed')).toHaveText('5');
      await expect(demo.figure('lost')).toHaveText('0');
      await expect(demo.figure('shift')).toHaveText('0');
      await expect(demo.figure('opening')).toHaveText(/^\d+ ms$/);
      expect(Number.parseFloat((await demo.figure('bytes').textContent()) ?? '')).toBeGreaterThan(30);
    });

    test(`${device}: a question that was asked offline waits, and is stored once when the page is back`, {
      tag: '@story',
    }, async ({ demo, page }) => {
      await demo.openWindow();
      if (device === 'phone') await demo.close();
      await page.getByRole('checkbox', { name: 'Offline' }).check();
      await demo.press('Offline, and nothing lost', 'Send a question');
      const waiting = demo.window.locator('.row[data-status="queued"]');
      await expect(waiting).toContainText('When are you open?');
      await expect(demo.window).toContainText('You are offline.');
      await expect(demo.figure('confirmed')).toHaveText('0');
      await expect(demo.figure('waiting')).toHaveText('1');
      if (device === 'phone') await demo.close();
      await page.getByRole('checkbox', { name: 'Offline' }).uncheck();
      if (device === 'phone') await demo.launcher.click();
      await expect(demo.botRows.last()).toContainText('Saturdays from 9 to 16');
      await expect(waiting).toHaveCount(0);
      await expect(demo.window).not.toContainText('You are offline.');
      expect(await demo.storedQuestions()).toEqual(['When are you open?']);
      await expect(demo.figure('sent')).toHaveText('1');
      await expect(demo.figure('confirmed')).toHaveText('1');
      await expect(demo.figure('waiting')).toHaveText('0');
      await expect(demo.figure('lost')).toHaveText('0');
    });

    test(`${device}: color, theme, corners and language change the chat at once`, async ({ demo, page }) => {
      const looks = demo.card('Your brand, live');
      await looks.getByRole('radio', { name: 'Blue' }).check();
      await expect(demo.launcher).toHaveCSS('background-color', 'rgb(36, 84, 199)');
      await expect(page.getByRole('button', { name: 'Ask a question' })).toHaveCSS(
        'background-color',
        'rgb(36, 84, 199)',
      );
      await looks.locator('label', { hasText: /^Dark$/ }).click();
      await expect(page.locator('body')).toHaveCSS('background-color', 'rgb(15, 18, 16)');
      await demo.openWindow();
      const box = page.locator('platform-webchat .box');
      await expect(box).toHaveCSS('color-scheme', 'dark');
      if (device === 'phone') await demo.close();
      await looks.locator('label', { hasText: /^Light$/ }).click();
      await expect(box).toHaveCSS('color-scheme', 'light');
      if (device === 'desktop') {
        const before = await demo.window.evaluate((e) => getComputedStyle(e).borderTopLeftRadius);
        await looks.getByLabel('Corners').fill('0.5');
        await expect(demo.window).not.toHaveCSS('border-top-left-radius', before);
      }
      await page.getByLabel('Language of the chat').selectOption({ label: 'العربية' });
      await expect(page.locator('#tag')).toContainText('data-color="#2454c7"');
      await expect(page.locator('#tag')).toContainText('data-locale="ar"');
      if (device === 'phone')
        await demo.card('30 languages').getByRole('button', { name: 'Open the chat' }).click();
      await expect(box).toHaveAttribute('dir', 'rtl');
      await expect(demo.input).toHaveAttribute('placeholder', /[؀-ۿ]/);
    });
  });

test('a person who was asked for on the page answers in the inbox to which the page links', async ({
  demo,
  page,
  member,
  openInbox,
}) => {
  await demo.press('People take over', 'Ask for a person');
  await expect(demo.window).toContainText('Waiting for a person');
  const link = demo.card('People take over').getByRole('link', { name: 'Open the inbox' });
  const { search } = new URL((await link.evaluate((e: HTMLAnchorElement) => e.href)) as string);
  const opened = page.waitForEvent('popup');
  await link.click();
  const popup = await opened;
  await expect(popup).toHaveURL(`${demo.platform.url}/console/${search}`);
  await expect(popup.getByRole('heading', { level: 1 })).toBeVisible();
  await popup.close();
  const inbox = await openInbox(await member('Ada'), search);
  const { conversationId } = await demo.storedSession();
  await inbox.page.locator(`.row[data-id="${conversationId}"]`).click();
  await inbox.page.getByRole('button', { name: 'Take', exact: true }).click();
  await inbox.send('I am Ada. How can I help?');
  await expect(demo.window).toContainText('I am Ada. How can I help?');
  await expect(demo.window).toContainText('Ada joined');
  await expect(demo.figure('confirmed')).toHaveText('1');
  await expect(demo.figure('sent')).toHaveText('1');
});

test('while nobody comes, the buttons of the page say how the bot comes back, also after a reload', async ({
  demo,
  page,
}) => {
  await demo.press('People take over', 'Ask for a person');
  await expect(demo.window).toContainText('Waiting for a person');
  const hint = page.getByRole('status').filter({ hasText: 'the bot is silent' });
  await demo.press('Products to look at', 'Show the bikes');
  await expect(hint).toBeVisible();
  await page.reload();
  await demo.press('Products to look at', 'Show the bikes');
  await expect(hint).toBeVisible();
  expect(await demo.storedQuestions()).toEqual(['I want to talk to a person']);
  await demo.window.getByRole('button', { name: 'Back to the assistant' }).click();
  await expect(demo.botRows.last()).toContainText('I answer again.');
  await demo.press('Products to look at', 'Show the bikes');
  await expect(demo.window.getByRole('button', { name: 'Add Porter to my cart' })).toBeAttached();
});

test('a double click asks once, and two questions at once are both answered', async ({ demo }) => {
  await demo.card('Answers with sources').getByRole('button', { name: 'Ask about a service' }).dblclick();
  await demo.card('Products to look at').getByRole('button', { name: 'Show the bikes' }).click();
  await expect(demo.window.getByRole('button', { name: 'Add Porter to my cart' })).toBeAttached();
  await expect(demo.window).toContainText('one working day');
  expect(await demo.storedQuestions()).toEqual(['How long does a service take?', 'Show me your bikes']);
});

test('the cart is the same after a reload and in a second tab, and the bot takes things out of it', async ({
  demo,
  page,
  context,
}) => {
  const cart = demo.card('It uses your page').locator('.state');
  await page.getByRole('button', { name: 'Add Dome helmet to the cart' }).click();
  await page.reload();
  await expect(cart).toHaveText('In your cart: 1 item, CHF 89');
  const second = await context.newPage();
  await second.goto(page.url());
  await second.getByRole('button', { name: 'Add Market bag to the cart' }).click();
  await second.close();
  await expect(cart).toHaveText('In your cart: 2 items, CHF 164');
  await demo.openWindow();
  await demo.send('Remove the helmet from my cart');
  await demo.window.getByRole('button', { name: /^Approve/ }).click();
  await expect(demo.botRows.last()).toContainText('Dome helmet is out of your cart: 1 item, CHF 75.');
  await expect(cart).toHaveText('In your cart: 1 item, CHF 75');
});

test('the switch opens a chat that was never open first, so that the question that waits is seen', async ({
  demo,
  page,
}) => {
  await page.getByRole('checkbox', { name: 'Offline' }).check();
  await expect(demo.window).toContainText('You are offline.');
  await demo.press('Offline, and nothing lost', 'Send a question');
  await demo.press('Products to look at', 'Show the bikes');
  await expect(demo.window.locator('.row[data-status="queued"]')).toHaveCount(2);
  await expect(demo.figure('waiting')).toHaveText('2');
  await expect(demo.figure('confirmed')).toHaveText('0');
  await page.getByRole('checkbox', { name: 'Offline' }).uncheck();
  await expect(demo.figure('confirmed')).toHaveText('2');
  await expect(demo.figure('waiting')).toHaveText('0');
  expect(await demo.storedQuestions()).toEqual(['When are you open?', 'Show me your bikes']);
});

test('the figures are what the browser measures, and change with it', async ({ demo, page }) => {
  const bytes = () =>
    page.evaluate(() => {
      const isOfChat = ({ name }: PerformanceEntry) =>
        /^\/(webchat|chat\/demo)\//.test(new URL(name).pathname);
      const entries = performance.getEntriesByType('resource') as PerformanceResourceTiming[];
      return entries.filter(isOfChat).reduce((sum, { transferSize }) => sum + transferSize, 0);
    });
  const isRight = async () =>
    (await demo.figure('bytes').textContent()) === `${((await bytes()) / 1000).toFixed(1)} kB`;
  await expect.poll(isRight).toBe(true);
  const before = await bytes();
  await expect(demo.figure('opening')).toHaveText('–');
  // A click elsewhere, long before, is not the cause of the opening.
  await page.getByRole('heading', { level: 1 }).click();
  await page.evaluate('window.platform.open()');
  await expect(demo.window).toBeVisible();
  await demo.close();
  await expect(demo.figure('opening')).toHaveText('–');
  await demo.launcher.click();
  await expect(demo.figure('opening')).toHaveText(/ms$/);
  const measure = await page.evaluate(() => performance.getEntriesByType('measure').at(-1)?.duration ?? 0);
  await expect(demo.figure('opening')).toHaveText(`${Math.round(measure)} ms`);
  await demo.send('Hello');
  await expect(demo.figure('confirmed')).toHaveText('1');
  await expect.poll(isRight).toBe(true);
  expect(await bytes()).toBeGreaterThan(before);
  // Something that moves the page without an action of the visitor is counted.
  await expect(demo.figure('shift')).toHaveText('0');
  await page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        // Half a second after a click a shift counts as expected by the visitor.
        setTimeout(() => {
          const block = document.createElement('div');
          block.textContent = 'An advertisement that arrives late';
          block.style.setProperty('height', '200px');
          document.body.prepend(block);
          resolve();
        }, 600);
      }),
  );
  await expect(demo.figure('shift')).toHaveText(/^0\.\d+$/);
});

test('the pictures have sizes and texts and follow the theme of the page, and no heading is missing', async ({
  demo: { page },
}) => {
  expect(
    await page
      .locator('img')
      .evaluateAll(
        (all) =>
          all.filter((image) => !['width', 'height', 'alt'].every((name) => image.hasAttribute(name))).length,
      ),
  ).toBe(0);
  const levels = await page
    .locator('h1, h2, h3')
    .evaluateAll((all) => all.map(({ tagName }) => Number(tagName[1])));
  expect(levels.filter((level) => level === 1)).toEqual([1]);
  expect(levels.every((level, index) => level <= (levels[index - 1] ?? 0) + 1)).toBe(true);
  const sky = async () => {
    const png = await page.getByRole('img', { name: /red city bike/ }).screenshot();
    return page.evaluate(async (base64) => {
      const image = await createImageBitmap(
        new Blob([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))]),
      );
      const canvas = new OffscreenCanvas(image.width, image.height);
      const context = canvas.getContext('2d');
      context?.drawImage(image, 0, 0);
      const [red = 0, green = 0, blue = 0] = context?.getImageData(image.width / 2, 8, 1, 1).data ?? [];
      return red + green + blue;
    }, png.toString('base64'));
  };
  const light = await sky();
  await page.locator('label', { hasText: /^Dark$/ }).click();
  await expect.poll(sky).toBeLessThan(light / 2);
});

test('without the script of the chat, the page says so after a press, and its cart works', async ({
  demo,
  browser,
}) => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.route(/webchat\.js/, (route) => route.abort());
  await page.goto(demo.page.url());
  await page.getByRole('button', { name: 'Add Market bag to the cart' }).click();
  await expect(page.getByRole('status')).toHaveText('Market bag is in your cart.');
  await page.getByRole('button', { name: 'Ask a question' }).click();
  await expect(page.getByRole('status')).toContainText('The chat is not here yet');
  await context.close();
});

test('without JavaScript the page is the shop, and says what is missing', async ({ demo, browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(demo.page.url());
  await expect(page.locator('.notice')).toContainText('Without JavaScript');
  await expect(page.locator('.notice')).toBeVisible();
  await expect(page.getByRole('heading', { name: 'Porter' })).toBeVisible();
  await context.close();
});

test('the page has no violation in both schemes, open and closed, and needs no other server', async ({
  demo,
  page,
}) => {
  const found = () => violationsInBothSchemes(page, 'html', { sign: 'color-contrast' });
  expect(await found()).toEqual([]);
  for (const brand of ['Yellow', 'Red']) {
    await page.getByRole('radio', { name: brand }).check();
    expect(await found()).toEqual([]);
  }
  await page.emulateMedia({ forcedColors: 'active' });
  expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false);
  await page.emulateMedia({ forcedColors: 'none' });
  const desktop = page.viewportSize() ?? { width: 1280, height: 720 };
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await found()).toEqual([]);
  await page.setViewportSize(desktop);
  await demo.openWindow();
  expect(await found()).toEqual([]);
  expect(demo.requests.filter((url) => !url.startsWith(`${demo.platform.url}/`))).toEqual([]);
});

test('the page without the chat has at most 150,000 bytes, and fits the width of a small phone', async ({
  demo,
  page,
}) => {
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false);
  const files = [...new Set(demo.requests)].filter((url) => !/\/(chat|webchat)\//.test(url));
  expect(files.length).toBeGreaterThan(10);
  const sizes = await Promise.all(files.map(async (url) => (await fetch(url)).arrayBuffer()));
  expect(sizes.reduce((sum, { byteLength }) => sum + byteLength, 0)).toBeLessThan(150_000);
});

test('the keyboard reaches every control in order, and a card opens the chat with the focus in it', async ({
  demo,
  page,
}) => {
  const names = await tabStops(page, 9);
  expect(names).toEqual([
    'Skip to the content',
    'Northwind Bikes',
    'Bikes',
    'Workshop',
    'Visit us',
    'The chat',
    'Cart 0',
    'This shop is a demo: see what its chat can do',
    'Ask a question',
  ]);
  await page.keyboard.press('Enter');
  await expect(demo.input).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('button', { name: 'Ask a question' })).toBeFocused();
});

/** The names of the first elements that the Tab key reaches. */
async function tabStops(page: Page, count: number): Promise<string[]> {
  const names: string[] = [];
  for (let i = 0; i < count; i++) {
    await page.keyboard.press('Tab');
    names.push(
      await page.evaluate(() => document.activeElement?.textContent?.replace(/\s+/g, ' ').trim() ?? ''),
    );
  }
  return names;
}
