// The snippets of the playground, pasted into a page, and the link that it copies.
import { expect } from '../support/fixtures.ts';
import { test } from '../support/playground.ts';

test.describe('snippets', () => {
  test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

  for (const form of ['Attributes', 'init()'] as const) {
    test(`${form}: pasted into a page, it creates the configured chat`, async ({
      playground,
      browser,
      serve,
    }) => {
      const { page } = playground;
      await playground.goto(
        `#color=%230a7a5a&botName=${encodeURIComponent('A "b" </script> & co')}&position=left&launcher=true`,
      );
      const code = await playground.tool('Code');
      await code.getByRole('radio', { name: form, exact: true }).check();
      await code.getByRole('button', { name: 'Copy snippet' }).click();
      await expect(code.getByRole('button', { name: 'Copied' })).toBeVisible();
      const snippet = await page.evaluate(() => navigator.clipboard.readText());

      const context = await browser.newContext();
      const site = await context.newPage();
      await site.goto(
        serve(`/snippet-${form.length}`, `<!doctype html><title>A page</title><body>${snippet}`, {}),
      );
      const launcher = site.locator('.launcher');
      await expect(launcher).toHaveCSS('background-color', 'rgb(10, 122, 90)');
      await expect(launcher).toHaveCSS('left', '20px');
      await launcher.click();
      await expect(site.getByRole('dialog', { name: 'Chat with A "b" </script> & co' })).toBeVisible();
      await expect(site.locator('.row[data-side="bot"]')).toHaveCount(1);
      await context.close();
    });
  }

  test('the snippet contains only changed fields, and the copied link has the current configuration', async ({
    playground,
  }) => {
    const { page } = playground;
    const code = await playground.tool('Code');
    await expect(code.locator('pre')).not.toContainText('data-color');
    await code.getByRole('radio', { name: 'Served', exact: true }).check();
    await expect(code.locator('pre')).toHaveText(
      `<script src="${playground.platform.chatUrl}/webchat.js" async></script>`,
    );
    await expect(code.getByText('Save the fields')).toHaveCount(0);
    await playground.field('botName').fill('Ada');
    await expect(code.getByText('Save the fields')).toBeVisible();
    await page.getByRole('button', { name: 'Copy link' }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(
      `${playground.platform.url}/playground/#botName=Ada`,
    );
  });
});
