// Hooks of the page in a real browser: nodes of the page in messages, and changes before sending.
import type { Hooks, Platform } from '../../src/protocol/page-api/page-api.ts';
import { expect, scriptedBot, test } from '../support/fixtures.ts';

test.use({ env: scriptedBot });

declare global {
  interface Window {
    remove(): void;
    clicks: number;
  }
}

test('renderMessage shows a node of the page, with its styles and listeners, until the hook is removed', {
  tag: '@story',
}, async ({ chat, page }) => {
  await chat.startConversation();
  const row = await chat.botReplies({
    type: 'location',
    latitude: 1,
    longitude: 2,
    address: '<b>Main street</b>',
  });
  await expect(row).toContainText('Main street');
  await page.evaluate(() => {
    window.clicks = 0;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('.place { color: rgb(1, 2, 3); min-height: 44px }');
    document.adoptedStyleSheets = [sheet];
    document.addEventListener('click', ({ target }) => {
      if ((target as Element).matches('.place')) window.clicks++;
    });
    window.remove = (window.platform as Platform).use({
      renderMessage({ payload }) {
        if (payload.type !== 'location') return;
        const place = document.createElement('button');
        place.className = 'place';
        place.textContent = `At ${payload.address}`;
        return place;
      },
    });
  });
  // One that is shown already, and a later one.
  const place = page.getByRole('button', { name: 'At <b>Main street</b>' });
  await expect(place).toBeVisible();
  await expect(place).toHaveCSS('color', 'rgb(1, 2, 3)');
  await place.click();
  expect(await page.evaluate(() => window.clicks)).toBe(1);
  const box = await row.locator('.bubble').boundingBox();
  const inside = await place.boundingBox();
  expect(inside?.y).toBeGreaterThanOrEqual(box?.y ?? 1e6);
  expect((inside?.y ?? 1e6) + (inside?.height ?? 0)).toBeLessThanOrEqual((box?.y ?? 0) + (box?.height ?? 0));
  await chat.botReplies({ type: 'location', latitude: 1, longitude: 2, address: 'Side street' });
  await expect(page.getByRole('button', { name: 'At Side street' })).toBeVisible();
  // Drawn again without a second node.
  await chat.configure({ color: '#0a7a5a' });
  await expect(page.locator('.place')).toHaveCount(2);
  await page.evaluate(() => window.remove());
  await expect(page.locator('.place')).toHaveCount(0);
  await expect(row).toContainText('Main street');
  await chat.call('destroy');
  expect(await page.locator('platform-webchat').count()).toBe(0);
});

test('a fragment that renderMessage returns stays when the message is drawn again', async ({
  chat,
  page,
}) => {
  await chat.startConversation();
  const row = await chat.botReplies({ type: 'location', latitude: 1, longitude: 2, address: 'Main street' });
  await page.evaluate(() => {
    (window.platform as Platform).use({
      renderMessage({ payload }) {
        if (payload.type !== 'location') return;
        const fragment = new DocumentFragment();
        for (const text of ['At', 'home']) {
          const part = document.createElement('i');
          part.className = 'place';
          part.textContent = text;
          fragment.append(part);
        }
        return fragment;
      },
    });
  });
  await expect(page.locator('.place')).toHaveCount(2);
  // Drawn again, because of the next message and because of another configuration.
  await chat.botReplies({ type: 'location', latitude: 1, longitude: 2, address: 'Side street' });
  await chat.configure({ color: '#0a7a5a' });
  await expect(page.locator('.place')).toHaveCount(4);
  await expect(row.locator('.bubble')).not.toBeEmpty();
});

test('a renderMessage that throws, or returns a text, leaves the message as it is, and is reported once', async ({
  chat,
  page,
}) => {
  await page.addInitScript(() => {
    const bad: Hooks[] = [
      {
        renderMessage() {
          throw new Error('broken');
        },
      },
      { renderMessage: () => '<img src=x onerror=alert(1)>' as never },
    ];
    window.platform = [(platform) => bad.forEach((hooks) => void platform.use(hooks))] as NonNullable<
      Window['platform']
    >;
  });
  await chat.goto();
  await chat.recordEvents();
  await chat.openWindow();
  await chat.botReplies({ type: 'text', text: 'second' });
  const codes = (await chat.events()).flatMap(({ type, payload }) =>
    type === 'error' ? [(payload as { code: string }).code] : [],
  );
  expect(codes).toEqual(['hook_failed', 'hook_failed']);
  expect(await page.locator('img').count()).toBe(0);
});

test('beforeSend changes what the visitor writes, and a failing one keeps the text with a button', {
  tag: '@story',
}, async ({ chat, page }) => {
  await page.addInitScript(() => {
    let isBroken = true;
    const hooks: Hooks = {
      async beforeSend({ payload }) {
        if (payload.type !== 'text') return;
        if (payload.text === 'broken' && isBroken) {
          isBroken = false;
          throw new Error('broken');
        }
        return { payload: { ...payload, text: payload.text.replace('4111', '****') } };
      },
    };
    window.platform = [(platform) => platform.use(hooks)] as NonNullable<Window['platform']>;
  });
  await chat.startConversation();
  await chat.send('my card is 4111');
  await expect(chat.window.getByText('my card is ****', { exact: true })).toBeVisible();
  await expect.poll(() => chat.serverTexts()).toContain('my card is ****');
  await chat.send('broken');
  await chat.window.getByRole('button', { name: 'Try again' }).click();
  await expect.poll(() => chat.serverTexts()).toContain('broken');
});

test('use() takes an object only, and hooks of one chat do not reach another', async ({ chat, page }) => {
  await chat.startConversation();
  const result = await page.evaluate((chatUrl) => {
    const platform = window.platform as Platform;
    let code = '';
    try {
      platform.use('beforeSend' as never);
    } catch (error) {
      code = (error as { code: string }).code;
    }
    platform.use({ renderMessage: () => document.createElement('hr') });
    platform.create({ chatUrl, instance: 'second', configuration: { position: 'left' } }).open();
    return code;
  }, chat.platform.chatUrl);
  expect(result).toBe('invalid_argument');
  await expect(page.locator('hr')).toHaveCount(1);
  await expect(page.getByText('I am the demo bot’s scripted double.')).toHaveCount(1);
});
