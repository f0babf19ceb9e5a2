// For everybody: keyboard, screen readers, phones, right-to-left, reduced motion.
import { Buffer } from 'node:buffer';
import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import type { Platform } from '../src/protocol/platform.ts';
import { expect, pageHtml, test } from './fixtures.ts';

const violations = async (page: Page) => {
  const { violations: found, passes } = await new AxeBuilder({ page }).include('platform-webchat').analyze();
  // It looked inside the shadow root: the launcher's name was checked.
  expect(passes.find(({ id }) => id === 'button-name')?.nodes.length).toBeGreaterThan(0);
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
};

// axe injects itself by script, which the strict page refuses; here the page allows what axe needs and nothing is looser in the widget.
for (const themeMode of ['light', 'dark'] as const) {
  for (const headerVariant of ['glass', 'solid'] as const) {
    test(`axe finds nothing, ${themeMode}, ${headerVariant} header`, async ({
      chat,
      page,
      serve,
      platform,
    }) => {
      const tag = `<script nonce="n0nce" src="${platform.chatUrl}/webchat.js" data-theme-mode="${themeMode}" data-header-variant="${headerVariant}" data-bot-description="Here to help"></script>`;
      await chat.goto(serve('/axe', pageHtml(tag, { body: '<main><h2>Content</h2></main>' }), {}));
      expect(await violations(page)).toEqual([]);
      await chat.launcher.click();
      await expect(chat.botRows).toHaveCount(1);
      await chat.exchange('Look at https://example.org');
      await chat.say('markdown');
      await expect(chat.botRows.nth(2).getByRole('table')).toBeVisible();
      // Rows fade in; a colour measured half-way says nothing.
      await page.evaluate(() =>
        Promise.all(
          document
            .querySelector('platform-webchat')
            ?.shadowRoot?.getAnimations()
            .map((a) => a.finished) ?? [],
        ),
      );
      expect(await violations(page)).toEqual([]);
      await page.route(/\/messages$/, (route) => route.fulfill({ status: 400, json: {} }));
      await chat.say('refused');
      await expect(chat.rows.last().getByRole('alert')).toBeVisible();
      expect(await violations(page)).toEqual([]);
      await chat.window.getByRole('button', { name: 'Start a new conversation' }).click();
      await expect(chat.window.getByRole('alertdialog')).toBeVisible();
      expect(await violations(page)).toEqual([]);
      chat.noise = chat.noise.filter((line) => !line.includes('400'));
    });
  }
}

