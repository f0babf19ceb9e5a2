// The section "Bots" of the console: an owner creates a bot, walks through all of its parts, and deletes it; with axe on each, also on
// a phone.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { violationsInBothSchemes } from '../support/axe.ts';
import { expect, test } from '../support/fixtures.ts';
import { type PlatformServer, startPlatform } from '../support/server.ts';

let platform: PlatformServer;
let model: { url: string; close(): void };
test.beforeAll(async () => {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const choices = [{ index: 0, delta: { content: 'I can help you.' }, finish_reason: 'stop' }];
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(`data: ${JSON.stringify({ choices })}\n\ndata: [DONE]\n\n`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  model = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close: () => server.close(),
  };
  platform = await startPlatform({ WEBHOOK_PRIVATE: 'first' });
});
test.afterAll(async () => {
  await platform.dispose();
  model.close();
});

/** The refusals of what the page must not do, and exceptions. */
const faultsOf = (page: Page): string[] => {
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) faults.push(message.text());
  });
  return faults;
};

/** Signs the owner in, by the link of the start or with the password. */
async function signIn(page: Page): Promise<void> {
  const link = await readFile(join(platform.folder, 'setup-link'), 'utf8').catch(() => '');
  await page.goto(link.trim() || `${platform.url}/console/`);
  const name = page.getByLabel('Your name');
  await page.getByLabel('E-mail address').fill('ada@example.com');
  if (await name.isVisible()) await name.fill('Ada');
  await page.getByLabel('Password').fill('four words that stay together');
  await page.getByRole('button', { name: /sign in/i }).click();
  await expect(page.getByRole('navigation', { name: 'Console' })).toBeVisible();
}

/** Opens a part of the bot, and checks that it is wide enough and has no faults of axe. */
async function openTab(page: Page, name: string, heading: string): Promise<void> {
  await page.getByRole('navigation', { name: 'Parts of the bot' }).getByRole('link', { name }).click();
  await expect(page.getByRole('heading', { name: heading })).toBeVisible();
  await expect(page.getByText('Loading…')).toHaveCount(0);
}

async function expectGood(page: Page): Promise<void> {
  expect(await violationsInBothSchemes(page, '.page')).toEqual([]);
  const widths = await page.locator('.screen').evaluate((screen) => [screen.scrollWidth, screen.clientWidth]);
  expect(widths[0]).toBe(widths[1]);
}

const parts = [
  ['Answers', 'Who answers'],
  ['Knowledge', 'Add knowledge'],
  ['Appearance', 'Look and texts'],
  ['People', 'Form before the chat'],
  ['Privacy', 'How long data is kept'],
  ['Install', '2. Check it'],
] as const;

test('an owner creates a bot, fills all of its parts, and deletes it', { tag: '@story' }, async ({
  page,
}) => {
  const faults = faultsOf(page);
  await signIn(page);
  await page.goto(`${platform.url}/console/?page=bots`);
  await page.getByRole('button', { name: 'New bot' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Shop');
  await page.getByRole('button', { name: 'Create the bot' }).click();
  await expect(page.getByRole('heading', { name: 'Shop' })).toBeFocused();

  await page.getByRole('radio', { name: 'A language model' }).check();
  await page.getByLabel('Address', { exact: true }).fill(model.url);
  await page.getByLabel('Name of the model').fill('small');
  await page.getByRole('button', { name: 'Test', exact: true }).click();
  await expect(page.getByText('I can help you.')).toBeVisible();
  await expectGood(page);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved. The next message')).toBeVisible();

  await openTab(page, 'Knowledge', 'Add knowledge');
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Choose files' }).click();
  await (await chooser).setFiles([
    { name: 'returns.md', mimeType: 'text/markdown', buffer: Buffer.from('# Returns\n\nWithin 30 days.') },
    { name: 'broken.pdf', mimeType: 'application/pdf', buffer: Buffer.from('nothing') },
  ]);
  await expect(page.getByText('Ready')).toBeVisible();
  await expect(page.getByText('Could not be read')).toBeVisible();
  await expectGood(page);
  await page.getByRole('button', { name: 'What was read of returns.md' }).click();
  await expect(page.getByRole('dialog').getByText('Within 30 days.')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Delete broken.pdf' }).click();
  await page.getByRole('button', { name: 'Delete the file' }).click();
  await expect(page.getByRole('cell', { name: 'broken.pdf' })).toHaveCount(0);

  await openTab(page, 'Appearance', 'Look and texts');
  const chat = page.frameLocator('iframe');
  await page.getByLabel('Name in the chat').fill('Ann');
  await expect(chat.getByRole('heading', { name: 'Ann' })).toBeVisible();
  // The chat takes the focus from nobody who writes.
  await expect(page.getByLabel('Name in the chat')).toBeFocused();
  await expect(chat.locator('textarea')).toBeVisible();
  await expect(chat.locator('textarea')).not.toBeFocused();
  await page.getByRole('button', { name: 'Publish' }).click();
  await expect(page.getByText('Published: visitors see it within five minutes.')).toBeVisible();
  await page.getByLabel('Name in the chat').fill('Bea');
  await page.getByRole('button', { name: 'Publish' }).click();
  await page.getByRole('button', { name: /^Go back to/ }).click();
  await expectGood(page);
  await page.getByRole('button', { name: 'Publish this version' }).click();
  await expect(page.getByLabel('Name in the chat')).toHaveValue('Ann');

  await openTab(page, 'People', 'Form before the chat');
  await page.getByLabel('Visitors may ask for a person').check();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved.')).toBeVisible();
  await page.getByRole('button', { name: '+ E-mail address' }).click();
  await page.getByRole('button', { name: '+ Own question', exact: true }).click();
  await expect(page.getByLabel('Question', { exact: true })).toBeFocused();
  await page.getByRole('button', { name: 'Publish' }).click();
  await expect(page.getByText('Enter the question.')).toBeVisible();
  await page.getByLabel('Question', { exact: true }).fill('Order number');
  await page.getByRole('button', { name: 'Move Order number up' }).click();
  await expectGood(page);
  await page.getByRole('button', { name: 'Publish' }).click();
  await expect(page.getByText('Published: visitors see it within')).toBeVisible();

  await openTab(page, 'Privacy', 'How long data is kept');
  await page.getByLabel('Sentence to agree to before the chat').fill('I agree.');
  await page.getByRole('button', { name: 'Publish' }).click();
  await expect(page.getByText('Published.', { exact: true })).toBeVisible();
  await page.getByLabel('Conversations without activity', { exact: true }).fill('30');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Saved.')).toBeVisible();
  await expectGood(page);
  await page.reload();
  await expect(page.getByLabel('Conversations without activity', { exact: true })).toHaveValue('30');
  await expect(page.getByLabel('Sentence to agree to before the chat')).toHaveValue('I agree.');

  await page.getByRole('link', { name: 'All bots' }).click();
  await expect(page.getByRole('cell', { name: 'A language model or agent' })).toBeVisible();
  await page.getByRole('button', { name: 'Delete Shop' }).click();
  await page.getByRole('button', { name: 'Delete the bot' }).click();
  await expect(page.getByRole('link', { name: 'Shop' })).toHaveCount(0);
  expect(faults).toEqual([]);
});

test('each part of a bot fits on a phone', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signIn(page);
  await page.goto(`${platform.url}/console/?page=bots`);
  await page.getByRole('link', { name: 'demo' }).click();
  for (const [name, heading] of parts) {
    await openTab(page, name, heading);
    await expectGood(page);
  }
});
