// Placement: inline in an element, as a whole page, opened by trigger elements, proactive message; and fonts.
import type { Page } from '@playwright/test';
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

const inlineBody =
  '<div style="height:1500px">Above</div><div id="here" style="width:500px;height:400px;margin:30px"></div>';

test('an inline chat fills its element without a launcher and starts when it becomes visible', {
  tag: '@story',
}, async ({ chat, page, platform, serve }) => {
  // The script tag is before the element.
  const head = `<script nonce="n0nce" src="${platform.chatUrl}/webchat.js" data-target="#here"></script>`;
  const csp = strictCsp(platform.url).replace("style-src 'none'", "style-src 'unsafe-inline'");
  const html = pageHtml('', { head, body: inlineBody });
  await page.goto(serve('/inline', html, { 'content-security-policy': csp }));
  await expect(page.locator('platform-webchat')).toHaveAttribute('data-inline', 'element');
  await expect(chat.launcher).toBeHidden();
  expect(chat.requests.filter((url) => url.includes('/users'))).toEqual([]);
  const link = page.getByRole('link', { name: 'A link of the page' });
  await link.focus();

  await page.locator('#here').scrollIntoViewIfNeeded();
  const region = embedded(chat);
  await expect(region.locator('.row[data-side="bot"]').first()).toContainText('I am the demo bot');
  // The focus was not moved into the chat.
  await expect(link).toBeFocused();
  expect(await region.boundingBox()).toEqual(await page.locator('#here').boundingBox());
  await expect(region.getByRole('button', { name: 'Close chat' })).toHaveCount(0);
  await chat.exchange('From within');
  await chat.input.press('Escape');
  await expect(region).toBeVisible();

  await chat.call('destroy');
  expect(await page.locator('#here').innerHTML()).toBe('');
});

test('with the target body the chat fills the page, also on a phone', async ({ chat, page }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await chat.load('data-target="body"');
  await expect(chat.botRows.first()).toBeVisible();
  expect(await embedded(chat).boundingBox()).toEqual({ x: 0, y: 0, width: 390, height: 800 });
  await page.setViewportSize({ width: 390, height: 420 });
  await expect.poll(async () => (await embedded(chat).boundingBox())?.height).toBe(420);
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
  await expect(chat.botRows.first()).toBeVisible();
  await expect(page.locator('platform-webchat')).toHaveCount(1);
  await page.evaluate(() => document.querySelector('#one')?.remove());
  await chat.call('init', { target: '#two' });
  await expect(page.locator('#two').locator('.row[data-side="bot"]').first()).toBeVisible();
  await chat.call('destroy');
  await expect(page.locator('platform-webchat')).toHaveCount(0);
});

test('a trigger element that cannot be focused leaves the focus to the launcher', async ({ chat, page }) => {
  await chat.load('', { body: '<p data-platform-open>Talk to us</p>' });
  await page.getByText('Talk to us').click();
  await expect(chat.botRows).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(chat.launcher).toBeFocused();
});

test('trigger elements open the chat, also those added later, and get the focus back', {
  tag: '@story',
}, async ({ chat, page }) => {
  const body =
    '<a href="/contact" data-platform-open><b>Talk to us</b></a> <button id="no">Not this</button>';
  await chat.load('data-launcher="false"', { path: '/triggers', body });
  const trigger = page.getByRole('link', { name: 'Talk to us' });
  await trigger.click();
  await expect(chat.botRows).toHaveCount(1);
  expect(page.url()).toContain('/triggers');
  await expect(chat.launcher).toBeHidden();
  await chat.close();
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
  const help = page.getByRole('button', { name: 'Help' });
  await help.press('Enter');
  await expect(chat.window).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(help).toBeFocused();

  await chat.call('destroy');
  await help.click();
  await expect(page.locator('platform-webchat')).toHaveCount(0);
});

for (const position of ['left', 'right']) {
  test(`the badge is at the upper corner of a launcher on the ${position}, at the edge of the page, in every direction of text`, async ({
    chat,
    page,
  }) => {
    await chat.load(`data-position="${position}"`);
    for (const locale of ['en', 'ar']) {
      await chat.configure({ locale });
      await chat.call('setUnreadMessageCount', 3);
      await expect(page.locator('.box')).toHaveAttribute('lang', locale);
      const button = await chat.launcher.boundingBox();
      const badge = await page.locator('.badge').boundingBox();
      if (!button || !badge) throw new Error('The launcher or its badge is not visible.');
      const [left, right] = [badge.x - button.x, badge.x + badge.width - button.x - button.width];
      // It projects beyond the button by the same distance on either side, and above it.
      expect(position === 'left' ? -left : right, locale).toBeCloseTo(4, 0);
      expect(badge.width, locale).toBeLessThan(button.width / 2);
      expect(badge.y - button.y, locale).toBeCloseTo(-4, 0);
    }
  });
}

