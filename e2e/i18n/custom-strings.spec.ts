// Custom strings of the page: the example of the documentation, plurals, wrong values, and their precedence.
import { readFile } from 'node:fs/promises';
import type { Configuration } from '../../src/protocol/page-api/config.ts';
import { expect, scriptedBot, test } from '../support/fixtures.ts';
import { configure, fetched, frame } from '../support/translated-chat.ts';

test.use({ env: scriptedBot });

test('custom strings with plurals work as in the documentation, and wrong ones are ignored', {
  tag: '@story',
}, async ({ chat, page }) => {
  const code = /```js\n(.*?)```/s.exec(await readFile('docs/guides/languages.md', 'utf8'))?.[1] ?? '';
  const runCode = new Function('platform', code) as (platform: { config(options: unknown): void }) => void;
  let configuration: Configuration = {};
  runCode({
    config(options) {
      ({ configuration } = options as { configuration: Configuration });
    },
  });
  await chat.startConversation();
  await configure(page, configuration);
  await expect(chat.input).toHaveAttribute('placeholder', 'How can we help?');
  await chat.launcher.click();
  await expect(chat.launcher).toHaveAccessibleName('Talk to us');

  const junk = { openChat: 5, send: { one: 'x' }, close: ['x'], messages: '', nonsense: 'x', unread: null };
  await configure(page, { strings: { ...junk, composer: 'Say something', copyCode: 'Take it' } });
  await expect(chat.launcher).toHaveAccessibleName('Open chat');
  await chat.launcher.click();
  await expect(frame(page).getByRole('textbox', { name: 'Say something' })).toBeVisible();
  await expect(frame(page).getByRole('button', { name: 'Send message' })).toBeVisible();
  await expect(frame(page).locator('[part="close"]')).toHaveAccessibleName('Close chat');
  await chat.instructBot({ reply: [{ type: 'markdown', markdown: '```\n1\n```' }] });
  await expect(frame(page).getByRole('button', { name: 'Take it' })).toBeVisible();
  // Custom strings also override another language.
  await configure(page, { locale: 'nl' });
  await expect(frame(page).getByRole('button', { name: 'Bericht verzenden' })).toBeVisible();
  await expect(frame(page).getByRole('button', { name: 'Take it' })).toBeVisible();
  // A configured placeholder overrides the translation.
  await configure(page, { composerPlaceholder: 'Mine' });
  await expect(frame(page).getByRole('textbox', { name: 'Say something' })).toHaveAttribute(
    'placeholder',
    'Mine',
  );
  expect(fetched(chat)).toEqual(['i18n', 'nl']);
});
