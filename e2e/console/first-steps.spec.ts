// The first steps of an owner: from the link of the start to a bot that answers on their page from their documents, in the browser.
import type { Page } from '@playwright/test';
import { violationsInBothSchemes } from '../support/axe.ts';
import { startModel } from '../support/bots/answering-model.ts';
import { expect, test } from '../support/fixtures.ts';
import { type HostSite, pageHtml } from '../support/host-page.ts';
import { startPlatform } from '../support/server.ts';
import { phone } from './signed-in.ts';
import { useSetupLink } from './team-pages.ts';

/** The documents of a shop, one for each product. */
const products =
  'lamp chair table sofa carpet mirror wardrobe shelf kettle toaster bicycle tent backpack umbrella clock vase blanket pillow candle basket'.split(
    ' ',
  );
const documents = products.map((name, index) => ({
  name: `${name}.md`,
  mimeType: 'text/markdown',
  buffer: Buffer.from(`# The ${name}\n\nThe ${name} costs ${100 + index} EUR.`),
}));

// A server, a browser, twenty documents and eight runs of axe: 13 s on quiet cores, 45 s beside five other tests.
test.describe.configure({ timeout: 300_000 });

/** The way from the link of the start to the first answer. */
async function goToFirstAnswer(page: Page, site: HostSite): Promise<void> {
  const [platform, model] = await Promise.all([startPlatform({ WEBHOOK_PRIVATE: 'first' }), startModel()]);
  try {
    await useSetupLink(page, platform, 'Ada');
    const preview = page.frameLocator('iframe');
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Shop help');
    await expect(preview.getByRole('heading', { name: 'Shop help' })).toBeVisible();
    expect(await violationsInBothSchemes(page, '.page')).toEqual([]);
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('Saved. Visitors see it within five minutes.')).toBeVisible();
    await page.getByRole('link', { name: 'Continue' }).click();

    await expect(page.getByRole('heading', { name: 'Who answers' })).toBeVisible();
    await page.getByRole('radio', { name: /^A language model/ }).check();
    await page.getByRole('textbox', { name: 'Address' }).fill(model.url);
    await page.getByLabel('Name of the model').fill('small');
    await page.getByLabel('Key', { exact: true }).fill('sk-wrong');
    const ask = page.getByRole('button', { name: 'Test', exact: true });
    await ask.click();
    await expect(page.getByText('It does not answer yet.')).toBeVisible();
    await page.getByLabel('Key', { exact: true }).fill('sk-test');
    await ask.click();
    await expect(page.getByText('I can help you with orders.')).toBeVisible();
    expect(await violationsInBothSchemes(page, '.page')).toEqual([]);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('link', { name: 'Continue' }).click();

    await expect(page.getByRole('heading', { name: 'Its knowledge' })).toBeVisible();
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Choose files' }).click();
    await (await chooser).setFiles(documents);
    await expect(page.getByText('Sent', { exact: true })).toHaveCount(20);
    await expect(page.getByText('20 documents were read.')).toBeVisible();
    await page.getByRole('link', { name: 'Continue' }).click();

    await expect(page.getByRole('heading', { name: 'Opening hours' })).toBeVisible();
    await page.getByLabel('Somebody answers at any time').uncheck();
    await page.getByRole('button', { name: 'Save hours' }).click();
    await expect(page.getByText('The opening hours were saved.')).toBeVisible();
    await page.getByRole('link', { name: 'Continue' }).click();

    await expect(page.getByRole('heading', { name: 'Your page', exact: true })).toBeVisible();
    const tag = await page.locator('.step pre').first().textContent();
    // With a viewport, as sites for phones have: without one, the button may be outside of the part that the new tab shows.
    const url = site.page('/shop', pageHtml(tag ?? ''), {});
    await page.getByLabel('Address of your page').fill(url);
    const opened = page.context().waitForEvent('page');
    await page.getByRole('button', { name: 'Open the page and check' }).click();
    const shop = await opened;
    await expect(page.getByText('The chat is on your page.')).toBeVisible();
    expect(await violationsInBothSchemes(page, '.page')).toEqual([]);

    await shop.bringToFront();
    await shop.getByRole('button', { name: 'Open chat' }).click();
    // Not the look that the preview has loaded before.
    await expect(shop.getByRole('heading', { name: 'Shop help', level: 2 })).toBeVisible();
    await shop.getByRole('textbox', { name: 'Message' }).fill('How much is the umbrella?');
    await shop.keyboard.press('Enter');
    await expect(shop.getByText('It costs 113 EUR.', { exact: true })).toBeVisible();

    // It begins where it was left: everything is done, so with the first step.
    await page.bringToFront();
    await page.getByRole('link', { name: 'Inbox', exact: true }).click();
    // On a phone it is in the menu of the bar.
    const more = page.getByRole('button', { name: 'More', exact: true });
    if (await more.isVisible()) await more.click();
    await page.getByRole('link', { name: 'First steps' }).click();
    await expect(page.getByRole('heading', { name: 'Name and look' })).toBeVisible();
    await expect(page.getByRole('navigation', { name: 'First steps' }).getByText('Done')).toHaveCount(5);
  } finally {
    await platform.dispose();
    await model.close();
  }
}

test(
  'an owner goes from the link of the start to a bot that answers on their page, without a terminal',
  {
    tag: '@story',
  },
  ({ page, site }) => goToFirstAnswer(page, site),
);

test.describe('on a phone', () => {
  test.use({ ...phone, contextOptions: { reducedMotion: 'reduce' } });
  test('an owner goes the same way', ({ page, site }) => goToFirstAnswer(page, site));
});
