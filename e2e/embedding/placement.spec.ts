// Placement: inline in an element, as a whole page, opened by trigger elements, proactive message; and fonts.
import type { Page } from '@playwright/test';
import type { Platform } from '../../src/protocol/page-api/page-api.ts';
import type { ChatPage } from '../support/chat-page.ts';
import { expect, test } from '../support/fixtures.ts';
import { pageHtml, strictCsp } from '../support/host-page.ts';

/** Resolves when all timers that were due have run. */
const idle = (page: Page) =>
  page.evaluate(() => new Promise((resolve) => requestIdleCallback(() => setTimeout(resolve))));

/** Waits until the bundle that shows a proactive message has applied the configuration, and its timers have run. */
const applied = async (page: Page) => {
  await expect(page.locator('.box[data-density]')).toHaveCount(1);
  await idle(page);
};

const embedded = (chat: ChatPage) => chat.page.getByRole('region', { name: /^Chat with/ });

test.describe('inline placement', () => {
  const body = `<div style="height:1500px">Above</div>
    <div id="here" style="width:500px;height:400px;margin:30px"></div>`;
  const attributes = 'data-target="#here"';
  const csp = (platform: { url: string }) =>
    strictCsp(platform.url).replace("style-src 'none'", "style-src 'unsafe-inline'");

  test('an inline chat fills its element without a launcher and starts when it becomes visible', {
    tag: '@story',
  }, async ({ chat, page, platform, serve }) => {
    const tag = `<script nonce="n0nce" src="${platform.chatUrl}/webchat.js" ${attributes}></script>`;
    // The script tag is before the element.
    const html = pageHtml('', { head: tag, body });
    await page.goto(serve('/inline', html, { 'content-security-policy': csp(platform) }));
    await expect(page.locator('platform-webchat')).toHaveAttribute('data-inline', 'element');
    await expect(chat.launcher).toBeHidden();
    expect(chat.requests.filter((url) => url.includes('/users'))).toEqual([]);
    await page.getByRole('link', { name: 'A link of the page' }).focus();

    await page.locator('#here').scrollIntoViewIfNeeded();
    const region = embedded(chat);
    await expect(region.locator('.row[data-side="bot"]').first()).toContainText('I am the demo bot');
    // The focus was not moved into the chat.
    await expect(page.getByRole('link', { name: 'A link of the page' })).toBeFocused();
    expect(await region.boundingBox()).toEqual(await page.locator('#here').boundingBox());
    await expect(region.getByRole('button', { name: 'Close chat' })).toHaveCount(0);
    const input = region.getByRole('textbox', { name: 'Message' });
    await input.fill('From within');
    await input.press('Enter');
    await expect(region.locator('.row[data-side="bot"]').last()).toContainText('From within');
    await input.press('Escape');
    await expect(region).toBeVisible();

    await page.evaluate(() => (window.platform as Platform).destroy());
    expect(await page.locator('#here').innerHTML()).toBe('');
  });

  test('with the target body the chat fills the page, also on a phone', async ({
    chat,
    page,
    platform,
    serve,
  }) => {
    await page.setViewportSize({ width: 390, height: 800 });
    const tag = `<script nonce="n0nce" src="${platform.chatUrl}/webchat.js" data-target="body"></script>`;
    await page.goto(serve('/whole', pageHtml(tag)));
    await expect(embedded(chat).locator('.row[data-side="bot"]').first()).toBeVisible();
    expect(await embedded(chat).boundingBox()).toEqual({ x: 0, y: 0, width: 390, height: 800 });
    await page.setViewportSize({ width: 390, height: 420 });
    await expect.poll(async () => (await embedded(chat).boundingBox())?.height).toBe(420);
  });

  test('a missing target element is reported, and the page can call init again', async ({
    chat,
    page,
    platform,
    serve,
  }) => {
    const tag = `<script nonce="n0nce" src="${platform.chatUrl}/webchat.js" data-manual></script>`;
    await page.goto(serve('/late', pageHtml(tag, { body: '<main id="main"></main>' })));
    const init = (target: string) =>
      page.evaluate((selector) => {
        try {
          (window.platform as Platform).init({ target: selector });
          return 'done';
        } catch (error) {
          return (error as Error).message;
        }
      }, target);
    expect(await init('#none')).toBe("init(): no element '#none'.");
    await expect(page.locator('platform-webchat')).toHaveCount(0);
    expect(await init('#main')).toBe('done');
    await expect(embedded(chat).locator('.row[data-side="bot"]').first()).toBeVisible();
  });
});

test('two calls of init during parsing create one chat, and a removed target is replaced', async ({
  chat,
  page,
  platform,
  serve,
}) => {
  const tag = `<script src="${platform.chatUrl}/webchat.js" data-target="#one"></script>`;
  const body = `${tag}<main id="one"></main><script>platform.init({ target: '#one' })</script><main id="two"></main>`;
  await page.goto(serve('/twice', pageHtml('', { body }), {}));
  await expect(embedded(chat).locator('.row[data-side="bot"]').first()).toBeVisible();
  await expect(page.locator('platform-webchat')).toHaveCount(1);
  await page.evaluate(() => {
    document.querySelector('#one')?.remove();
    (window.platform as Platform).init({ target: '#two' });
  });
  await expect(
    page.locator('#two').getByRole('region').locator('.row[data-side="bot"]').first(),
  ).toBeVisible();
  await page.evaluate(() => (window.platform as Platform).destroy());
  await expect(page.locator('platform-webchat')).toHaveCount(0);
});

