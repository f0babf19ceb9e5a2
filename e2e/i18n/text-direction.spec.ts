// Text direction: right-to-left and left-to-right chats in pages of the same and of the other direction.
import type { Page } from '@playwright/test';
import type { Platform } from '../../src/protocol/page-api/page-api.ts';
import { expect, scriptedBot } from '../support/fixtures.ts';
import { box, configure, frame, rows, test } from '../support/translated-chat.ts';

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

  test('Arabic text in an English page is right-to-left; the launcher stays', async ({ chat, page }) => {
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

  test('English text in an Arabic page is left-to-right', async ({ chat, page, serveIn }) => {
    await chat.goto(serveIn('lang="ar" dir="rtl"', 'data-locale="en"'));
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

  test('Hebrew text in a Hebrew page is right-to-left', { tag: '@story' }, async ({
    chat,
    page,
    serveIn,
  }) => {
    await chat.goto(serveIn('lang="he" dir="rtl"'));
    await expect(chat.launcher).toHaveAccessibleName('פתיחת הצ׳אט');
    await chat.launcher.click();
    await expect(rows(page)).toHaveCount(1);
    await chat.instructBot({ reply: replies });
    await expect(rows(page)).toHaveCount(4);
    expect(await positions(page)).toEqual([
      ['left', 20],
      ['left', 20],
    ]);
    expect(await middle(page, 1)).toBeLessThan(await middle(page, 2));
    // The text begins as far from the border as on the other side.
    await expect(page.locator('.box-input')).toHaveCSS('padding-right', '10px');
  });
});

test.describe('a long text', () => {
  const paragraph = '*שלום* עולם, `code`.';
  const markdownOf = (page: Page) => frame(page).locator('.row[data-side="bot"] .markdown').last();

  test('keeps the direction of its beginning, also for English in Hebrew', async ({ chat, page }) => {
    await chat.startConversation();
    const paragraphs = [...Array(100)].map((_, i) => (i % 2 ? `Paragraph ${i}.` : paragraph));
    const list = `- פריט\n- Item ${'and more '.repeat(20)}`;
    await chat.instructBot({ reply: [{ type: 'markdown', markdown: [...paragraphs, list].join('\n\n') }] });
    const markdown = markdownOf(page);
    await expect(markdown.locator('p')).toHaveCount(100);
    // Not `auto`: with it, each new paragraph would take as long as all paragraphs before it.
    await expect(markdown).toHaveAttribute('dir', 'rtl');
    await expect(markdown.locator('ul')).toHaveCSS('direction', 'rtl');
    // Where the text of a paragraph begins, which `unicode-bidi: plaintext` decides for each one.
    const startsLeft = (index: number) =>
      markdown
        .locator('p')
        .nth(index)
        .evaluate((p) => {
          const range = document.createRange();
          range.selectNodeContents(p);
          return Math.abs(range.getBoundingClientRect().left - p.getBoundingClientRect().left) < 2;
        });
    expect([await startsLeft(98), await startsLeft(99)]).toEqual([false, true]);
  });

  test('without a letter has the direction of the letters that follow', async ({ chat, page }) => {
    await chat.startConversation();
    const numbers = [...Array(100)].map((_, i) => `${i}.5`).join('\n\n');
    await chat.instructBot({ reply: [{ type: 'markdown', markdown: numbers }] });
    await expect(markdownOf(page).locator('p')).toHaveCount(100);
    await expect(markdownOf(page)).toHaveAttribute('dir', 'auto');
    await chat.instructBot({ reply: [{ type: 'markdown', markdown: `${numbers}\n\n${paragraph}` }] });
    await expect(markdownOf(page).locator('p')).toHaveCount(101);
    await expect(markdownOf(page)).toHaveCSS('direction', 'rtl');
  });

  test('of one line has one direction, one of many lines a direction for each', async ({ chat, page }) => {
    await chat.startConversation();
    await chat.instructBot({ reply: [{ type: 'markdown', markdown: 'שלום עולם '.repeat(2_100) }] });
    const plain = markdownOf(page).locator('.plain');
    await expect(plain).toHaveCSS('unicode-bidi', 'isolate');
    await expect(plain).toHaveCSS('direction', 'rtl');
    // Nested too deeply to be parsed.
    await chat.instructBot({ reply: [{ type: 'markdown', markdown: `${'> '.repeat(20)}a` }] });
    await expect(markdownOf(page).locator('.plain')).toHaveCSS('unicode-bidi', 'plaintext');
  });
});
