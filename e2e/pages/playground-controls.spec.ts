// The controls of the playground: one for every configuration field, and what a change does in the preview.
import { fieldNames } from '../../src/protocol/page-api/config-layers.ts';
import { expect } from '../support/fixtures.ts';
import { hashOf, test } from '../support/playground.ts';

test.describe('controls', () => {
  test('the playground has a control with a description for every configuration field', async ({
    playground: { page },
  }) => {
    const names = await page.locator('.field .name > :first-child').allInnerTexts();
    expect(names.toSorted()).toEqual(fieldNames.toSorted());
    for (const help of await page.locator('.field .help').allInnerTexts()) expect(help).toMatch(/\.$/);
  });

  test('a colour can be typed or picked, and an invalid one is reported', async ({ playground }) => {
    const { page, launcher } = playground;
    await expect(launcher).toHaveCSS('background-color', 'rgb(48, 112, 222)');
    await playground.field('color').fill('#0a7a5a');
    await expect(launcher).toHaveCSS('background-color', 'rgb(10, 122, 90)');
    await expect(playground.field('color, picker')).toHaveValue('#0a7a5a');
    await playground.field('color, picker').fill('#aa0000');
    await expect(launcher).toHaveCSS('background-color', 'rgb(170, 0, 0)');
    await expect(playground.field('color')).toHaveValue('#aa0000');
    await playground.field('color').fill('red');
    await expect(launcher).toHaveCSS('background-color', 'rgb(48, 112, 222)');
    await expect(playground.field('color')).toHaveAttribute('aria-invalid', 'true');
    await expect(playground.field('color')).toHaveAccessibleDescription(
      /'color' must be a HEX color\. Primary/,
    );
    await page.getByRole('button', { name: 'Clear color' }).click();
    await expect(playground.field('color')).toHaveValue('');
    await expect(playground.field('color')).toHaveAttribute('aria-invalid', 'false');
  });

  test('text, choice, number, flag, list, link and string controls change the preview and can be reset', {
    tag: '@story',
  }, async ({ playground }) => {
    const { page, window, launcher, preview } = playground;
    await playground.field('starters').fill('Prices\n\nOpening hours');
    await playground.open();

    await playground.field('botName').fill('Ada <b>');
    await expect(window.getByRole('heading')).toHaveText('Ada <b>');
    await playground.field('themeMode').selectOption('dark');
    await expect(preview.locator('.box')).toHaveAttribute('data-theme', 'dark');

    await playground.field('radius').fill('1');
    await expect(window).toHaveCSS('border-radius', '6px');
    await playground.field('radius, slider').fill('2');
    await expect(window).toHaveCSS('border-radius', '12px');
    await expect(playground.field('radius')).toHaveValue('2');
    await playground.field('radius').fill('99');
    await expect(window).toHaveCSS('border-radius', '24px');
    await expect(page.getByText('From 0.5 to 4: 4 is used.')).toBeVisible();

    const launcherChoice = page.getByRole('group', { name: 'launcher', exact: true });
    await launcherChoice.getByRole('radio', { name: 'false', exact: true }).check();
    await expect(launcher).toBeHidden();
    await launcherChoice.getByRole('radio', { name: 'Default (true)' }).check();
    await expect(launcher).toBeVisible();

    await expect(window.locator('.footer')).toContainText('Powered by');
    await playground.field('footer').fill('Our **own**');
    await expect(window.locator('.footer strong')).toHaveText('own');
    await page.getByLabel('Leave it out').check();
    await expect(window.locator('.footer')).toHaveCount(0);
    await page.getByLabel('Leave it out').uncheck();
    await expect(window.locator('.footer strong')).toHaveText('own');

    const phone = page.getByRole('group', { name: 'phone', exact: true });
    await phone.getByLabel('title').fill('Call us');
    await phone.getByLabel('link').fill('tel:+3112');
    await playground.field('additionalStylesheet').fill('.launcher { border-radius: 7px }');
    await expect(launcher).toHaveCSS('border-radius', '7px');

    await playground.field('strings').fill('{"send"');
    await expect(playground.field('strings')).toHaveAttribute('aria-invalid', 'true');
    await playground.field('strings').fill('{"send": "Go"}');
    await expect(playground.field('strings')).toHaveAttribute('aria-invalid', 'false');

    await expect(page.getByText('8 set')).toBeVisible();
    await expect
      .poll(() => hashOf(page))
      .toBe(
        '#themeMode=dark&radius=4&additionalStylesheet=.launcher+{+border-radius:+7px+}&strings={"send":"Go"}' +
          '&botName=Ada+<b>&footer=Our+**own**&starters=["Prices","Opening+hours"]' +
          '&phone={"title":"Call+us","link":"tel:+3112"}',
      );
    // No invalid value reached the preview.
    await playground.tool('Methods');
    await expect(playground.log.getByText('error', { exact: true })).toHaveCount(0);

    await page.getByRole('button', { name: 'Reset' }).click();
    await expect(window.getByRole('heading')).toHaveText('Bot');
    await expect(playground.field('botName')).toHaveValue('');
    await expect.poll(() => new URL(page.url()).hash).toBe('');
  });

  test('a font or URL takes effect when it is complete, and not before', async ({ playground }) => {
    const { page, preview } = playground;
    await playground.field('fontFamily').pressSequentially('Rubik');
    await expect(preview.locator('.box')).not.toHaveCSS('font-family', /pw R/);
    await page.keyboard.press('Enter');
    await expect(preview.locator('.box')).toHaveCSS('font-family', /pw Rubik/);
    await playground.field('fabImage').pressSequentially('//example.org/x.png');
    await expect(preview.locator('.launcher img')).toHaveCount(0);
    await playground.field('fabImage').fill('/playground/icon.svg');
    await page.keyboard.press('Enter');
    await expect(preview.locator('.launcher img')).toHaveAttribute('src', '/playground/icon.svg');
  });

  test('fields are found by name and description', async ({ playground: { page } }) => {
    await page.getByRole('searchbox', { name: 'Find a field' }).fill('google');
    await expect(page.locator('.field:visible .name > :first-child')).toHaveText(['fontFamily']);
    await page.getByRole('searchbox').fill('zzz');
    await expect(page.getByText('No such field')).toBeVisible();
  });

  test('a cleared field keeps the focus, and arrow keys move between tabs', async ({ playground }) => {
    const { page } = playground;
    await playground.field('botName').fill('Ada');
    await page.keyboard.press('Shift+Tab');
    await expect(page.getByRole('button', { name: 'Clear botName' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(playground.field('botName')).toBeFocused();
    await expect(playground.field('botName')).toHaveValue('');
    await page.getByRole('tab', { name: 'Code' }).focus();
    await page.keyboard.press('ArrowLeft');
    await expect(page.getByRole('tab', { name: 'Server' })).toBeFocused();
    await expect(page.getByRole('tabpanel')).toHaveAccessibleName('Server');
  });
});
