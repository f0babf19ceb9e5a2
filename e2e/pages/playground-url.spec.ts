// The configuration in the URL of the playground.
import { expect } from '../support/fixtures.ts';
import { hashOf, test } from '../support/playground.ts';

test.describe('URL', () => {
  test('the URL carries a configuration, and its invalid parts are reported', async ({ playground }) => {
    const { page, launcher } = playground;
    await playground.goto(
      '#color=%23000000&footer=&radius=7&botName=%3Cimg%20src%3Dx%3E&nope=1&themeMode=pink&view.frame=phone&view.bot=../x',
    );
    await expect(launcher).toHaveCSS('background-color', 'rgb(0, 0, 0)');
    await expect(playground.field('botName')).toHaveValue('<img src=x>');
    await expect(playground.field('radius')).toHaveValue('4');
    await expect(page.getByLabel('Leave it out')).toBeChecked();
    await expect(page.getByRole('alert').getByRole('listitem')).toHaveText([
      "No field 'nope'.",
      "'view.bot' cannot be '../x'.",
      "'themeMode' must be light or dark or auto or page.",
    ]);
    await page.getByRole('button', { name: 'Dismiss' }).press('Enter');
    await expect(page.getByRole('alert')).toHaveCount(0);
    await expect(page.getByRole('searchbox', { name: 'Find a field' })).toBeFocused();
    // A valid value clears the error.
    await expect
      .poll(() => hashOf(page))
      .toBe('#color=#000000&radius=4&botName=<img+src=x>&footer=&view.frame=phone');
  });

  test('the URL is applied again when it changes, and never contains a secret', async ({ playground }) => {
    const { page, launcher } = playground;
    await playground.field('adminKey').fill('s3cret');
    await playground.field('color').fill('#111111');
    await expect.poll(() => hashOf(page)).toBe('#color=#111111');
    await page.evaluate(() => {
      location.hash = 'color=%23222222';
    });
    await expect(launcher).toHaveCSS('background-color', 'rgb(34, 34, 34)');
    await expect(playground.field('color')).toHaveValue('#222222');
  });
});