test('the demo site shows an inline chat', async ({ chat, page, platform }) => {
  await page.goto(`${platform.url}/demo/inline.html`);
  await expect(chat.botRows.first()).toContainText('I am the demo bot');
  expect(await embedded(chat).evaluate((e) => e.clientHeight)).toBe(558);
});

test('a proactive message is shown until the chat was opened once or it was dismissed, and stores nothing before', async ({
  chat,
  page,
  serve,
}) => {
  // On a slow machine the page is idle, and the chat fetched, before the test looks at the requests.
  const load = () =>
    chat.load('data-proactive-message="Can I **help**?" data-proactive-delay="0" data-prefetch="false"');
  await load();
  const greeting = page.locator('.greeting');
  await expect(greeting).toContainText('Can I **help**?');
  await expect(page.getByRole('status').filter({ hasText: 'Can I' })).toBeVisible();
  expect(await page.evaluate(() => localStorage.length)).toBe(0);
  expect(chat.requests.filter((url) => url.includes('/chat-'))).toEqual([]);
  await chat.configure({ proactiveMessage: 'Otherwise' });
  await expect(greeting).toHaveText(/Otherwise/);
  await expect(greeting).toHaveCount(1);
  // Another configuration change does not show it again.
  await greeting.evaluate((e) => e.setAttribute('data-same', ''));
  await chat.configure({ color: '#111111' });
  await expect(page.locator('.launcher')).toHaveCSS('background-color', 'rgb(17, 17, 17)');
  await idle(page);
  await expect(greeting).toHaveAttribute('data-same');
  await greeting.getByText('Otherwise').click();
  await expect(chat.botRows).toHaveCount(1);
  await expect(greeting).toHaveCount(0);
  await load();
  await applied(page);
  await expect(greeting).toHaveCount(0);
  // From a page without the chat: that of a returning visitor still connects, and would store a new conversation.
  await page.goto(serve('/other', pageHtml('')));
  await page.evaluate(() => localStorage.clear());
  await load();
  await page.getByRole('button', { name: 'Dismiss' }).click();
  await expect(greeting).toHaveCount(0);
  await expect(chat.launcher).toBeFocused();
  await load();
  await applied(page);
  await expect(greeting).toHaveCount(0);
});

test.describe('fonts', () => {
  test.use({
    csp: "default-src 'none'; script-src 'nonce-n0nce'; style-src https://fonts.googleapis.com; font-src PLATFORM https://fonts.gstatic.com; connect-src PLATFORM; require-trusted-types-for 'script'; trusted-types platform-webchat",
  });
  const fontRequests = (chat: ChatPage) => chat.requests.filter((url) => /woff2|googleapis/.test(url));
  const faces = (chat: ChatPage) =>
    chat.page.evaluate(() => [...document.fonts].map(({ family, status }) => `${family} ${status}`));

  test("each bundled font is loaded from the chat's own server, for the scripts that occur, and no other one", async ({
    chat,
    page,
  }) => {
    await chat.startConversation();
    expect([await faces(chat), fontRequests(chat)]).toEqual([[], []]);
    for (const [name, file] of Object.entries({
      inter: 'inter-latin',
      Rubik: 'rubik-latin',
      'ibm plex sans': 'ibm-plex-sans-latin',
      'fira code': 'fira-code-latin',
    })) {
      const loaded = page.waitForResponse(new RegExp(`/fonts/${file}\\.woff2$`));
      await chat.configure({ fontFamily: name });
      expect((await loaded).status()).toBe(200);
      const face = new RegExp(`^"?pw ${name}"? loaded$`, 'i');
      await expect.poll(() => faces(chat)).toContainEqual(expect.stringMatching(face));
    }
    const origins = fontRequests(chat).map((url) => new URL(url).origin);
    expect([...new Set(origins)]).toEqual([chat.platform.url]);
    await chat.call('destroy');
    expect(await faces(chat)).toEqual([]);
  });

  test('any other font is requested from Google by name, and its style sheet is removed with the chat', async ({
    chat,
    page,
  }) => {
    const body = '@font-face { font-family: "Lobster Two"; src: local("none") }';
    await page.route('https://fonts.googleapis.com/**', (route) =>
      route.fulfill({ contentType: 'text/css', body }),
    );
    await chat.startConversation();
    await chat.configure({ fontFamily: 'Lobster Two' });
    await expect
      .poll(() => fontRequests(chat))
      .toEqual(['https://fonts.googleapis.com/css2?family=Lobster%20Two:wght@400;600&display=swap']);
    // The text is visible meanwhile in a fallback font.
    await expect(chat.botRows.first()).toContainText('I am the demo bot');
    await chat.configure({ fontFamily: '' });
    await expect(page.locator('head link[rel=stylesheet]')).toHaveCount(0);
  });
});
