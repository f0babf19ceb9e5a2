// The first steps of an owner: from the link of the start to a bot that answers on their page from their documents, in the browser.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { violationsInBothSchemes } from '../support/axe.ts';
import { expect, test } from '../support/fixtures.ts';
import { startPlatform } from '../support/server.ts';

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

/** A language model with the API of chat completions: it answers with the passage that it got, or greets. */
async function startModel() {
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const piece of request) body += piece;
    if (request.headers.authorization !== 'Bearer sk-test') {
      response.writeHead(401, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { message: 'Incorrect API key provided.' } }));
      return;
    }
    const price = /The umbrella costs (\d+) EUR/.exec(body)?.[1];
    const text = price ? `It costs ${price} EUR.` : 'I can help you with orders.';
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const content of text.split(/(?<= )/))
      response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`);
    response.write(
      `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] })}\n\n`,
    );
    response.end('data: [DONE]\n\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

test('an owner goes from the link of the start to a bot that answers on their page, without a terminal', {
  tag: '@story',
}, async ({ page, context, site }) => {
  const [platform, model] = await Promise.all([startPlatform({ WEBHOOK_PRIVATE: 'first' }), startModel()]);
  try {
    await page.goto((await readFile(join(platform.folder, 'setup-link'), 'utf8')).trim());
    await page.getByLabel('Your name').fill('Ada');
    await page.getByLabel('E-mail address').fill('ada@example.com');
    await page.getByLabel('Password').fill('four words that stay together');
    await page.getByRole('button', { name: 'Save and sign in' }).click();

    await expect(page.getByRole('heading', { name: 'Name and look' })).toBeVisible();
    const preview = page.frameLocator('iframe');
    await page.getByRole('textbox', { name: 'Name', exact: true }).fill('Shop help');
    await expect(preview.getByRole('heading', { name: 'Shop help' })).toBeVisible();
    expect(await violationsInBothSchemes(page, '.page')).toEqual([]);
    await page.getByRole('button', { name: 'Save' }).click();
    await expect(page.getByText('Saved. Visitors see it from now on.')).toBeVisible();
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
    const url = site.page('/shop', `<!doctype html><title>Shop</title><h1>Shop</h1>${tag}`, {});
    await page.getByLabel('Address of your page').fill(url);
    const opened = context.waitForEvent('page');
    await page.getByRole('button', { name: 'Open the page and check' }).click();
    const shop = await opened;
    await expect(page.getByText('The chat is on your page.')).toBeVisible();
    expect(await violationsInBothSchemes(page, '.page')).toEqual([]);

    await shop.bringToFront();
    await shop.getByRole('button', { name: 'Open chat' }).click();
    await shop.getByRole('textbox', { name: 'Message' }).fill('How much is the umbrella?');
    await shop.keyboard.press('Enter');
    await expect(shop.getByText('It costs 113 EUR.', { exact: true })).toBeVisible();

    // It begins where it was left: everything is done, so with the first step.
    await page.bringToFront();
    await page.getByRole('link', { name: 'Inbox', exact: true }).click();
    await page.getByRole('link', { name: 'First steps' }).click();
    await expect(page.getByRole('heading', { name: 'Name and look' })).toBeVisible();
    await expect(page.getByRole('navigation', { name: 'First steps' }).getByText('Done')).toHaveCount(5);
  } finally {
    await platform.dispose();
    await model.close();
  }
});
