// The snippets of the playground, pasted into a page, and the link that it copies.
import { expect } from '../support/fixtures.ts';
import { test } from '../support/playground.ts';

test.describe('snippets', () => {
  test.use({ permissions: ['clipboard-read', 'clipboard-write'] });

  for (const form of ['Attributes', 'init()'] as const) {
    test(`${form}, pasted into a page, creates the chat`, async ({ playground, browser, serve }) => {
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

  test('the copied header allows the chat of the copied snippet, and names the sources of its fields', {
    tag: '@story',
  }, async ({ playground, browser, serve }) => {
    const { page } = playground;
    await playground.goto('#botAvatar=https%3A%2F%2Favatars.test%2Fa.png&fontFamily=inter');
    const code = await playground.tool('Code');
    await code.getByText('Content security policy', { exact: true }).click();
    const copied = async (name: string) => {
      await code.getByRole('button', { name }).click();
      // The other button has lost the focus, and says what it copies again.
      await expect(code.getByRole('button', { name: 'Copied' })).toBeFocused();
      return page.evaluate(() => navigator.clipboard.readText());
    };
    const [snippet, header] = [await copied('Copy snippet'), await copied('Copy header')];
    const [name = '', value = ''] = header.split(': ');
    expect(value).toContain(`img-src ${playground.platform.url} https://avatars.test;`);
    expect(value).toContain(`font-src ${playground.platform.url};`);
    await expect(code.getByRole('region', { name: 'Header' })).toHaveText(header.replaceAll('; ', ';\n  '));

    const context = await browser.newContext();
    const site = await context.newPage();
    const seen: string[] = [];
    site.on('console', (message) => seen.push(message.text()));
    await site.route('https://avatars.test/**', (route) => route.fulfill({ status: 404 }));
    await site.goto(
      serve('/snippet-csp', `<!doctype html><title>A page</title><body>${snippet}`, { [name]: value }),
    );
    await site.locator('.launcher').click();
    await expect(site.locator('.row[data-side="bot"]')).toHaveCount(1);
    expect(seen.filter((text) => /Content Security Policy|Trusted/.test(text))).toEqual([]);
    await context.close();
    await code.getByRole('radio', { name: 'init()', exact: true }).check();
    await expect(code.getByRole('region', { name: 'Header' })).toContainText("script-src 'nonce-R4nd0m'");
  });

  test('the snippet has only changed fields, and the link the configuration', async ({ playground }) => {
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
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toBe(`${playground.platform.url}/playground/#botName=Ada`);
  });
});
