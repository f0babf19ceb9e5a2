// The states of the composer: files, emoji and recordings.
import { Buffer } from 'node:buffer';
import { expect } from '../support/fixtures.ts';
import type { Scene, WidgetStage } from './state.ts';
import { button, newConversation, pressEscape } from './visitor.ts';

export const composerScenes: Scene<WidgetStage>[] = [
  {
    surface: 'Window',
    begin: newConversation,
    states: [
      {
        name: 'files, one uploading',
        async enter({ chat, page }) {
          // The bytes never arrive, so that the upload remains in progress.
          await page.route(/\/uploads\//, (route) =>
            route.request().method() === 'PUT' ? undefined : route.continue(),
          );
          await page.locator('input[type="file"]').setInputFiles([
            { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('notes') },
            { name: 'empty.txt', mimeType: 'text/plain', buffer: Buffer.alloc(0) },
          ]);
          await expect(chat.window.getByRole('progressbar', { name: 'Uploading notes.txt' })).toBeVisible();
          await expect(chat.window.locator('.attachment[data-status="failed"]')).toHaveCount(1);
        },
        async leave({ chat, page }) {
          await page.unrouteAll({ behavior: 'ignoreErrors' });
          await button(chat, 'Remove notes.txt').click();
        },
      },
      {
        name: 'files, one uploaded',
        async enter({ chat, page }) {
          await page
            .locator('input[type="file"]')
            .setInputFiles({ name: 'more.txt', mimeType: 'text/plain', buffer: Buffer.from('more') });
          await expect(chat.window.locator('.attachment[data-status="uploaded"]')).toHaveCount(1);
        },
        async leave({ chat }) {
          await button(chat, 'Remove more.txt').click();
          await button(chat, 'Remove empty.txt').click();
        },
      },
    ],
  },
  {
    surface: 'Window',
    begin: newConversation,
    isSeparate: true,
    states: [
      {
        name: 'emoji',
        async enter({ chat }) {
          await button(chat, 'Emoji').click();
          await expect(chat.window.getByRole('gridcell').first()).toBeVisible();
        },
        leave: pressEscape,
      },
    ],
  },
  {
    surface: 'Window',
    begin: newConversation,
    states: [
      {
        name: 'recording',
        async enter({ chat, page }) {
          // A microphone that every browser has.
          await page.evaluate(() => {
            const audio = new AudioContext();
            const { stream } = audio.createMediaStreamDestination();
            navigator.mediaDevices.getUserMedia = async () => stream;
            const takeMicrophone = () => {
              stream.getTracks()[0]?.stop();
              // It would play silence until the page is left.
              return audio.close();
            };
            Object.assign(window, { takeMicrophone });
          });
          await button(chat, 'Record a voice message').click();
          await expect(chat.window.getByRole('timer')).toBeVisible();
        },
      },
      {
        name: 'a recording that has ended',
        async enter({ chat, page }) {
          await page.evaluate(() => (window as unknown as { takeMicrophone(): void }).takeMicrophone());
          await expect(chat.window.getByText('The recording has ended.')).toBeVisible();
        },
        leave: pressEscape,
      },
    ],
  },
];