test.describe('trigger elements', () => {
  test('a trigger element that cannot be focused leaves the focus to the launcher', async ({
    chat,
    page,
    platform,
    serve,
  }) => {
    const tag = `<script src="${platform.chatUrl}/webchat.js"></script>`;
    await page.goto(serve('/plain', pageHtml(tag, { body: '<p data-platform-open>Talk to us</p>' }), {}));
    await page.getByText('Talk to us').click();
    await expect(chat.botRows).toHaveCount(1);
    await page.keyboard.press('Escape');
    await expect(chat.launcher).toBeFocused();
  });

  test('trigger elements open the chat, also those added later, and get the focus back', {
    tag: '@story',
  }, async ({ chat, page, platform, serve }) => {
    const tag = `<script nonce="n0nce" src="${platform.chatUrl}/webchat.js" data-launcher="false"></script>`;
    const body =
      '<a href="/contact" data-platform-open><b>Talk to us</b></a> <button id="no">Not this</button>';
    await page.goto(serve('/triggers', pageHtml(tag, { body })));
    const trigger = page.getByRole('link', { name: 'Talk to us' });
    await trigger.click();
    await expect(chat.botRows).toHaveCount(1);
    expect(page.url()).toContain('/triggers');
    await expect(chat.launcher).toBeHidden();
    await chat.window.getByRole('button', { name: 'Close chat' }).click();
    await expect(trigger).toBeFocused();
    await page.getByRole('button', { name: 'Not this' }).click();
    await expect(chat.window).toBeHidden();

    await page.evaluate(() => {
      const button = document.createElement('button');
      button.textContent = 'Help';
      button.dataset.platformOpen = '';
      document.body.append(button);
      // A page can prevent the default action of the click.
      document.querySelector('a[data-platform-open]')?.addEventListener('click', (e) => e.preventDefault());
    });
    await trigger.click();
    await expect(chat.window).toBeHidden();
    await page.getByRole('button', { name: 'Help' }).press('Enter');
    await expect(chat.window).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('button', { name: 'Help' })).toBeFocused();

    await page.evaluate(() => (window.platform as Platform).destroy());
    await page.getByRole('button', { name: 'Help' }).click();
    await expect(page.locator('platform-webchat')).toHaveCount(0);
  });
});

for (const position of ['left', 'right']) {
  test.describe(`launcher on the ${position}`, () => {
    test.use({ attributes: `data-position="${position}"` });

    test('the badge is at the upper corner of the launcher at the edge of the page, in every direction of text', async ({
      chat,
      page,
    }) => {
      await chat.goto();
      for (const locale of ['en', 'ar']) {
        await page.evaluate((locale) => {
          const platform = window.platform as Platform;
          platform.config({ configuration: { locale } });
          platform.setUnreadMessageCount(3);
        }, locale);
        await expect(page.locator('.box')).toHaveAttribute('lang', locale);
        const button = await chat.launcher.boundingBox();
        const badge = await page.locator('.badge').boundingBox();
        if (!button || !badge) throw new Error('The launcher or its badge is not visible.');
        const [left, right] = [badge.x - button.x, badge.x + badge.width - button.x - button.width];
        // It projects beyond the button by the same distance on either side.
        expect(position === 'left' ? -left : right, locale).toBeCloseTo(4, 0);
        expect(badge.width, locale).toBeLessThan(button.width / 2);
        expect(badge.y - button.y, locale).toBeCloseTo(-2, 0);
      }
    });
  });
}

test('when the launcher’s picture cannot be loaded the icon is shown', async ({
  chat,
  page,
  platform,
  serve,
}) => {
  const tag = `<script src="${platform.chatUrl}/webchat.js" data-fab-image="${platform.url}/none.png"></script>`;
  const missing = page.waitForRequest(/none\.png$/);
  await chat.goto(serve('/picture', pageHtml(tag), {}));
  await missing;
  await expect(page.locator('.launcher img')).toHaveCount(0);
  await expect(page.locator('.launcher .talk')).toHaveCSS('visibility', 'visible');
  chat.ignoreConsoleErrors(/404|ERR_/);
});

test('the demo site shows an inline chat', async ({ chat, page, platform }) => {
  await page.goto(`${platform.url}/demo/inline.html`);
  await expect(embedded(chat).locator('.row[data-side="bot"]').first()).toContainText('I am the demo bot');
  expect(await embedded(chat).evaluate((e) => e.clientHeight)).toBe(558);
});

