// Several independent chats on one page: `platform.create`, `platform.instances`, and what they do not share.
import type { Platform } from '../../src/protocol/page-api/page-api.ts';
import { expect, test } from '../support/fixtures.ts';

declare global {
  interface Window {
    second: Platform;
    seenTypes: string[];
  }
}

test.beforeEach(async ({ chat, page }) => {
  await chat.goto();
  await page.evaluate(() => {
    const platform = window.platform as Platform;
    window.seenTypes = [];
    platform.on('*', ({ type }) => window.seenTypes.push(`first ${type}`));
    window.second = platform.create({
      instance: 'sales',
      configuration: { botName: 'Sales', position: 'left', color: '#123456' },
    });
    window.second.on('*', ({ type }) => window.seenTypes.push(`second ${type}`));
  });
});

test('two chats of one page have their own window, events, user, conversation and record', {
  tag: '@story',
}, async ({ page }) => {
  await expect(page.locator('.launcher')).toHaveCount(2);
  const ids = await page.evaluate(async () => {
    const first = window.platform as Platform;
    const opened = (one: Platform) =>
      new Promise<void>((resolve) => {
        one.on('webchat:ready', () => resolve());
        one.open();
      });
    await opened(first);
    await opened(window.second);
    await first.sendMessage('to the first');
    await window.second.sendMessage('to the second');
    return [(await first.getUser()).id, (await window.second.getUser()).id];
  });
  expect(new Set(ids).size).toBe(2);
  const [mine, sales] = [page.locator('platform-webchat').nth(0), page.locator('platform-webchat').nth(1)];
  await expect(sales.getByRole('dialog', { name: 'Chat with Sales' })).toContainText('to the second');
  await expect(sales).not.toContainText('to the first');
  await expect(mine.locator('.row').filter({ hasText: 'You said: “to the first”' })).toHaveCount(1);
  await expect(mine).not.toContainText('to the second');
  const records = await page.evaluate(() =>
    Object.keys(localStorage).filter((key) => key.startsWith('platform-webchat:')),
  );
  expect(records.map((key) => key.replace(/.*\/chat\//, '')).sort()).toEqual(['demo', 'demo sales']);
  const types = await page.evaluate(() => window.seenTypes);
  expect(types.filter((type) => type === 'second webchat:ready')).toHaveLength(1);
  expect(types.filter((type) => type === 'first webchat:ready')).toHaveLength(1);
});

test('window.platform stays the first, and destroying one leaves the other', async ({ page }) => {
  const seen = await page.evaluate(() => {
    const first = window.platform as Platform;
    const { second } = window;
    const all = [first.instances.length, first.instances[0] === first, first.instances[1] === second];
    first.destroy();
    return [...all, window.platform === first, second.instances.length, first.destroyed, second.destroyed];
  });
  expect(seen).toEqual([2, true, true, true, 1, true, false]);
  await expect(page.locator('.launcher')).toHaveCount(1);
  await page.evaluate(() => window.second.open());
  await expect(page.getByRole('dialog', { name: 'Chat with Sales' })).toBeVisible();
  // A destroyed chat can be started again, in its own element or in that of the other chat.
  await page.evaluate(() => {
    window.second.destroy();
    (window.platform as Platform).init();
    window.second.init();
  });
  await expect(page.locator('.launcher')).toHaveCount(2);
  expect(await page.evaluate(() => (window.platform as Platform) !== window.second)).toBe(true);
});

test('a chat that is already on the page, and invalid options, are refused', async ({ page, platform }) => {
  const codes = await page.evaluate((chatUrl) => {
    const code = (options: object) => {
      try {
        (window.platform as Platform).create(options);
        return 'created';
      } catch (error) {
        return (error as { code: string }).code;
      }
    };
    return [
      code({}),
      code({ chatUrl: `${chatUrl}/` }),
      code({ instance: 'sales' }),
      code('sales' as never),
      code({ chatUrl: 'no: address', instance: 'other' }),
      code({ instance: 'inline', target: '#missing' }),
      code({ instance: 'inline', target: '#:r1:' }),
    ];
  }, platform.chatUrl);
  expect(codes).toEqual([
    'instance_taken',
    'instance_taken',
    'instance_taken',
    'invalid_argument',
    'invalid_argument',
    'invalid_argument',
    'invalid_argument',
  ]);
  // A refused chat leaves no entry in the list of chats.
  await page.evaluate(() => (window.platform as Platform).create({ instance: 'inline' }));
  await expect(page.locator('.launcher')).toHaveCount(3);
});
