// A server that requires a proof of work before it creates a user: the visitor does not notice it, under the strictest policy.
import { expect, test } from '../support/fixtures.ts';

test.use({ env: { PROOF_OF_WORK: '12' } });

test('with proof of work the visitor opens the chat and talks, and again after a reload', async ({
  chat,
  page,
}) => {
  await chat.startConversation();
  await chat.exchange('After a puzzle');
  // Chromium logs every response with status 400 and above. The strict policy of the page has blocked nothing.
  expect(chat.consoleErrors.splice(0)).toEqual([expect.stringContaining('403')]);

  await page.reload();
  await chat.launcher.click();
  await expect(chat.botRows.filter({ hasText: 'After a puzzle' })).toHaveCount(1);
});

test('page and window stay usable while the proof of work is computed', async ({ chat, page }) => {
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  // A proof of work that never succeeds, because the first response requires 32 bits.
  await page.route(/\/users$/, async (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    const response = await route.fetch();
    const body = await response.json();
    await route.fulfill({ response, json: { ...body, metadata: { ...body.metadata, bits: 32 } } });
    release();
  });
  await chat.goto();
  await chat.launcher.click();
  await held;
  await chat.input.fill('Typed meanwhile');
  await expect(chat.input).toHaveValue('Typed meanwhile');
  await page.getByRole('link', { name: 'A link of the page' }).click({ force: true });
  await expect(page).toHaveURL(/#there$/);
  // No computation continues after destroy.
  await page.evaluate(() => (window.platform as { destroy(): void }).destroy());
  await expect(chat.window).toHaveCount(0);
  chat.consoleErrors.splice(0);
});