for (const themeMode of ['light', 'dark'] as const) {
  test.describe(`what bots and visitors send, ${themeMode}`, () => {
    test.use({ hasTouch: false });

    test('axe finds nothing in any payload, file, question, menu or picture', async ({
      chat,
      page,
      serve,
      platform,
    }) => {
      test.slow();
      const tag = `<script nonce="n0nce" src="${platform.chatUrl}/webchat.js" data-theme-mode="${themeMode}" data-allow-file-upload data-feedback-enabled data-sound-enabled></script>`;
      await chat.goto(serve('/axe-payloads', pageHtml(tag, { body: '<main><h2>Content</h2></main>' }), {}));
      await page.emulateMedia({ reducedMotion: 'reduce' });
      await chat.launcher.click();
      await expect(chat.botRows).toHaveCount(1);
      const words = [
        'image',
        'audio',
        'video',
        'file',
        'location',
        'card',
        'carousel',
        'choice',
        'dropdown',
        'bloc',
      ];
      for (const [i, word] of words.entries()) {
        await chat.say(word);
        await expect(chat.botRows).toHaveCount(i + 2);
      }
      await expect(chat.botRows.last().getByRole('table')).toBeVisible();
      const choice = chat.botRows.nth(8);
      await choice.getByRole('button', { name: 'Text', exact: true }).click();
      await expect(chat.botRows.last()).toContainText('Plain text');
      await chat.botRows
        .last()
        .getByRole('button', { name: /^Bad answer/ })
        .click();
      await expect(chat.botRows.nth(11).getByRole('textbox')).toBeFocused();
      await page.locator('input[type="file"]').setInputFiles([
        { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('notes') },
        { name: 'empty.txt', mimeType: 'text/plain', buffer: Buffer.alloc(0) },
      ]);
      await expect(chat.window.locator('.attachment[data-status="uploaded"]')).toHaveCount(1);
      expect(await violations(page)).toEqual([]);
      await chat.window.getByRole('button', { name: 'More', exact: true }).click();
      await expect(chat.window.getByRole('menu')).toBeVisible();
      expect(await violations(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await chat.window.getByRole('button', { name: 'A drawing, enlarge' }).first().click();
      await expect(page.getByRole('dialog', { name: 'A drawing' })).toBeVisible();
      expect(await violations(page)).toEqual([]);
    });
  });
}

test('opening moves the focus, closing gives it back; the closed window is out of reach', async ({
  chat,
  page,
}) => {
  await chat.goto();
  await expect(chat.launcher).toHaveAttribute('aria-expanded', 'false');
  await chat.launcher.focus();
  await page.keyboard.press('Enter');
  await expect(chat.input).toBeFocused();
  await expect(chat.launcher).toHaveAttribute('aria-expanded', 'true');
  await expect(chat.window).toHaveAccessibleName('Chat with Bot');
  await page.keyboard.press('Escape');
  await expect(chat.window).toBeHidden();
  await expect(chat.launcher).toBeFocused();
  const frame = page.locator('.window');
  expect(await frame.evaluate((e: HTMLElement) => [e.hidden, e.inert])).toEqual([true, true]);

  // Opened by the page while the visitor stood on a link: back to the link.
  const link = page.getByRole('link', { name: 'A link of the page' });
  await link.focus();
  await page.evaluate(() => (window.platform as Platform).open());
  await expect(chat.input).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(link).toBeFocused();
});

test('the whole visit by keyboard alone', async ({ chat, page }) => {
  await chat.goto();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(chat.launcher).toBeFocused();
  await page.keyboard.press('Space');
  await expect(chat.input).toBeFocused();
  await expect(chat.botRows).toHaveCount(1);
  await page.keyboard.type('By keyboard');
  await page.keyboard.press('Tab');
  await expect(chat.window.getByRole('button', { name: 'Send message' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(chat.botRows.filter({ hasText: '“By keyboard”' })).toHaveCount(1);
  await expect(chat.input).toBeFocused();
  // Back over what the newest message offers, to the messages, to the header.
  await page.keyboard.press('Shift+Tab');
  await expect(chat.botRows.nth(1).getByRole('button', { name: 'Streaming', exact: true })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(
    chat.botRows.nth(1).getByRole('button', { name: 'Copy: You said: “By keyboard”' }),
  ).toBeFocused();
  const messages = chat.window.getByRole('region', { name: 'Messages' });
  for (let i = 0; i < 12 && !(await messages.evaluate((e) => e.matches(':focus'))); i++) {
    await page.keyboard.press('Shift+Tab');
  }
  await expect(messages).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await expect(chat.window.getByRole('button', { name: 'Close chat' })).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await expect(chat.window.getByRole('button', { name: 'Start a new conversation' })).toBeFocused();
  await page.keyboard.press('Enter');
  const dialog = chat.window.getByRole('alertdialog');
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(chat.window.getByRole('button', { name: 'Start a new conversation' })).toBeFocused();
});

test('each new message is announced once, apart from the transcript; history is not', async ({
  chat,
  page,
}) => {
  await chat.goto();
  await page.evaluate(() => {
    const root = document.querySelector('platform-webchat')?.shadowRoot as ShadowRoot;
    new MutationObserver((records) => {
      for (const { addedNodes, target } of records) {
        const region = (target as Element).closest?.('[aria-live]');
        for (const node of region ? addedNodes : [])
          window.seen.events.push({ type: 'said', payload: node.textContent });
      }
    }).observe(root, { childList: true, subtree: true });
  });
  const said = async () => (await chat.events()).map(({ payload }) => String(payload).split('\n')[0]);
  await chat.launcher.click();
  await expect(chat.botRows).toHaveCount(1);
  await chat.exchange('Hello');
  await expect
    .poll(said)
    .toEqual([
      expect.stringMatching(/^Bot: Hello! I am the demo bot/),
      expect.stringMatching(/^Bot: You said: “Hello”/),
    ]);
  await chat.say('streaming');
  await expect(chat.botRows.nth(2)).toHaveAttribute('data-status', 'sent');
  await expect.poll(async () => (await said()).length).toBe(3);
  // The nodes are short-lived: a reader that walks the page does not find everything twice.
  await expect(page.locator('.live p')).toHaveCount(0);

  await page.reload();
  await chat.launcher.click();
  await expect(chat.rows).toHaveCount(5);
  await expect(page.locator('.live p')).toHaveCount(0);
});

test('a description reads the sender before each message', async ({ chat }) => {
  await chat.start();
  await chat.exchange('Who says what');
  await expect(chat.rows.nth(0).locator('.heard').first()).toHaveText('Bot:');
  await expect(chat.rows.nth(1).locator('.heard').first()).toHaveText('You:');
});

test('motion is only for those who did not ask for less', async ({ chat, page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await chat.start();
  await chat.say('typing');
  await expect(chat.window.getByRole('img', { name: 'Bot is typing' })).toBeVisible();
  const running = () =>
    page.evaluate(() => document.querySelector('platform-webchat')?.shadowRoot?.getAnimations().length);
  expect(await running()).toBe(0);
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  expect(await running()).toBeGreaterThan(0);
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 800 }, hasTouch: true, isMobile: true });

  test('the window is a full-screen sheet above the keyboard, with 16 px inputs and targets for fingers', async ({
    chat,
    page,
  }) => {
    await chat.goto();
    await chat.launcher.tap();
    await expect(chat.botRows).toHaveCount(1);
    // The sheet slides up: its place counts once it has arrived.
    await expect.poll(() => chat.window.boundingBox()).toEqual({ x: 0, y: 0, width: 390, height: 800 });
    await expect(chat.launcher).toBeHidden();
    // No keyboard unasked: the box is not focused.
    await expect(chat.input).not.toBeFocused();
    await expect(chat.window).toBeFocused();
    expect(await chat.input.evaluate((e) => getComputedStyle(e).fontSize)).toBe('16px');
    for (const button of await chat.window.getByRole('button').all()) {
      const box = await button.boundingBox();
      expect(Math.min(box?.width ?? 0, box?.height ?? 0), await button.innerHTML()).toBeGreaterThanOrEqual(
        44,
      );
    }
    // A keyboard takes the lower part of the screen.
    await page.setViewportSize({ width: 390, height: 420 });
    await expect.poll(async () => (await chat.window.boundingBox())?.height).toBe(420);
    await expect(chat.input).toBeInViewport({ ratio: 1 });
    await expect(chat.botRows.first()).toBeInViewport();
    await page.setViewportSize({ width: 390, height: 800 });
    await chat.say('From a phone');
    await expect(chat.input).toBeFocused();
    await chat.window.getByRole('button', { name: 'Close chat' }).tap();
    await expect(chat.launcher).toBeVisible();
  });
});

test('right-to-left pages mirror the window', async ({ chat, page, serve, platform }) => {
  const tag = `<script nonce="n0nce" src="${platform.chatUrl}/webchat.js"></script>`;
  const html = pageHtml(tag).replace('<html lang="en">', '<html lang="ar" dir="rtl">');
  await chat.goto(serve('/rtl', html));
  expect((await chat.launcher.boundingBox())?.x).toBe(20);
  await chat.launcher.click();
  // It speaks Arabic there.
  const rows = page.locator('.window .row[data-status]');
  await expect(rows).toHaveCount(1);
  await page.locator('.window textarea').fill('مرحبا');
  await page.keyboard.press('Enter');
  await expect(rows).toHaveCount(3);
  const middle = async (row: import('@playwright/test').Locator) => {
    const box = await row.locator('.bubble').boundingBox();
    return (box?.x ?? 0) + (box?.width ?? 0) / 2;
  };
  expect(await middle(rows.nth(1))).toBeLessThan(await middle(rows.nth(0)));
  expect(await page.locator('.box').evaluate((e) => getComputedStyle(e).direction)).toBe('rtl');
});

test('the focus never falls to the page: after retry, discard, the pill, and a question that was open at closing', async ({
  chat,
  page,
}) => {
  await chat.start();
  await page.route(/\/messages$/, (route) => route.fulfill({ status: 400, json: {} }));
  await chat.say('first');
  await chat.say('second');
  const viewport = chat.window.getByRole('region', { name: 'Messages' });
  await chat.window.getByRole('button', { name: 'Try again: first' }).press('Enter');
  await expect(viewport).toBeFocused();
  await chat.window.getByRole('button', { name: 'Discard: second' }).press('Enter');
  await expect(viewport).toBeFocused();
  await page.unroute(/\/messages$/);

  await chat.say('long');
  await expect(chat.botRows).toHaveCount(2);
  await viewport.evaluate((e) => e.scrollTo(0, 0));
  await chat.window.getByRole('button', { name: 'Go to the newest message' }).press('Enter');
  await expect(viewport).toBeFocused();

  await chat.window.getByRole('button', { name: 'Start a new conversation' }).click();
  await expect(chat.window.getByRole('alertdialog')).toBeVisible();
  await page.evaluate(() => (window.platform as Platform).close());
  await expect(chat.window).toBeHidden();
  await expect(page.getByRole('alertdialog', { includeHidden: true })).toHaveCount(0);
  await page.evaluate(() => (window.platform as Platform).open());
  await expect(chat.input).toBeFocused();
  chat.noise = chat.noise.filter((line) => !line.includes('400'));
});
