// Every visible text of the chat comes from the message catalogues.
import { Buffer } from 'node:buffer';
import type { Platform } from '../../src/protocol/page-api/page-api.ts';
import { expect, scriptedBot } from '../support/fixtures.ts';
import { strictCsp } from '../support/host-page.ts';
import { configure, english, frame, rows, test } from '../support/translated-chat.ts';

test.use({ env: scriptedBot });

/**
 * Converts English to a pseudo-language: accented, longer text between marks, as in `⟦Sééñd⟧`. Placeholders are kept.
 */
function pseudo(text: string): string {
  const accented = text
    .split(/(\{\w+\})/)
    .map((part) =>
      part.startsWith('{') ? part : part.replace(/[aeiou]/g, (letter) => `${letter}${letter}\u0301`),
    );
  return `⟦${accented.join('')}⟧`;
}

test.describe('catalogues', () => {
  test.use({ csp: strictCsp('PLATFORM', { media: true }) });

  test('every visible text comes from the message catalogues, as a pseudo-language shows', async ({
    chat,
    page,
    platform,
    serveIn,
  }) => {
    const texts = Object.fromEntries(Object.entries(english).map(([key, text]) => [key, pseudo(text)]));
    await page.route(/\/webchat\/de-[\w-]{6}\.js/, (route) =>
      route.fulfill({
        contentType: 'text/javascript; charset=utf-8',
        headers: { 'access-control-allow-origin': '*' },
        body: `export default ${JSON.stringify({ widget: { texts } })}`,
      }),
    );
    // The content of the test has no letters, so that each letter outside of the marks is a hard-coded string.
    const attributes =
      'data-bot-name="7" data-bot-description="8" data-allow-file-upload data-feedback-enabled data-sound-enabled data-emoji-picker data-dictation data-expandable data-dockable data-resizable';
    await chat.goto(serveIn('lang="de"', attributes));
    await configure(page, {
      footer: '',
      home: { links: [{ title: '10', link: 'https://10.test' }] },
      starters: ['11'],
    });
    await expect(chat.launcher).toHaveAccessibleName(/⟦/);
    const spoken = new Set<string>();
    const look = async () => {
      const texts = await page.locator('.box').evaluate((root) => {
        const found: string[] = [];
        const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
        for (let node: Node | null = root; node; node = walker.nextNode()) {
          // Messages that the test sends.
          if (node.parentElement?.closest('[data-side="visitor"] .text')) continue;
          if (node instanceof Text) found.push(node.data);
          if (!(node instanceof Element)) continue;
          for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'aria-description'])
            found.push(node.getAttribute(name) ?? '');
        }
        return found;
      });
      const unassigned: string[] = [];
      for (const text of texts) {
        let rest = text;
        // From the inside out, because a string can be a parameter of another one.
        for (const piece of [1, 2].flatMap(() => rest.match(/⟦[^⟦⟧]*⟧/g) ?? [])) {
          rest = rest.replace(piece, '');
          spoken.add(piece.replace(/\d+(\.\d+)*(:\d+)?/g, '#'));
        }
        // Intl formats file sizes, the bot sends the greeting, and URLs are not translated.
        rest = rest.replace(/⟦[^⟦⟧]*⟧|\d (Bytes?|kB)|I am the demo bot’s scripted double\.|https?:\S+/g, '');
        if (/\p{L}/u.test(rest)) unassigned.push(text);
      }
      expect(unassigned).toEqual([]);
    };
    await look();
    await chat.launcher.click();
    const begin = frame(page).locator('[part="home-action"]');
    await expect(begin).toBeVisible();
    await expect(page.getByRole('separator')).toHaveCount(2);
    await look();
    await begin.click();
    await expect(rows(page)).toHaveCount(1);
    await look();
    await frame(page).locator('[part="home-button"]').click();
    await expect(begin).toBeVisible();
    await look();
    await begin.click();
    await frame(page).locator('[part="emoji"]').click();
    await expect(page.getByRole('gridcell').first()).toBeVisible();
    await look();
    await page.keyboard.press('Escape');
    const options = [
      { label: '1', value: '1' },
      { label: '2', value: '2' },
    ];
    const items = [
      { title: '1', actions: [] },
      { title: '2', actions: [{ action: 'postback', label: '3', value: '3' }] },
    ];
    const picture = `${platform.url}/demo/media/photo.svg`;
    await chat.instructBot({
      reply: [
        { type: 'markdown', markdown: '```\n1\n```\n\n[1](https://1.test) ![](https://127.0.0.2/3)' },
        { type: 'image', imageUrl: picture },
        { type: 'image', imageUrl: `${platform.url}/4`, title: '4' },
        { type: 'audio', audioUrl: `${platform.url}/5` },
        { type: 'video', videoUrl: `${platform.url}/6` },
        { type: 'file', fileUrl: `${platform.url}/` },
        { type: 'location', latitude: 1, longitude: 2 },
        { type: 'carousel', items },
        { type: 'dropdown', text: '9', options },
        { type: 'choice', text: '9', options },
      ],
    });
    await expect(frame(page).getByRole('combobox')).toBeVisible();
    await expect(frame(page).locator('.copy')).toBeVisible();
    await expect(frame(page).locator('.broken')).not.toHaveCount(0);
    await look();
    const files = [
      { name: '1.2', mimeType: 'text/plain', buffer: Buffer.from('12345') },
      { name: '3', mimeType: 'text/plain', buffer: Buffer.alloc(0) },
    ];
    await page.locator('input[type="file"]').setInputFiles(files);
    await expect(frame(page).locator('.attachment[data-status="uploaded"]')).toHaveCount(1);
    await look();
    await page
      .locator('input[type="file"]')
      .setInputFiles(Array.from({ length: 9 }, () => files[0] as never));
    await expect(frame(page).getByRole('alert').nth(1)).toBeVisible();
    await look();
    // The scripted bot would answer feedback with letters.
    await page.route(/\/feedback$/, (route) => route.fulfill({ json: {} }));
    const firstRow = rows(page).first();
    await firstRow.hover();
    await firstRow.locator('.act').nth(2).click();
    await look();
    await page.keyboard.press('Escape');
    await frame(page).locator('[part="more"]').click();
    await expect(frame(page).getByRole('menu')).toBeVisible();
    await look();
    await page.getByRole('menuitem').last().click();
    await look();
    await page.keyboard.press('Escape');
    await frame(page).locator('[part="restart"]').click();
    await expect(frame(page).getByRole('alertdialog')).toBeVisible();
    await look();
    await page.keyboard.press('Escape');
    await page.route(/\/messages$/, (route) => route.fulfill({ status: 400, json: {} }));
    await frame(page).locator('textarea').last().fill('12');
    await frame(page).locator('textarea').last().press('Enter');
    await expect(rows(page).last()).toHaveAttribute('data-status', 'failed');
    await look();
    await page.context().setOffline(true);
    await expect(frame(page).locator('.notice p')).toBeVisible();
    await look();
    await page.context().setOffline(false);
    await chat.launcher.click();
    await page.evaluate(() => (window.platform as Platform).setUnreadMessageCount(3));
    await look();
    // A lower bound, so that the test cannot pass if it finds too few strings.
    expect(spoken.size).toBeGreaterThan(50);
    chat.consoleErrors = [];
  });
});
