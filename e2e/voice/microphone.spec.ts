// The microphone in the whole browser: the headless shell ends a page that asks for speech recognition.
import config from '../../playwright.config.ts';
import { requireProgram } from '../../scripts/browser.mjs';
import { expect, scriptedBot, test } from '../support/fixtures.ts';

const executablePath = requireProgram('chromium');

test.use({
  env: scriptedBot,
  attributes: 'data-dictation',
  launchOptions: {
    ...config.use?.launchOptions,
    executablePath,
    args: [
      ...(config.use?.launchOptions?.args ?? []).filter((one) => !one.startsWith('--use-fake')),
      '--headless=new',
    ],
  },
});

test('dictation without service or microphone ends with a sentence', async ({ chat }) => {
  await chat.startConversation();
  await chat.input.fill('kept');
  await chat.window.getByRole('button', { name: 'Dictate' }).click();
  await expect(chat.window.locator('.tool-note[role="alert"]')).toHaveText(
    /^(The microphone cannot be used|Dictation is not available|Nothing was heard)/,
  );
  await expect(chat.input).toHaveValue('kept');
  await chat.input.press('Enter');
  await expect.poll(() => chat.serverTexts()).toContain('kept');
});
