// Text direction: right-to-left and left-to-right chats in pages of the same and of the other direction.
import type { Page } from '@playwright/test';
import type { Platform } from '../../src/protocol/page-api/page-api.ts';
import { expect, scriptedBot, test } from '../support/fixtures.ts';
import { box, configure, frame, pageIn, rows } from '../support/translated-chat.ts';

test.use({ env: scriptedBot });

test.describe('direction', () => {
  const replies = [
    { type: 'text', text: 'أهلاً وسهلاً، كيف يمكنني مساعدتك؟' },
    {
      type: 'carousel',
      items: [
        { title: '1', actions: [] },
        { title: '2', actions: [] },
      ],
    },
  ];
  const positions = async (page: Page) => {
    const width = page.viewportSize()?.width ?? 0;
    const side = ({ x = 0, width: own = 0 } = {}) =>
      x < width - x - own ? ['left', x] : ['right', width - x - own];
    return [
      side((await page.locator('.launcher').boundingBox()) ?? {}),
      side((await frame(page).boundingBox()) ?? {}),
    ];
  };
  const middle = async (page: Page, index: number) => {
    const { x = 0, width = 0 } = (await rows(page).nth(index).locator('.bubble').boundingBox()) ?? {};
    return x + width / 2;
  };

  test('Arabic text in an English page is right-to-left, and the launcher keeps its corner', async ({
    chat,
    page,
  }) => {
    await chat.startConversation();
    await configure(page, { locale: 'ar', feedbackEnabled: true, allowFileUpload: true });
    await expect(chat.launcher).toHaveAccessibleName('إغلاق المحادثة');
    expect(await box(page)).toEqual(['ar', 'rtl']);
    await chat.instructBot({ reply: replies });
    await expect(rows(page)).toHaveCount(4);
    await expect(frame(page).locator('.carousel')).toBeVisible();
    expect(await positions(page)).toEqual([
      ['right', 20],
      ['right', 20],
    ]);
    expect(await middle(page, 1)).toBeLessThan(await middle(page, 2));
    await expect(frame(page).getByRole('button', { name: 'إرسال الرسالة' })).toBeVisible();
    expect(
      await frame(page)
        .locator('textarea')
        .evaluate((e) => getComputedStyle(e).direction),
    ).toBe('rtl');
    await frame(page).locator('[part="restart"]').click();
    await expect(frame(page).getByRole('alertdialog')).toBeVisible();
    await page.keyboard.press('Escape');
    await chat.launcher.click();
    await page.evaluate(() => (window.platform as Platform).setUnreadMessageCount(3));
    await expect(chat.launcher).toHaveAccessibleName('فتح المحادثة، 3 رسائل غير مقروءة');
    const badge = await page.locator('.badge').boundingBox();
    const button = await chat.launcher.boundingBox();
    expect(Math.abs((badge?.x ?? 0) + (badge?.width ?? 0) - (button?.x ?? 0) - 60)).toBeLessThanOrEqual(1);
  });

  test('English text in an Arabic page is left-to-right, and the launcher is in the page’s corner', async ({
    chat,
    page,
    serve,
    platform,
  }) => {
    await chat.goto(serve('/en-in-ar', pageIn(platform.chatUrl, 'lang="ar" dir="rtl"', 'data-locale="en"')));
    await expect.poll(() => box(page)).toEqual(['en', 'ltr']);
    await chat.launcher.click();
    await expect(chat.botRows).toHaveCount(1);
    await chat.instructBot({ reply: replies });
    await expect(chat.rows).toHaveCount(4);
    expect(await positions(page)).toEqual([
      ['left', 20],
      ['left', 20],
    ]);
    expect(await middle(page, 1)).toBeGreaterThan(await middle(page, 2));
    await page.setViewportSize({ width: 390, height: 800 });
    await expect.poll(() => frame(page).boundingBox()).toEqual({ x: 0, y: 0, width: 390, height: 800 });
  });

  test('Hebrew text in a Hebrew page is right-to-left', async ({ chat, page, serve, platform }) => {
    await chat.goto(serve('/he', pageIn(platform.chatUrl, 'lang="he" dir="rtl"')));
    await expect(chat.launcher).toHaveAccessibleName('פתיחת הצ׳אט');
    await chat.launcher.click();
    await expect(rows(page)).toHaveCount(1);
    await chat.instructBot({ reply: replies });
    await expect(rows(page)).toHaveCount(4);
    expect(await positions(page)).toEqual([
      ['left', 20],
      ['left', 20],
    ]);
  });
});