test.describe('proactive message', () => {
  // On a slow machine the page is idle, and the chat fetched, before the test looks at the requests.
  test.use({
    attributes: 'data-proactive-message="Can I **help**?" data-proactive-delay="0" data-prefetch="false"',
  });

  test('the proactive message is shown until the chat was opened once, opens it on click, and stores nothing before', async ({
    chat,
    page,
  }) => {
    await chat.goto();
    const greeting = page.locator('.greeting');
    await expect(greeting).toContainText('Can I **help**?');
    await expect(page.getByRole('status').filter({ hasText: 'Can I' })).toBeVisible();
    expect(await page.evaluate(() => localStorage.length)).toBe(0);
    expect(chat.requests.filter((url) => url.includes('/chat-'))).toEqual([]);
    await page.evaluate(() =>
      (window.platform as Platform).config({ configuration: { proactiveMessage: 'Otherwise' } }),
    );
    await expect(greeting).toHaveText(/Otherwise/);
    await expect(greeting).toHaveCount(1);
    // Another configuration change does not show it again.
    await greeting.evaluate((e) => e.setAttribute('data-same', ''));
    await page.evaluate(() => (window.platform as Platform).config({ configuration: { color: '#111111' } }));
    await expect(page.locator('.launcher')).toHaveCSS('background-color', 'rgb(17, 17, 17)');
    await idle(page);
    await expect(greeting).toHaveAttribute('data-same');
    await greeting.getByText('Otherwise').click();
    await expect(chat.botRows).toHaveCount(1);
    await expect(greeting).toHaveCount(0);
    await page.reload();
    await applied(page);
    await expect(greeting).toHaveCount(0);
  });

  test('a dismissed proactive message does not return, also not on the next page', async ({ chat, page }) => {
    await chat.goto();
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await expect(page.locator('.greeting')).toHaveCount(0);
    await expect(chat.launcher).toBeFocused();
    await page.reload();
    await applied(page);
    await expect(page.locator('.greeting')).toHaveCount(0);
  });

  test('destroy removes the proactive message, also before it is shown', async ({ chat, page }) => {
    await chat.goto();
    await expect(page.locator('.greeting')).toContainText('Can I');
    await page.evaluate(() => {
      const platform = window.platform as Platform;
      platform.config({ configuration: { proactiveDelay: 3600 } });
      platform.destroy();
    });
    await expect(page.locator('platform-webchat')).toHaveCount(0);
  });
});

test.describe('fonts', () => {
  test.use({
    csp: "default-src 'none'; script-src 'nonce-n0nce'; style-src https://fonts.googleapis.com; font-src PLATFORM https://fonts.gstatic.com; connect-src PLATFORM; require-trusted-types-for 'script'; trusted-types platform-webchat",
  });
  const fontRequests = (chat: ChatPage) => chat.requests.filter((url) => /woff2|googleapis/.test(url));
  const faces = (chat: ChatPage) =>
    chat.page.evaluate(() => [...document.fonts].map(({ family, status }) => `${family} ${status}`));

  test('no font is loaded unless one is configured', async ({ chat }) => {
    await chat.startConversation();
    expect(fontRequests(chat)).toEqual([]);
    expect(await faces(chat)).toEqual([]);
  });

  for (const [name, file] of [
    ['inter', 'inter-latin'],
    ['Rubik', 'rubik-latin'],
    ['ibm plex sans', 'ibm-plex-sans-latin'],
    ['fira code', 'fira-code-latin'],
  ] as const) {
    test(`${name} is loaded from the chat's own server, for the scripts that occur`, async ({
      chat,
      page,
    }) => {
      await chat.startConversation();
      const loaded = page.waitForResponse(new RegExp(`/fonts/${file}\\.woff2$`));
      await page.evaluate(
        (fontFamily) => (window.platform as Platform).config({ configuration: { fontFamily } }),
        name,
      );
      expect((await loaded).status()).toBe(200);
      await expect.poll(() => faces(chat)).toContainEqual(expect.stringMatching(/^"?pw .* loaded$/));
      expect(fontRequests(chat).map((url) => new URL(url).origin)).toEqual([chat.platform.url]);
      await page.evaluate(() => (window.platform as Platform).destroy());
      expect(await faces(chat)).toEqual([]);
    });
  }

  test('any other font is requested from Google by name, and its style sheet is removed with the chat', async ({
    chat,
    page,
  }) => {
    await page.route('https://fonts.googleapis.com/**', (route) =>
      route.fulfill({
        contentType: 'text/css',
        body: '@font-face { font-family: "Lobster Two"; src: local("none") }',
      }),
    );
    await chat.startConversation();
    await page.evaluate(() =>
      (window.platform as Platform).config({ configuration: { fontFamily: 'Lobster Two' } }),
    );
    await expect
      .poll(() => fontRequests(chat))
      .toEqual(['https://fonts.googleapis.com/css2?family=Lobster%20Two:wght@400;600&display=swap']);
    // The text is visible meanwhile in a fallback font.
    await expect(chat.botRows.first()).toContainText('I am the demo bot');
    await page.evaluate(() => (window.platform as Platform).config({ configuration: { fontFamily: '' } }));
    await expect(page.locator('head link[rel=stylesheet]')).toHaveCount(0);
  });
});
