// Languages: which one is selected, and that a change applies at once to every part of the chat.
import type { Platform } from '../../src/protocol/page-api/page-api.ts';
import { expect, scriptedBot } from '../support/fixtures.ts';
import { box, configure, fetched, frame, rows, test } from '../support/translated-chat.ts';

test.use({ env: scriptedBot });

test('an English page loads no translation, and the chat has lang=en', async ({ chat, page }) => {
  await chat.startConversation();
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
  expect(fetched(chat)).toEqual([]);
  expect(await box(page)).toEqual(['en', 'ltr']);
});

test('on a German page launcher, window and lazily loaded parts are in German', { tag: '@story' }, async ({
  chat,
  page,
  serveIn,
}) => {
  await chat.goto(serveIn('lang="de-AT"'));
  await expect(chat.launcher).toHaveAccessibleName('Chat öffnen');
  expect(await box(page)).toEqual(['de-AT', 'ltr']);
  expect(fetched(chat)).toEqual(['i18n', 'de']);
  await page.evaluate(() => (window.platform as Platform).setUnreadMessageCount(2));
  await expect(chat.launcher).toHaveAccessibleName('Chat öffnen, 2 ungelesene Nachrichten');
  await chat.launcher.click();
  await expect(rows(page)).toHaveCount(1);
  await expect(frame(page)).toHaveAccessibleName('Chat mit Bot');
  await expect(chat.launcher).toHaveAccessibleName('Chat schließen');
  const input = frame(page).getByRole('textbox', { name: 'Nachricht' });
  await expect(input).toHaveAttribute('placeholder', 'Nachricht schreiben …');
  await expect(frame(page).locator('.row .day')).toHaveText('Heute');
  await chat.instructBot({
    reply: [
      { type: 'markdown', markdown: '```\n1\n```' },
      { type: 'location', latitude: 1, longitude: 2 },
      { type: 'dropdown', text: '?', options: [{ label: 'a', value: 'a' }] },
    ],
  });
  await expect(frame(page).getByRole('button', { name: 'Kopieren', exact: true })).toBeVisible();
  await expect(frame(page).locator('[data-type="location"]')).toContainText('Ort');
  await expect(frame(page).getByRole('combobox')).toContainText('Antwort auswählen');
  await frame(page).getByRole('button', { name: 'Neue Unterhaltung beginnen' }).click();
  await expect(frame(page).getByRole('alertdialog')).toHaveAccessibleName('Neue Unterhaltung beginnen?');
  expect(fetched(chat)).toEqual(['i18n', 'de']);
});

test.describe('language selection', () => {
  test.use({ locale: 'pt-BR' });

  test('the browser’s language is used when the page has none', async ({ chat, page, serveIn }) => {
    await chat.goto(serveIn(''));
    await expect(chat.launcher).toHaveAccessibleName('Abrir o chat');
    expect(await box(page)).toEqual(['pt-BR', 'ltr']);
  });

  test('the configured language overrides those of page and browser', async ({ chat, serveIn }) => {
    await chat.goto(serveIn('lang="de"', 'data-locale="ja"'));
    await expect(chat.launcher).toHaveAccessibleName('チャットを開く');
    expect(fetched(chat)).toEqual(['i18n', 'ja']);
  });
});

test('a language change applies at once to everything, and the last one wins', async ({ chat, page }) => {
  await chat.startConversation();
  await chat.instructBot({
    reply: [
      { type: 'markdown', markdown: '```\n1\n```' },
      {
        type: 'carousel',
        items: [
          { title: '1', actions: [] },
          { title: '2', actions: [] },
        ],
      },
    ],
  });
  await expect(chat.window.getByRole('button', { name: 'Copy', exact: true })).toBeVisible();
  await expect(chat.window.getByRole('region', { name: 'Cards' })).toBeVisible();
  await chat.send('{"n":1}');
  await expect(chat.rows.filter({ hasText: '{"n":1}' })).toContainText('You:');

  // The second change is requested before the first one is complete.
  await page.evaluate(() => {
    for (const locale of ['fr', 'it', 'pl'])
      (window.platform as Platform).config({ configuration: { locale } });
  });
  await expect(chat.launcher).toHaveAccessibleName('Zamknij czat');
  await expect(frame(page)).toHaveAccessibleName('Czat: Bot');
  await expect(frame(page).getByRole('button', { name: 'Kopiuj', exact: true })).toBeVisible();
  await expect(frame(page).getByRole('region', { name: 'Karty' })).toBeVisible();
  await expect(rows(page).filter({ hasText: '{"n":1}' })).toContainText('Ty:');
  await expect(rows(page).filter({ hasText: '{"n":1}' })).toContainText('Wysłano');
  expect(await box(page)).toEqual(['pl', 'ltr']);

  // Another configuration change does not change strings or render Markdown again.
  await frame(page)
    .locator('.code')
    .evaluate((e) => e.setAttribute('data-same', ''));
  await configure(page, { color: '#123456' });
  await expect(frame(page).locator('.code[data-same]')).toHaveCount(1);

  await configure(page, { locale: 'en' });
  await expect(chat.launcher).toHaveAccessibleName('Close chat');
  await expect(chat.window.getByRole('button', { name: 'Copy', exact: true })).toBeVisible();
  await configure(page, { locale: '' });
  expect(await box(page)).toEqual(['en', 'ltr']);
});
